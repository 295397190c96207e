"""A learned tree as a picture (SVG) and as a page to walk through (HTML); neither needs other files.

Parts that few states reach, and parts whose questions hardly change the action, are folded away: the picture shows one
grey box for each, and on the page a click opens them.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from riverboat.clients.analysis.tree_words import choice_words, is_leaf, mix_words, question_words
from riverboat.policies.menus import Menu
from riverboat.policies.trees import F32, DecisionTree

_COLOURS = ("#8896a8", "#58a55c", "#f2c14e", "#ee9a3a", "#e4572e", "#b5302a", "#7d1d3f", "#3b0d2c")
_FOLDED = "#d5d8dc"
_WIDTH, _HEIGHT, _GAP, _LEVEL = 190, 64, 14, 110  # of a box and between boxes, in pixels
_LETTERS = 33  # of a line in a box
_SAME = 0.05  # half the sum of differences of two mixes: below it a question hardly changes anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Folding:
    """The parts of the page that are folded away."""

    least_share: float = 0.01  # of all states; a part with less is folded
    depth: int = 5  # questions on a path of the picture


@dataclass(frozen=True, slots=True, eq=False)
class TreeToShow:
    """A tree with what its questions and choices are about."""

    tree: DecisionTree
    menu: Menu
    street: int
    title: str

    def children(self, node: int) -> tuple[int, int]:
        """Return the child for yes and the child for no."""
        return node + 1, int(self.tree.shape.right[node])

    def share(self, node: int) -> float:
        """Return the share of states that reach a node."""
        return float(self.tree.states[node] / self.tree.states[0])

    def question(self, node: int) -> str:
        """Return the question of a node."""
        return question_words(self.street, int(self.tree.shape.feature[node]), float(self.tree.shape.cut[node]))

    def mix(self, node: int) -> str:
        """Return the mean probabilities of the actions at a node, in words."""
        return mix_words(choice_words(self.menu), self.tree.values[node])

    def choices(self) -> list[str]:
        """Return the actions of the menu, in words."""
        return list(choice_words(self.menu))

    def is_leaf(self, node: int) -> bool:
        """Return whether a node asks nothing."""
        return is_leaf(self.tree, node)

    def is_folded(self, node: int, depth: int, folding: Folding) -> bool:
        """Return whether the part below a node is folded away."""
        if is_leaf(self.tree, node):
            return False
        return depth >= folding.depth or self.share(node) < folding.least_share or self._is_dull(node)

    def _is_dull(self, node: int) -> bool:
        """Return whether every part below a node does nearly the same."""
        own: F32 = self.tree.values[node]
        end = self._end(node)
        below = self.tree.values[node:end]
        weights = self.tree.states[node:end] * (self.tree.shape.feature[node:end] < 0)
        differences = abs(below - own).sum(axis=1) / 2
        return bool((differences * weights).sum() < _SAME * self.tree.states[node])

    def _end(self, node: int) -> int:
        """Return the node after the last one below a node."""
        while not is_leaf(self.tree, node):
            node = int(self.tree.shape.right[node])
        return node + 1


@dataclass(frozen=True, slots=True)
class _Box:
    node: int
    x: float
    depth: int
    folded: bool
    children: tuple["_Box", ...]


def svg_picture(shown: TreeToShow, folding: Folding) -> str:
    """Return the picture of a tree."""
    root, width = _laid_out(shown, folding, 0, 0, 0.0)
    depth = max(box.depth for box in _boxes(root))
    height = 50 + (depth + 1) * _LEVEL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'height="{height}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="22" font-size="16">{escape(shown.title)}</text>',
    ]
    for box in _boxes(root):
        parts += _lines_below(box)
    for box in _boxes(root):
        parts.append(_drawn(shown, box))
    return "\n".join([*parts, "</svg>\n"])


def _laid_out(shown: TreeToShow, folding: Folding, node: int, depth: int, left: float) -> tuple[_Box, float]:
    """Return the box of a node with those below it, and where the next one on the right may begin."""
    folded = shown.is_folded(node, depth, folding)
    if folded or is_leaf(shown.tree, node):
        return _Box(node, left + _WIDTH / 2, depth, folded, ()), left + _WIDTH + _GAP
    boxes = []
    for child in shown.children(node):
        box, left = _laid_out(shown, folding, child, depth + 1, left)
        boxes.append(box)
    return _Box(node, (boxes[0].x + boxes[1].x) / 2, depth, False, tuple(boxes)), left


def _boxes(box: _Box) -> Iterator[_Box]:
    yield box
    for child in box.children:
        yield from _boxes(child)


def _top(box: _Box) -> float:
    return 40 + box.depth * _LEVEL


def _lines_below(box: _Box) -> list[str]:
    lines = []
    for child, answer in zip(box.children, ("yes", "no"), strict=False):
        y, below = _top(box) + _HEIGHT, _top(child)
        lines.append(f'<line x1="{box.x:.0f}" y1="{y}" x2="{child.x:.0f}" y2="{below}" stroke="#777"/>')
        lines.append(f'<text x="{(box.x + child.x) / 2:.0f}" y="{(y + below) / 2:.0f}" fill="#555">{answer}</text>')
    return lines


def _drawn(shown: TreeToShow, box: _Box) -> str:
    x, y, leaf = box.x - _WIDTH / 2, _top(box), is_leaf(shown.tree, box.node)
    best = int(shown.tree.values[box.node].argmax())
    fill = _FOLDED if box.folded else _COLOURS[best % len(_COLOURS)] if leaf else "white"
    first = "folded away" if box.folded else "" if leaf else shown.question(box.node)
    mix = shown.mix(box.node)
    share = f"{100 * shown.share(box.node):.1f} % of states"
    texts = [text for text in (*_wrapped(first), *_wrapped(mix)[:2], share) if text][:4]
    rows = "".join(
        f'<text x="{x + 6:.0f}" y="{y + 15 + 14 * row:.0f}">{escape(text)}</text>' for row, text in enumerate(texts)
    )
    return (
        f'<g><title>node {box.node}: {escape(mix)}</title><rect x="{x:.0f}" y="{y:.0f}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" rx="6" fill="{fill}" stroke="#333"/>{rows}</g>'
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _LETTERS, break_long_words=False, break_on_hyphens=False)


def html_page(shown: TreeToShow, folding: Folding) -> str:
    """Return the page of a tree: every question can be opened, those that are not folded away are open."""
    body = "".join(_details(shown, folding, 0, 0, ""))
    return _PAGE.format(title=escape(shown.title), legend=_legend(shown), body=body)


def _details(shown: TreeToShow, folding: Folding, node: int, depth: int, answer: str) -> Iterator[str]:
    share = f"{100 * shown.share(node):.2f} %"
    bar = _bar(shown, node)
    before = f"<b>{answer}</b> " if answer else ""
    if is_leaf(shown.tree, node):
        yield f'<div class="leaf" id="n{node}">{before}{bar} {escape(shown.mix(node))} <i>{share}</i></div>'
        return
    is_open = "" if shown.is_folded(node, depth, folding) else " open"
    question = escape(shown.question(node))
    yield f'<details id="n{node}"{is_open}><summary>{before}{bar} {question} <i>{share}</i></summary>'
    for child, word in zip(shown.children(node), ("yes", "no"), strict=True):
        yield from _details(shown, folding, child, depth + 1, word)
    yield "</details>"


def _bar(shown: TreeToShow, node: int) -> str:
    spans = "".join(
        f'<span style="width:{60 * float(chance):.1f}px;background:{_COLOURS[place % len(_COLOURS)]}"></span>'
        for place, chance in enumerate(shown.tree.values[node])
        if chance > 0
    )
    return f'<span class="bar" title="{escape(shown.mix(node))}">{spans}</span>'


def _legend(shown: TreeToShow) -> str:
    return " ".join(
        f'<span class="key" style="background:{_COLOURS[place % len(_COLOURS)]}"></span>{escape(name)}'
        for place, name in enumerate(choice_words(shown.menu))
    )


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 14px/1.5 sans-serif; margin: 1.5em; max-width: 70em; }}
details, .leaf {{ margin-left: 1.1em; }}
summary {{ cursor: pointer; }}
i {{ color: #666; }}
.bar {{ display: inline-flex; width: 60px; height: .8em; background: #eee; }}
.key {{ display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em; }}
</style></head><body>
<h1>{title}</h1>
<p>Click a question to open or close it. A bar shows how often each action is taken there; the percentage is the share
of all states that reach it.</p>
<p>{legend}</p>
{body}
</body></html>
"""
