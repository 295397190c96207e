"""Audit all pinned packages for known vulnerabilities: python -m tests.audit, or make audit.

pip-audit asks a public database of advisories. If the database cannot be reached, the audit says that it was skipped,
which is neither a failure of the code nor a success.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PIP_AUDIT = ROOT / ".venv/audit-tools/bin/pip-audit"
_UNREACHED = ("connect", "timed out", "timeout", "resolve", "unreachable", "no route")
PINNED = ("requirements/constraints.txt", "requirements/proto-tools.txt")


@dataclass(frozen=True)
class Verdict:
    """The text to print, and the exit code: 1 for a known vulnerability or a failed audit."""

    lines: list[str]
    code: int


def verdict(report: str, errors: str) -> Verdict:
    """Return text and exit code for pip-audit's report; `errors` is its error output if there is none."""
    try:
        dependencies: list[dict[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        said = (errors.strip().splitlines()[-1:] or ["it logged nothing"])[0][:200]
        if any(word in said.lower() for word in _UNREACHED):
            return Verdict([f"SKIPPED: no package was audited: {said}"], 0)
        return Verdict([f"FAILED: no package was audited: {said}"], 1)
    audited = [package for package in dependencies if "skip_reason" not in package]
    unknown = sorted(package["name"] for package in dependencies if "skip_reason" in package)
    if not audited:
        return Verdict(
            [f"SKIPPED: none of {len(dependencies)} packages was audited: {dependencies[0]['skip_reason']}"], 0
        )
    weak = [package for package in audited if package["vulns"]]
    lines = [
        f"{package['name']} {package['version']}: {weakness['id']}, fixed in "
        + (", ".join(weakness["fix_versions"]) or "no version yet")
        for package in weak
        for weakness in package["vulns"]
    ]
    if unknown:
        lines.append(f"not audited, because the database does not have them: {', '.join(unknown)}")
    lines.append(f"{len(audited)} packages audited, {len(weak)} with known vulnerabilities")
    return Verdict(lines, 1 if weak else 0)


def main() -> int:
    """Audit the pinned packages."""
    if not PIP_AUDIT.exists():
        print("SKIPPED: no package was audited: pip-audit could not be installed")
        return 0
    words = [str(PIP_AUDIT), "--format", "json", "--no-deps", "--disable-pip", "--progress-spinner", "off"]
    codes = []
    for name in PINNED:  # one by one: they may pin the same package to different versions
        command = [*words, "--requirement", str(ROOT / name)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        judged = verdict(ran.stdout, ran.stderr)
        print("\n".join(f"{name}: {line}" for line in judged.lines))
        codes.append(judged.code)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
