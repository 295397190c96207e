"""How to look ahead from a state: which bets the tree has, and how often to iterate.

The last two streets are solved to the end of the hand, earlier ones to the next deal. What is chosen here keeps a
decision within about a second on two cores.

Where the game allows only some sizes, the tree has those if they are as few as the plan's. Otherwise it has the
plan's, each of which becomes the nearest that is legal.
"""

from dataclasses import dataclass, replace

from riverboat.rules.bet_sizes import BetSizes, Unit, parse_bet_sizes
from riverboat.rules.state import PublicState
from riverboat.rules.variant import rules_array

_SMALL_DECK = 24  # cards of a deck, up to which trees may be large
_RAISES = 3  # on a street of a tree, where raises may be small: otherwise they go on until stacks are gone
_DEEP = 5.0  # stacks in pots, above which nobody thinks of betting them at once


@dataclass(frozen=True, slots=True)
class Plan:
    """A tree and a budget."""

    now: str  # bet sizes on the street of the state, as in riverboat/rules/bet_sizes.py
    later: str  # on streets after it
    iterations: int

    def bet_sizes(self, street: int) -> str:
        """The sizes of all streets, for a state on this one."""
        return " / ".join([*[""] * street, self.now, self.later])

    def with_all_in(self) -> "Plan":
        """The same with bets of all chips at any time."""
        return replace(self, now=_with(self.now, "all-in"), later=_with(self.later, "all-in"))

    def with_raise(self, public: PublicState, to: int) -> "Plan":
        """The same with one more raise on the street of a state: a bet that was made there."""
        return replace(self, now=_with(self.now, str(to - public.bet)))

    def harder(self, times: int) -> "Plan":
        """The same with more iterations."""
        return replace(self, iterations=times * self.iterations)


def _with(sizes: str, size: str) -> str:
    """One more size for bets and for raises."""
    return ";".join(f"{part.strip()} {size}" for part in sizes.split(";"))


_WIDE, _NARROW = "0.5p 1p; 1p", "1p; 1p"
# By how many streets are to come; the last is for more.
_FEW_CARDS = (Plan(_WIDE, "", 200), Plan(_NARROW, _NARROW, 100), Plan(_WIDE, "", 200), Plan(_WIDE, "", 300))
_MANY_CARDS = (Plan(_WIDE, "", 300), Plan(_NARROW, _NARROW, 50), Plan(_WIDE, "", 100), Plan(_WIDE, "", 300))


# With a network below the cut a few iterations are enough, and more only make use of its errors: docs/training.md.
_WITH_NETWORK = Plan(_NARROW, "", 40)
_FIRST_STREET = Plan(_WIDE, "", 60)  # with a network that knows the average over all flops: it is asked about one board
_EXACT_STREETS = 1  # to come, up to which nothing is cut


def plan_of(public: PublicState, has_network: bool = False) -> Plan:
    """How to look ahead from a state; a network may say what follows the next deal."""
    plans = _FEW_CARDS if len(public.variant.deck.cards) <= _SMALL_DECK else _MANY_CARDS
    to_come = len(public.variant.streets) - 1 - public.street
    found = plans[min(to_come, len(plans) - 1)]
    if has_network and to_come > _EXACT_STREETS:
        found = _WITH_NETWORK if public.board else _FIRST_STREET
    if public.variant.bet_sizes is not None:
        found = _of_game(found, public.street, public.variant.bet_sizes)
    is_deep = min(public.stacks) > _DEEP * (public.pot + public.to_call)
    return found if is_deep else found.with_all_in()


def _of_game(plan: Plan, street: int, sizes: BetSizes) -> Plan:
    """The plan with the sizes of the game where those are as few."""
    return replace(plan, now=_fewer(plan.now, sizes, street), later=_fewer(plan.later, sizes, street + 1))


def _fewer(planned: str, sizes: BetSizes, street: int) -> str:
    parts = zip(parse_bet_sizes(planned).on(0), sizes.on(street), strict=True)  # bets, raises
    return "; ".join(" ".join(map(str, plan if len(own) > len(plan) else own)) for plan, own in parts)


def root_of(public: PublicState) -> PublicState:
    """The state to look ahead from: the same, with fewer raises to come where they may be small."""
    variant = public.variant
    parts = variant.bet_sizes.streets if variant.bet_sizes is not None else ()
    if not any(size.unit in (Unit.CHIPS, Unit.BLINDS) for part in parts for sizes in part for size in sizes):
        return public
    streets = tuple(
        replace(street, raise_cap=_capped(street.raise_cap, (public.raise_count if i == public.street else 0)))
        for i, street in enumerate(variant.streets)
    )
    fewer = replace(variant, streets=streets)
    return PublicState(fewer, rules_array(fewer, public.player_count), public.flat, public.board)


def _capped(cap: int, raise_count: int) -> int:
    most = raise_count + _RAISES
    return min(cap, most) if cap else most
