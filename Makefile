# Everything goes into .venv; nothing needs root. Python 3.11 or newer and make are enough.
PYTHON ?= python3
BIN := .venv/bin
CONSTRAINTS := requirements/constraints.txt
WORKERS ?= auto
HANDS ?= 100000
# Whether docker compose works here.
COMPOSE := docker compose version >/dev/null 2>&1 && docker info >/dev/null 2>&1

.DEFAULT_GOAL := help
.PHONY: help install demo play up down test check lint types kernels protos referee audit bench clean

# What services compile before they are healthy: two processes side by side, each with kernels of its own.
COMPILE := $(BIN)/python -c 'from riverboat.services.resolver.warm_up import warm_up; warm_up()' & \
	$(BIN)/python -c 'from riverboat.services.gamemanager.state_manager import StateManager; StateManager(1_000_000).warm_up()'; wait
# Each worker takes a row of neighbouring files, so that most servers are started by one of them only.
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal

help: ## what there is to make
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

install: .venv/.installed ## install the riverboat command into .venv

demo: .venv/.installed ## what Riverboat does, in ninety seconds
	@$(BIN)/riverboat demo

play: .venv/.installed ## sit down at a table against an agent
	@$(BIN)/riverboat play

up: .venv/.installed ## start services: all by docker compose where that works, elsewhere as processes, without a trainer
	@if $(COMPOSE); then echo "by docker compose:"; docker compose up --detach; \
	else echo "docker compose does not work here; as processes of this machine:"; $(BIN)/riverboat up; fi

down: .venv/.installed ## stop what make up has started
	@if [ -e .riverboat/state.json ]; then echo "processes of this machine:"; $(BIN)/riverboat down; \
	elif $(COMPOSE); then echo "by docker compose:"; docker compose down; \
	else echo "nothing was running"; fi

test: .venv/.dev lint types kernels ## lint, types, the import rules, and all tests
	$(PYTEST)

check: .venv/.dev lint types kernels ## like test, without scenarios and what takes long: two minutes
	$(PYTEST) -m "not slow" --ignore tests/scenarios

lint: .venv/.dev ## ruff and buf
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/buf lint . --config protos/buf.yaml --path protos

types: .venv/.dev ## mypy, strict
	$(BIN)/mypy .

kernels: .venv/.dev ## compile kernels that have changed, once for all processes
	@$(BIN)/python -c 'import riverboat.clients.console.app'
	@$(COMPILE)
	@$(BIN)/python -c 'from riverboat.parallel import serial; from riverboat.services.oracle.oracle import Oracle; Oracle(serial, 1).warm_up()'

protos: .venv/.dev ## regenerate the Python code beside the contracts
	PATH="$(CURDIR)/.venv/proto-tools/bin:$$PATH" .venv/proto-tools/bin/python protos/generate.py

referee: .venv/.dev ## play HANDS random hands against pokerkit, which takes a quarter of an hour
	$(BIN)/python -m tests.referee $(HANDS)

audit: .venv/.dev .venv/.audit ## known weaknesses of the packages that are pinned, from a public database
	$(BIN)/python -m tests.audit

bench: .venv/.dev ## benchmarks beside peers, as one table
	$(BIN)/python -m benchmarks

clean: ## remove all that was made here
	rm -rf .venv .cache build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Riverboat needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Try make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.installed: .venv/bin/python pyproject.toml $(CONSTRAINTS)
	@echo "installing packages into .venv, for about half a minute"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS) -e '.[oracle,gamemanager,resolver,pictures]'
	@echo "compiling kernels, once, for one or two minutes"
	@$(BIN)/python -c 'import riverboat.clients.console.app'
	@$(COMPILE)
	@touch $@

# Without a network there is no pip-audit, which the audit then says.
.venv/.audit: .venv/bin/python requirements/audit-tools.txt
	$(PYTHON) -m venv .venv/audit-tools
	.venv/audit-tools/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/audit-tools.txt && touch $@ || true

.venv/.dev: .venv/bin/python pyproject.toml $(CONSTRAINTS) requirements/proto-tools.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(CONSTRAINTS) -e '.[dev]'
	$(PYTHON) -m venv .venv/proto-tools
	.venv/proto-tools/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/proto-tools.txt
	@touch $@ .venv/.installed
