"""The actions before a preflop decision, as typed in an option."""

from riverboat.clients.console.table.orders import NotAnOrder, read_action
from riverboat.clients.remote.refusals import Refused
from riverboat.rules.betting import CHANCE
from riverboat.rules.state import start
from riverboat.rules.variant import Variant


def read_line(text: str, variant: Variant, stack: int) -> list[int]:
    """Return the actions of a line like "c r400"."""
    public, actions = start(variant, [stack, stack]), list[int]()
    for word in text.replace(",", " ").split():
        if public.actor is None:
            break
        try:
            actions.append(read_action(word, public, public.actor))
        except NotAnOrder as error:
            raise Refused(f"--line: {word[:20]!r}: {error}") from None
        public = public.play(actions[-1])
    if public.actor is None:
        where = "the flop comes" if public.phase == CHANCE else "the hand is over"
        raise Refused(f"--line: {where} after {text[:40]!r}; it must lead to a decision before the flop")
    return actions
