"""Known weaknesses of all pinned packages: python -m tests.audit, which is make audit.

It asks a public database of advisories, through pip-audit. Where that cannot be reached it says that it was skipped,
and that nothing is known: this is no failure of the code, and no success either.
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
    """What to print, and the exit code: 1 if a package has a known weakness, or the audit itself does not work."""

    lines: list[str]
    code: int


def verdict(report: str, errors: str) -> Verdict:
    """What pip-audit's report comes to; `errors` is what it said if there is none."""
    try:
        dependencies: list[dict[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        said = (errors.strip().splitlines()[-1:] or ["it said nothing"])[0][:200]
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
        f"{package['name']} {package['version']}: {weakness['id']}, mended in "
        + (", ".join(weakness["fix_versions"]) or "no version yet")
        for package in weak
        for weakness in package["vulns"]
    ]
    if unknown:
        lines.append(f"not audited, because the database does not have them: {', '.join(unknown)}")
    lines.append(f"{len(audited)} packages audited, {len(weak)} with known weaknesses")
    return Verdict(lines, 1 if weak else 0)


def main() -> int:
    """Audit what is pinned."""
    if not PIP_AUDIT.exists():
        print("SKIPPED: no package was audited: pip-audit could not be installed")
        return 0
    words = [str(PIP_AUDIT), "--format", "json", "--no-deps", "--disable-pip", "--progress-spinner", "off"]
    codes = []
    for name in PINNED:  # one by one: they may pin the same package, each for itself
        command = [*words, "--requirement", str(ROOT / name)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        judged = verdict(ran.stdout, ran.stderr)
        print("\n".join(f"{name}: {line}" for line in judged.lines))
        codes.append(judged.code)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
