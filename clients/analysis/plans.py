"""Plans for decisions: which bets the tree has, and how many iterations to run.

The last two streets are solved to the end of the hand, earlier ones to the next deal. The plans keep a decision within
about a second on two cores.

Where the game allows only some bet sizes, the tree has those if there are no more of them than the plan has. Otherwise
it has the plan's sizes, and each becomes the nearest legal one.
"""

from dataclasses import dataclass, replace

from riverboat.rules.bet_sizes import BetSizes, Unit, parse_bet_sizes
from riverboat.rules.state import PublicState
from riverboat.rules.variant import rules_array
from riverboat.streets import is_cut

_SMALL_DECK = 24  # cards in a deck, up to which trees may be large
_RAISES = 3  # per street of a tree where raises may be small: otherwise the tree goes on until stacks are gone
_DEEP = 5.0  # stacks in pots, above which a tree has no all-in bet


@dataclass(frozen=True, slots=True)
class DecisionPlan:
    """Bet sizes of the tree for a decision, and how many iterations to run."""

    now: str  # bet sizes on the street of the state, as in riverboat/rules/bet_sizes.py
    later: str  # on streets after it
    iterations: int
    algorithm: str = ""  # by the name that a resolver knows; empty for its default

    def bet_sizes(self, street: int) -> str:
        """Return the sizes of all streets, for a state on this one."""
        return " / ".join([*[""] * street, self.now, self.later])

    def with_all_in(self) -> "DecisionPlan":
        """Return the same plan with all-in among its sizes."""
        return replace(self, now=_with(self.now, "all-in"), later=_with(self.later, "all-in"))

    def with_raise(self, public: PublicState, to: int) -> "DecisionPlan":
        """Return the same plan with one more raise on the street of a state, where somebody made it."""
        return replace(self, now=_with(self.now, str(to - public.bet)))

    def harder(self, times: int) -> "DecisionPlan":
        """Return the same plan with this many times the iterations."""
        return replace(self, iterations=times * self.iterations)


def _with(sizes: str, size: str) -> str:
    """Return sizes with one more for bets and for raises."""
    return ";".join(f"{part.strip()} {size}" for part in sizes.split(";"))


_WIDE, _NARROW = "0.5p 1p; 1p", "1p; 1p"
# By how many streets follow; the last is for more.
_FEW_CARDS = (
    DecisionPlan(_WIDE, "", 200),
    DecisionPlan(_NARROW, _NARROW, 100),
    DecisionPlan(_WIDE, "", 200),
    DecisionPlan(_WIDE, "", 300),
)
_MANY_CARDS = (
    DecisionPlan(_WIDE, "", 300),
    DecisionPlan(_NARROW, _NARROW, 50),
    DecisionPlan(_WIDE, "", 100),
    DecisionPlan(_WIDE, "", 300),
)


# With a network below the cut some iterations are enough: more would exploit its errors, a wide average does so less.
_STEADY = "steady"
_WITH_NETWORK = DecisionPlan(_NARROW, "", 80, _STEADY)
_FIRST_STREET = DecisionPlan(_WIDE, "", 80, _STEADY)  # a network for the average over all flops takes one evaluation


def plan_of(public: PublicState, has_network: bool = False) -> DecisionPlan:
    """Return how to look ahead from a state, with or without a network for what follows the next deal."""
    plans = _FEW_CARDS if len(public.variant.deck.cards) <= _SMALL_DECK else _MANY_CARDS
    plan = plans[min(public.streets_left, len(plans) - 1)]
    if has_network and is_cut(public.streets_left):
        plan = _WITH_NETWORK if public.board else _FIRST_STREET
    if public.variant.bet_sizes is not None:
        plan = _of_game(plan, public.street, public.variant.bet_sizes)
    is_deep = min(public.stacks) > _DEEP * (public.pot + public.to_call)
    return plan if is_deep else plan.with_all_in()


def _of_game(plan: DecisionPlan, street: int, sizes: BetSizes) -> DecisionPlan:
    """Return the plan with the game's sizes where there are no more of them."""
    return replace(plan, now=_fewer(plan.now, sizes, street), later=_fewer(plan.later, sizes, street + 1))


def _fewer(planned: str, sizes: BetSizes, street: int) -> str:
    parts = zip(parse_bet_sizes(planned).on(0), sizes.on(street), strict=True)  # bets, raises
    return "; ".join(" ".join(map(str, plan if len(own) > len(plan) else own)) for plan, own in parts)


def root_of(public: PublicState) -> PublicState:
    """Return the state to look ahead from, with fewer raises to come where they may be small."""
    variant = public.variant
    parts = variant.bet_sizes.streets if variant.bet_sizes is not None else ()
    if not any(size.unit in (Unit.CHIPS, Unit.BLINDS) for part in parts for sizes in part for size in sizes):
        return public
    capped = tuple(
        replace(street, raise_cap=_capped(street.raise_cap, (public.raise_count if i == public.street else 0)))
        for i, street in enumerate(variant.streets)
    )
    fewer = replace(variant, streets=capped)
    return PublicState(fewer, rules_array(fewer, public.player_count), public.flat, public.board)


def _capped(cap: int, raise_count: int) -> int:
    most = raise_count + _RAISES
    return min(cap, most) if cap else most
