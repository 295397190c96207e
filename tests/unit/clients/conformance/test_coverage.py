"""Every method of every contract is checked, and checks have unique names."""

from importlib import import_module

import pytest
from google.protobuf.descriptor import ServiceDescriptor

from riverboat.clients.conformance.contracts import NAMES, checks_of
from tests.processes import ROOT

FILES = [path.relative_to(ROOT).with_suffix("") for path in ROOT.glob("protos/*/v1/*.proto")]
CONTRACTS = {
    name: [import_module(f"riverboat.protos.{name}.v1.{path.name}_pb2") for path in FILES if path.parts[1] == name]
    for name in {path.parts[1] for path in FILES}
}
GARBAGE = "refuses bytes that are not a request with INVALID_ARGUMENT"


def services(name: str) -> list[ServiceDescriptor]:
    return [service for file in CONTRACTS[name] for service in file.DESCRIPTOR.services_by_name.values()]


def test_all_contracts_are_there() -> None:
    assert set(NAMES) == set(CONTRACTS)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_is_asked_for_an_answer_or_a_refusal_not_only_with_garbage(name: str) -> None:
    checked = {(check.service, check.method) for check in checks_of(name) if check.name != GARBAGE}
    for service in services(name):
        for method in service.methods:
            assert (service.full_name, method.name) in checked, f"{service.full_name}/{method.name} has no check"
        assert (service.full_name, "") in checked, f"no check of the health of {service.full_name}"


@pytest.mark.parametrize("name", NAMES)
def test_checks_name_methods_that_there_are_and_no_two_are_the_same(name: str) -> None:
    methods = {(service.full_name, method.name) for service in services(name) for method in service.methods}
    checks = checks_of(name)
    for check in checks:
        assert not check.method or (check.service, check.method) in methods, check.name
        assert check.seconds > 0
    names = [(check.service, check.method, check.name) for check in checks]
    assert len(set(names)) == len(names), [each for each in names if names.count(each) > 1]


@pytest.mark.parametrize("name", NAMES)
def test_checks_of_one_method_follow_one_another(name: str) -> None:
    seen: list[tuple[str, str]] = []
    for check in checks_of(name):
        if not seen or seen[-1] != (check.service, check.method):
            seen.append((check.service, check.method))
    assert len(set(seen)) == len(seen)


def test_the_recipe_of_an_oracle_names_the_number_of_checks() -> None:
    count = len(checks_of("oracle"))
    assert f"`passed {count} of {count} in" in (ROOT / "docs" / "how-to.md").read_text()
