"""README and docs: every relative link and anchor leads somewhere, every picture is linked, every folder has a row."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.processes import ROOT

DOCS = ROOT / "docs"
PAGES = [
    ROOT / "README.md",
    *sorted(DOCS.rglob("*.md")),
    *sorted((ROOT / "services").rglob("README.md")),
    *sorted(path for path in (ROOT / "clients").rglob("README.md") if "node_modules" not in path.parts),
    ROOT / "tests" / "README.md",
]
ROOMS = ("riverboat", "services", "clients")


@cache
def prose(page: Path) -> str:
    """Return a page without code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"^(?:    .*\n)+", "\n", text, flags=re.MULTILINE)


def links(page: Path) -> list[str]:
    """Return the targets of a page's links and pictures."""
    return re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(page)))


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return a page's headings as GitHub links to them: lower case, dashes for spaces, repeats numbered."""
    names: list[str] = []
    for heading in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        count = sum(re.fullmatch(rf"{re.escape(name)}(-\d+)?", known) is not None for known in names)
        names.append(f"{name}-{count}" if count else name)
    return frozenset(names)


def relative(page: Path) -> str:
    return str(page.relative_to(ROOT))


def target_of(page: Path, link: str) -> tuple[Path, str]:
    """Return the file that a link leads to, and the anchor in it."""
    path, _, anchor = unquote(link).partition("#")
    return ((page.parent / path).resolve() if path else page), anchor


def leads_somewhere(page: Path, link: str) -> bool:
    """Return whether the file exists in this repository and has the anchor."""
    target, anchor = target_of(page, link)
    if not target.exists() or not target.is_relative_to(ROOT):
        return False
    return not anchor or (target.suffix == ".md" and anchor in anchors(target))


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere(page: Path) -> None:
    broken = [link for link in links(page) if not re.match(r"[a-z]+:", link) and not leads_somewhere(page, link)]
    assert not broken, f"{relative(page)} links to what does not exist: {', '.join(broken)}"


@pytest.mark.parametrize("link", ["nowhere.md", "bots.md#no-such-heading", "images/none.png", "#no-such-heading"])
def test_a_broken_link_is_noticed(link: str) -> None:
    assert not leads_somewhere(DOCS / "README.md", link)
    assert leads_somewhere(DOCS / "README.md", "bots.md#ten-lines")


def test_pages_have_links() -> None:
    assert sum(len(links(page)) for page in PAGES) > 100


def test_every_picture_is_linked() -> None:
    linked = {target_of(page, link)[0] for page in PAGES for link in links(page)}
    unlinked = set((DOCS / "images").iterdir()) - linked
    assert not unlinked, f"delete these pictures, or link them: {sorted(map(relative, unlinked))}"


def test_every_page_is_listed() -> None:
    """All pages of the manual in docs/README.md, all experiments in docs/experiments/README.md."""
    for folder in (DOCS, DOCS / "experiments"):
        index = folder / "README.md"
        listed = {target_of(index, link)[0] for link in links(index)}
        missing = set(folder.glob("*.md")) - listed - {index}
        assert not missing, f"{relative(index)} does not list {sorted(map(relative, missing))}"


@pytest.mark.parametrize("room", ROOMS)
def test_architecture_has_a_row_for_every_folder(room: str) -> None:
    table = re.search(rf"^\| in `{room}/` .*\n(?:\|.*\n)+", (DOCS / "architecture.md").read_text(), re.MULTILINE)
    assert table, f"docs/architecture.md has no table of {room}/"
    described = set(re.findall(r"^\| `(\w+)/`", table.group(), re.MULTILINE))
    folders = {path.parent.name for path in (ROOT / room).glob("*/__init__.py") if not path.parent.is_symlink()}
    assert folders <= described, f"docs/architecture.md does not describe {sorted(folders - described)}"


def test_modules_that_pages_name_exist() -> None:
    """Paths in code, like `riverboat/rules/betting.py`, from the top or from a well-known folder."""
    roots = [ROOT, ROOT / "riverboat"]
    missing = [
        f"{relative(page)}: {path}"
        for page in PAGES
        if page.is_relative_to(DOCS)
        for path in re.findall(r"`((?:\w+/)+\w+\.(?:py|js|json|proto|md|txt))`", page.read_text())
        if not any((root / path).exists() for root in roots)
    ]
    assert not missing, missing
