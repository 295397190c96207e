"""Plans for decisions: which bets the tree has, and how many iterations to run.

The last two streets are solved to the end of the hand, and so is the flop of a small deck if the caller allows it;
earlier streets are solved to the next deal. The plans keep most decisions within a second or two on two cores, the flop
of a small deck within a few seconds.

Where the game allows only some bet sizes, the tree has those if there are no more of them than the plan has. Otherwise
it has the plan's sizes, and each becomes the nearest legal one.
"""

from dataclasses import dataclass, replace
from math import log

from riverboat.rules.bet_sizes import BetSize, BetSizes, Unit, parse_bet_sizes
from riverboat.rules.sized_raises import restricted_actions
from riverboat.rules.state import PublicState
from riverboat.rules.variant import rules_array
from riverboat.solving.loop import Limits
from riverboat.streets import is_cut

_SMALL_DECK = 24  # cards in a deck, up to which trees may be large
_RAISES = 3  # per street of a tree where raises may be small: otherwise the tree goes on until stacks are gone
_ALIKE = 1.6  # times another size: a bet that was really made replaces such a size in a tree
_DEEP = 5.0  # stacks in pots, above which a tree has no all-in bet


@dataclass(frozen=True, slots=True)
class DecisionPlan:
    """Bet sizes of the tree for a decision, and how many iterations to run."""

    now: str  # bet sizes on the street of the state, as in riverboat/rules/bet_sizes.py
    later: str  # on streets after it
    iterations: int
    algorithm: str = ""  # by the name that a resolver knows; empty for its default
    has_network: bool = False  # whether a network lies below the cut
    is_whole: bool = False  # whether the tree goes to the end of the hand where a resolver would cut it
    last: str = ""  # bet sizes two streets after the state's, if they differ from `later`

    def bet_sizes(self, street: int) -> str:
        """Return the sizes of all streets, for a state on this one."""
        return " / ".join([*[""] * street, self.now, self.later, *([self.last] if self.last else [])])

    def limits(self, wish: Limits | None) -> Limits:
        """Return when to stop: after the plan's iterations, or as the caller wishes.

        With a network below the cut, more iterations than the plan's would only fit the network's errors.
        """
        if wish is None:
            return Limits(self.iterations)
        most = wish.iterations if not self.has_network else min(self.iterations, wish.iterations or self.iterations)
        return Limits(most, seconds=wish.seconds)

    def depth(self, public: PublicState) -> tuple[int, int] | None:
        """Return the street and level of the cut to ask for; None for the resolver's choice."""
        return (len(public.variant.streets), 0) if self.is_whole else None

    def with_all_in(self) -> "DecisionPlan":
        """Return the same plan with all-in among its sizes."""
        now, later = _with(self.now, "all-in"), _with(self.later, "all-in")
        return replace(self, now=now, later=later, last=_with(self.last, "all-in") if self.last else "")

    def with_raise(self, public: PublicState, to: int) -> "DecisionPlan":
        """Return the same plan with a raise that was made in a state of its street, if it lacks that raise."""
        if to in self.actions(public):
            return self
        fitting = (self._with_share(public, to, share=True), self._with_share(public, to, share=False))
        return next(plan for plan in fitting if to in plan.actions(public))

    def _with_share(self, public: PublicState, to: int, share: bool) -> "DecisionPlan":
        """Return the plan with a raise as a share of the pot, which keeps later raises few, or in chips."""
        adds, pot = to - public.bet, public.pot + public.to_call
        size = BetSize(Unit.POT, adds / pot) if share else BetSize(Unit.CHIPS, adds)
        bets, raises = parse_bet_sizes(self.now).on(0)
        if public.bet:
            raises = _with_size(raises, size)
        else:
            bets = _with_size(bets, size)
        return replace(self, now=f"{' '.join(map(str, bets))}; {' '.join(map(str, raises))}")

    def actions(self, public: PublicState) -> tuple[int, ...]:
        """Return the actions that the tree has in a state of the street."""
        return tuple(restricted_actions(public, parse_bet_sizes(self.bet_sizes(public.street))))

    def harder(self, times: int) -> "DecisionPlan":
        """Return the same plan with this many times the iterations."""
        return replace(self, iterations=times * self.iterations)


def _with(sizes: str, size: str) -> str:
    """Return sizes with one more for bets and for raises."""
    return ";".join(f"{part.strip()} {size}" for part in sizes.split(";"))


def _with_size(sizes: tuple[BetSize, ...], size: BetSize) -> tuple[BetSize, ...]:
    """Return sizes with one more: instead of the share of the pot nearest to it if they are alike."""
    alike = {other: abs(log(other.value / size.value)) for other in sizes if other.unit is size.unit is Unit.POT}
    nearest = min(alike, key=alike.__getitem__, default=None)
    if nearest is None or alike[nearest] > log(_ALIKE):
        return (*sizes, size)
    return tuple(size if other == nearest else other for other in sizes)


_WIDE, _NARROW, _BETS = "0.5p 1p; 1p", "1p; 1p", "1p;"
_RISING = "rising"
# By how many streets follow; the last is for more.
_FEW_CARDS = (
    DecisionPlan(_WIDE, "", 200, _RISING),
    DecisionPlan(_NARROW, _NARROW, 100, _RISING),
    DecisionPlan(_WIDE, "", 200),
    DecisionPlan(_WIDE, "", 300),
)
# Without raises on the river the tree is smaller and converges sooner: the flop's strategies come out better for it. A
# street is solved once, as long as the opponent's bets are in the tree, so that there is time for a good solution.
_WHOLE_FLOP = DecisionPlan(_NARROW, _NARROW, 80, _RISING, is_whole=True, last=_BETS)
_MANY_CARDS = (
    DecisionPlan(_WIDE, "", 300, _RISING),
    DecisionPlan(_NARROW, _NARROW, 50, _RISING),
    DecisionPlan(_WIDE, "", 100),
    DecisionPlan(_WIDE, "", 300),
)


# With a network below the cut few iterations are enough: more would exploit its errors; a wide average does so less.
_STEADY = "steady"
_WITH_NETWORK = DecisionPlan(_NARROW, "", 80, _STEADY, has_network=True)
# A network for the average over all flops takes one evaluation, so the tree may be wider.
_FIRST_STREET = DecisionPlan(_WIDE, "", 80, _STEADY, has_network=True)


def plan_of(public: PublicState, has_network: bool = False, may_be_exact: bool = False) -> DecisionPlan:
    """Return the plan for a state, with or without a network for what follows the next deal."""
    is_small = len(public.variant.deck.cards) <= _SMALL_DECK
    plans = _FEW_CARDS if is_small else _MANY_CARDS
    plan = plans[min(public.streets_left, len(plans) - 1)]
    if may_be_exact and is_small and is_cut(public.streets_left) and public.board:
        plan = _WHOLE_FLOP
    elif has_network and is_cut(public.streets_left):
        plan = _WITH_NETWORK if public.board else _FIRST_STREET
    if public.variant.bet_sizes is not None:
        plan = _of_game(plan, public.street, public.variant.bet_sizes)
    is_deep = min(public.stacks) > _DEEP * (public.pot + public.to_call)
    return plan if is_deep else plan.with_all_in()


def _of_game(plan: DecisionPlan, street: int, sizes: BetSizes) -> DecisionPlan:
    """Return the plan with the game's sizes where the game has no more sizes than the plan."""
    last = _fewer(plan.last, sizes, street + 2) if plan.last else ""
    return replace(plan, now=_fewer(plan.now, sizes, street), later=_fewer(plan.later, sizes, street + 1), last=last)


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
