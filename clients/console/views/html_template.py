"""Templates of HTML pages that need no other files: marks are filled in, and all pages share one head."""

import re
from collections.abc import Mapping
from importlib.resources import files


def fill_template(package: str, name: str, parts: Mapping[str, str]) -> str:
    """Return a package's template with its marks, like <!-- title -->, filled in."""
    text = page_file(package, name).replace("<!-- head -->\n", page_file(str(__package__), "page_head.html"))
    text = text.replace("/* colours */\n", page_file(str(__package__), "page_colours.css"))
    # In one pass, so that what was filled in is not searched again.
    return re.sub(f"<!-- ({'|'.join(parts)}) -->", lambda mark: parts[mark[1]], text)


def page_file(package: str, name: str) -> str:
    """Return the text of a package's file."""
    return files(package).joinpath(name).read_text(encoding="utf-8")
