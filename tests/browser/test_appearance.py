"""What axe says about every page, in light and in dark; how large the page is; what its policy allows."""

import json
from pathlib import Path

import pytest

from tests.browser.conftest import Visit
from tests.browser.installation import axe_script
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.slow
_PAGE_BYTES = 300_000
_PAGES = ("/", "/study", "/replay", "/agents", "/runs")


def serious_findings(person: Visitor) -> list[str]:
    """Return what axe finds that is serious or critical."""
    person.page.evaluate(axe_script())
    checked = person.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]} "
        f"{[node.get('failureSummary', '')[:200] for node in one['nodes'][:1]]}"
        for one in checked["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit: Visit, scheme: str, tmp_path: Path) -> None:
    person = visit(color_scheme=scheme, bypass_csp=True)  # the checker is a script of the test, not of the page
    findings: dict[str, list[str]] = {}
    for path in _PAGES:
        person.go(path)
        person.page.locator("h1").first.wait_for()
        person.page.wait_for_load_state("networkidle")
        findings[path] = serious_findings(person)
        person.page.screenshot(path=tmp_path / f"{scheme}{path.replace('/', '-')}.png", full_page=True)
    person.go("/")
    person.sit_down("Jo", seats=3)
    person.wait_for_turn()
    person.page.wait_for_timeout(400)  # cards fade in, and a fading card has little contrast
    findings["table"] = serious_findings(person)
    person.page.screenshot(path=tmp_path / f"{scheme}-table.png")
    assert not {path: checked for path, checked in findings.items() if checked}


def test_the_page_is_small_and_needs_no_other_host(visit: Visit) -> None:
    person = visit()
    sizes: dict[str, int] = {}
    hosts = set()

    def note(response: object) -> None:
        sizes[response.url] = len(response.body())  # type: ignore[attr-defined]
        hosts.add(response.url.split("/")[2])  # type: ignore[attr-defined]

    person.page.on("response", note)
    person.go("/study")
    person.page.locator("h1").wait_for()
    person.page.wait_for_load_state("networkidle")
    assert sum(sizes.values()) < _PAGE_BYTES
    assert hosts == {person.address.split("/")[2]}


def test_the_policy_forbids_scripts_in_the_page(visit: Visit) -> None:
    person = visit()
    person.page.locator("h1").wait_for()
    person.page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.broken = 1'}))"
    )
    assert person.page.evaluate("window.broken === undefined")
    person.expect_problems("Content Security Policy")
    response = person.context.request.post(f"{person.address}/api/tables", data=json.dumps({"name": "Eve"}))
    assert response.status == 403  # without the origin and the token of the page
