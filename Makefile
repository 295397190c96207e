# Everything goes into .venv and nothing needs root. Requires Python 3.11 or newer, and make.
PYTHON ?= python3
BIN := .venv/bin
CONSTRAINTS := requirements/constraints.txt
WORKERS ?= auto
HANDS ?= 100000
# Whether docker compose works here.
COMPOSE := docker compose version >/dev/null 2>&1 && docker info >/dev/null 2>&1

.DEFAULT_GOAL := help
.PHONY: help install demo play web up down test check lint types kernels protos referee audit bench clean

# Compile the kernels that services need to become healthy, in two parallel processes with different kernels.
COMPILE := $(BIN)/python -c 'from riverboat.services.resolver.warm_up import warm_up; warm_up()' & \
	$(BIN)/python -c 'from riverboat.services.gamemanager.state_manager import StateManager; StateManager(1_000_000).warm_up(); \
	from riverboat.parallel import serial; from riverboat.services.oracle.oracle import Oracle; Oracle(serial, 1).warm_up()'; wait
# Each worker takes a sequence of neighbouring files, so that only one of them starts most of the servers.
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

install: .venv/.installed ## install the riverboat command into .venv

demo: .venv/.installed ## show what Riverboat can do, in ninety seconds
	@$(BIN)/riverboat demo

# Only what a table needs is compiled first; Ctrl-C ends it without a word from make.
play: .venv/.packages ## sit down at a table against an agent
	@trap 'exit 0' INT; $(BIN)/python -m riverboat.clients.console.first_table && { $(BIN)/riverboat play || [ $$? -eq 130 ]; }

web: .venv/.installed ## play, watch and study in a browser
	@$(BIN)/riverboat web

up: .venv/.installed ## start all services with docker compose, or without Docker all but the trainer as processes
	@if $(COMPOSE); then echo "with docker compose:"; docker compose up --detach; \
	else echo "docker compose does not work here; starting processes on this machine:"; $(BIN)/riverboat up; fi

down: .venv/.installed ## stop the services that make up started
	@if [ -e .riverboat/state.json ]; then echo "stopping processes on this machine:"; $(BIN)/riverboat down; \
	elif $(COMPOSE); then echo "with docker compose:"; docker compose down; \
	else echo "nothing was running"; fi

test: .venv/.dev lint types kernels ## run lint, types, import rules and all tests
	$(PYTEST)

check: .venv/.dev lint types kernels ## like test, but without scenarios and slow tests: two minutes
	$(PYTEST) -m "not slow" --ignore tests/scenarios

lint: .venv/.dev ## run ruff and buf
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/buf lint . --config protos/buf.yaml --path protos

types: .venv/.dev ## run mypy in strict mode
	$(BIN)/mypy .

kernels: .venv/.dev ## compile changed kernels, once for all processes
	@$(BIN)/python -c 'import riverboat.strength.single_hand'
	@$(COMPILE)

protos: .venv/.dev ## regenerate the Python code beside the contracts
	PATH="$(CURDIR)/.venv/proto-tools/bin:$$PATH" .venv/proto-tools/bin/python protos/generate.py

referee: .venv/.dev ## compare HANDS random hands with pokerkit: a quarter of an hour
	$(BIN)/python -m tests.referee $(HANDS)

audit: .venv/.dev .venv/.audit ## check pinned packages against a public database of vulnerabilities
	$(BIN)/python -m tests.audit

bench: .venv/.dev ## run benchmarks beside peers and print one table
	$(BIN)/python -m benchmarks

clean: ## remove files that make created; tables, samples and networks stay
	rm -rf .venv .cache build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@for kept in .riverboat riverboat-data .env clients/examples/*/node_modules; do \
		[ ! -e "$$kept" ] || echo "left in place: $$kept"; done

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Riverboat needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Try make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.packages: .venv/bin/python pyproject.toml $(CONSTRAINTS)
	@echo "installing packages into .venv: about half a minute"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS) -e '.[oracle,gamemanager,resolver,pictures,web]'
	@touch $@

.venv/.installed: .venv/.packages
	@echo "compiling kernels, only this once: one or two minutes"
	@$(BIN)/python -c 'import riverboat.strength.single_hand'
	@$(COMPILE)
	@touch $@

# Without network access pip-audit cannot be installed; the audit then says so.
.venv/.audit: .venv/bin/python requirements/audit-tools.txt
	$(PYTHON) -m venv .venv/audit-tools
	.venv/audit-tools/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/audit-tools.txt && touch $@ || true

.venv/.dev: .venv/bin/python pyproject.toml $(CONSTRAINTS) requirements/proto-tools.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS) -e '.[dev]'
	$(PYTHON) -m venv .venv/proto-tools
	.venv/proto-tools/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/proto-tools.txt
	@touch $@ .venv/.packages .venv/.installed
