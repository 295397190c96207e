"""The nodes of a solution that a page shows: those near the root first, up to a maximum."""

from collections.abc import Callable
from dataclasses import dataclass

from riverboat.clients.analysis.actions import played_words
from riverboat.clients.console.study.page import PageNode
from riverboat.clients.console.study.steps import after
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.contracts.resolver import NodeAnswer, Step
from riverboat.rules.state import PublicState
from riverboat.streets import STREET_OF_CARDS


@dataclass(frozen=True, slots=True, eq=False)
class _PathNode:
    """A node with its state, and the nodes its choices lead to; None for nodes that are not on the page."""

    words: str
    public: PublicState
    answer: NodeAnswer
    children: list[int | None]


def collect(
    link: ResolverClient, handle: str, root: PublicState, most: int, tell: Callable[[float], None]
) -> tuple[PageNode, ...]:
    """Return at most `most` nodes from the root on, by the number of steps that lead to them."""
    numbered = []
    for node in link.nodes(handle, most):
        numbered.append(node)
        tell(len(numbered) / node.node_count)
    nodes: list[_PathNode] = []
    for node in sorted(numbered, key=lambda one: one.index):
        unknown: list[int | None] = [None] * (len(node.answer.deals) or len(node.answer.actions))
        if node.step is None:
            nodes.append(_PathNode("", root, node.answer, unknown))
            continue
        parent = nodes[node.parent]
        parent.children[_choice(parent.answer, node.step)] = node.index
        nodes.append(
            _PathNode(_step_words(parent.public, node.step), after(parent.public, node.step), node.answer, unknown)
        )
    return tuple(PageNode(node.words, node.answer, _choices(node), tuple(node.children)) for node in nodes)


def page_node(before: PublicState, step: Step | None, public: PublicState, answer: NodeAnswer) -> PageNode:
    """Return one node by itself, reached by a step from the state `before`, without any of its children."""
    none: list[int | None] = [None] * (len(answer.deals) or len(answer.actions))
    node = _PathNode("" if step is None else _step_words(before, step), public, answer, none)
    return PageNode(node.words, answer, _choices(node), tuple(none))


def _choice(answer: NodeAnswer, step: Step) -> int:
    return answer.deals.index(step) if isinstance(step, str) else answer.actions.index(step)


def _choices(node: _PathNode) -> tuple[str, ...]:
    if node.answer.deals:
        return node.answer.deals
    return tuple(played_words(node.public, action) for action in node.answer.actions)


def _step_words(before: PublicState, step: Step) -> str:
    if isinstance(step, int):
        return played_words(before, step)
    return f"{STREET_OF_CARDS.get(len(before.board) + len(step) // 2, 'deal')} {step}"
