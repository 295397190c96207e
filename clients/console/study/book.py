"""The nodes of a solution that a page shows: those near the root first, as many as there is room for."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from riverboat.clients.console.study.page import PageNode
from riverboat.clients.console.study.steps import after, words_of
from riverboat.clients.remote.resolver import ResolverClient
from riverboat.rules.betting import CHANCE, FOLD
from riverboat.rules.state import PublicState
from riverboat.solving.answers import NodeAnswer
from riverboat.solving.questions import Step

_STREETS = {3: "flop", 4: "turn", 5: "river"}


@dataclass(slots=True, eq=False)
class _Found:
    """A node, and where its choices lead as far as that is known."""

    words: str
    public: PublicState
    path: tuple[Step, ...]
    answer: NodeAnswer
    children: list[int | None]


def collect(
    link: ResolverClient, handle: str, public: PublicState, most: int, tell: Callable[[float], None]
) -> tuple[PageNode, ...]:
    """Nodes from the root on, at most so many, by how many steps lead to them."""
    root = link.node(handle)
    found = [_Found("", public, (), root, _unknown(root))]
    waiting = deque([(0, choice) for choice in range(len(found[0].children))])
    while waiting and len(found) < most:
        place, choice = waiting.popleft()
        parent = found[place]
        step: Step = parent.answer.deals[choice] if parent.answer.deals else parent.answer.actions[choice]
        if step == FOLD:
            continue
        state = after(parent.public, step)
        if state.actor is None and state.phase != CHANCE:
            continue
        answer = link.node(handle, (*parent.path, step))
        if answer.player < 0 and not answer.deals:  # all-in: nobody acts any more
            continue
        parent.children[choice] = len(found)
        found.append(_Found(_words(parent, step), state, (*parent.path, step), answer, _unknown(answer)))
        waiting.extend((len(found) - 1, below) for below in range(len(found[-1].children)))
        tell(len(found) / most)
    return tuple(PageNode(one.words, one.answer, _choices(one), tuple(one.children)) for one in found)


def _unknown(answer: NodeAnswer) -> list[int | None]:
    return [None] * (len(answer.deals) or len(answer.actions))


def _choices(found: _Found) -> tuple[str, ...]:
    if found.answer.deals:
        return found.answer.deals
    return tuple(words_of(found.public, action) for action in found.answer.actions)


def _words(parent: _Found, step: Step) -> str:
    if isinstance(step, int):
        return words_of(parent.public, step)
    return f"{_STREETS.get(len(parent.public.board) + len(step) // 2, 'deal')} {step}"
