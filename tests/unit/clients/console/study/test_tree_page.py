"""A tree as a picture and as a page: what is shown, and what is folded away."""

import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np

from riverboat.clients.console.study.tree_page import Folding, TreeToShow, html_page, svg_picture
from riverboat.policies.menus import Menu
from riverboat.policies.trees import LEAF, TreeShape, tree_of_leaves

MENU = Menu((0.5,))
SVG = "{http://www.w3.org/2000/svg}"


def shown_tree() -> TreeToShow:
    """Return a tree of a river: fold or call by equity, then a question that changes nothing, then a smaller part."""
    shape = TreeShape(
        np.array([0, 1, LEAF, LEAF, 2, LEAF, LEAF], np.int16),
        np.array([0.5, 100, 0, 0, 400, 0, 0], np.float32),
        np.array([4, 3, 0, 0, 6, 0, 0], np.int32),
    )
    chances = np.array([[1, 0, 0, 0], [0.98, 0.02, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]], np.float32)
    return TreeToShow(tree_of_leaves(shape, np.array([300, 280, 400, 20], np.float32), chances), MENU, 3, "a <tree>")


class Counter(HTMLParser):
    """Counts elements, and finds those that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.depth += tag == "details"
        if tag == "details" and ("open", None) in attrs:
            self.open.append(dict(attrs)["id"] or "")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "details"


def test_parts_that_do_the_same_or_are_rare_are_folded() -> None:
    shown = shown_tree()
    folding = Folding(least_share=0.5, depth=5)
    assert not shown.is_folded(0, 0, folding)
    assert shown.is_folded(1, 1, folding)  # fold, whatever the answer
    assert shown.is_folded(4, 1, folding)  # 42 % of states
    assert not shown.is_folded(4, 1, Folding(least_share=0.0))
    assert shown.is_folded(0, 0, Folding(depth=0))
    assert not shown.is_folded(2, 2, folding)  # a leaf


def test_the_picture_has_a_box_for_each_part_that_is_shown() -> None:
    for folding, boxes in ((Folding(least_share=0.5), 3), (Folding(least_share=0.0), 5)):
        root = ET.fromstring(svg_picture(shown_tree(), folding))  # noqa: S314  # our own
        assert len(root.findall(f"{SVG}g")) == boxes
        texts = [text.text or "" for text in root.iter(f"{SVG}text")]
        assert "a <tree>" in texts
        assert "you win now ≤ 50 %?" in texts
        assert texts.count("folded away") == (2 if boxes == 3 else 1)


def test_the_page_has_the_whole_tree_and_needs_nothing_else() -> None:
    page = html_page(shown_tree(), Folding(least_share=0.5))
    counter = Counter()
    counter.feed(page)
    assert counter.depth == 0
    assert counter.tags.count("details") == 3
    assert counter.open == ["n0"]
    assert page.count('class="leaf"') == 4
    assert "a &lt;tree&gt;" in page
    assert "http" not in page
    assert "the opponent&#x27;s bet on the preflop ≤ 100?" in page
