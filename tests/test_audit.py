"""The output of make audit, and when it fails."""

import json
from typing import Any

from tests.audit import verdict

FINE: dict[str, Any] = {"name": "fine", "version": "1.0", "vulns": []}
VULNERABLE: dict[str, Any] = {"name": "vulnerable", "version": "2.0", "vulns": [{"id": "X-1", "fix_versions": ["2.1"]}]}
UNKNOWN = {"name": "unknown", "skip_reason": "not found"}


def report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


def test_vulnerabilities_fail() -> None:
    judged = verdict(report(FINE, VULNERABLE, UNKNOWN), "")
    assert judged.code == 1
    assert judged.lines[0] == "vulnerable 2.0: X-1, fixed in 2.1"
    assert judged.lines[1].endswith("unknown")
    assert judged.lines[2] == "2 packages audited, 1 with known vulnerabilities"
    assert verdict(report(FINE), "").code == 0


def test_packages_that_were_not_audited_are_not_called_fine() -> None:
    for judged in (verdict("", "a line\nno route to host"), verdict(report(UNKNOWN), "")):
        assert judged.code == 0
        assert judged.lines[0].startswith("SKIPPED")
    broken = verdict("", "package x has duplicate requirements")
    assert (broken.code, broken.lines[0].startswith("FAILED")) == (1, True)
    assert "no route to host" in verdict("", "a line\nno route to host").lines[0]
