"""Yardsticks: situations on boards that no network is trained on, solved more carefully than samples are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from riverboat.cards import Deck
from riverboat.holdings import live_holdings
from riverboat.nets.features import BINS
from riverboat.nets.yardstick import (
    F16,
    Yardstick,
    YardstickAbout,
    YardstickScore,
    deviations,
    mean_score,
    ranges_of,
    shares_of,
)
from riverboat.preflop import all_in_utility
from riverboat.situations.flops import FlopAverage
from riverboat.situations.labels import BET_SIZES, Care, Label, LeafMaker, label
from riverboat.situations.sampler import sample
from riverboat.situations.situation import TOTAL, Situation, find_deck
from riverboat.situations.split import held_out
from riverboat.solving.subgame import F32
from riverboat.streets import FLOP, PREFLOP, STREET_NUMBERS
from riverboat.strength.profiles import strength_profile
from riverboat.utility import runout_utility

_SAMPLED_AT_A_TIME = 40
_CARE = Care(target=0.001, iterations=1000, target_above_cut=0.002, iterations_above_cut=300)
_SMALL_DECK = "24"  # the only one whose flops can be solved to the end of the hand
_CARE_ON_FLOPS = Care(target=0.004, iterations=300)  # a situation takes one core 15 s


@dataclass(frozen=True, slots=True)
class YardstickPlan:
    """A yardstick to be made."""

    deck: str
    street: str
    count: int
    seed: int

    @property
    def care(self) -> Care:
        """How carefully its situations are solved."""
        return _CARE_ON_FLOPS if self.street == FLOP and self.deck == _SMALL_DECK else _CARE


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The source of labels that do not come from solving to the end of the hand."""

    name: str
    leaf_values: LeafMaker


def sample_held_out(deck: Deck, street: int, count: int, rng: np.random.Generator) -> list[Situation]:
    """Sample situations of all kinds, on boards that no network for this street is trained on."""
    chosen: list[Situation] = []
    while len(chosen) < count:
        every = list(sample(deck, street, _SAMPLED_AT_A_TIME, rng))
        boards = np.array([situation.board for situation in every], np.uint8).reshape(len(every), -1)
        kept = np.flatnonzero(held_out(boards, np.array([situation.weights for situation in every])))
        chosen += [every[kept[i]] for i in rng.permutation(len(kept))]
    return chosen[:count]


def make_yardstick(
    plan: YardstickPlan,
    rng: np.random.Generator,
    code: str,
    source: Source | None = None,
    tell: Callable[[int], None] | None = None,
) -> Yardstick:
    """Return a yardstick of sampled and solved situations; call `tell` after each with the number done.

    Labels are exact, or use the network of `source`: before the flop they are its average over all flops.
    """
    deck = find_deck(plan.deck)
    sampled = sample_held_out(deck, STREET_NUMBERS[plan.street], plan.count, rng)
    shares = shares_of(np.array([situation.weights for situation in sampled]))
    # Labels are for the rounded ranges that the yardstick stores, not for the sampled ones.
    situations = [replace(one, weights=ranges) for one, ranges in zip(sampled, ranges_of(shares), strict=True)]
    labels = _labels(situations, plan.care, source, tell)
    about = YardstickAbout(
        deck=plan.deck,
        street=plan.street,
        seed=plan.seed,
        code=code,
        labels=source.name if source else "exact",
        bet_sizes="" if source and plan.street == PREFLOP else BET_SIZES,
        exploitability=round(float(np.mean([one.exploitability for one in labels])), 6),
        total_chips=TOTAL,
        equity=_equity_score(situations, labels),
    )
    return _collected(about, situations, shares, labels)


def _labels(
    situations: Sequence[Situation], care: Care, source: Source | None, tell: Callable[[int], None] | None
) -> list[Label]:
    if source is not None and not situations[0].board:
        return FlopAverage(situations[0].deck, source.leaf_values).labels(situations)
    labels = []
    for done, situation in enumerate(situations, 1):
        labels.append(label(situation, care, source.leaf_values if source else None))
        if tell is not None:
            tell(done)
    return labels


def _equity_score(situations: Sequence[Situation], labels: Sequence[Label]) -> YardstickScore:
    parts = [
        deviations(equity_values(situation)[None], known.values[None], situation.weights[None])
        for situation, known in zip(situations, labels, strict=True)
    ]
    return mean_score(np.concatenate(parts))


def equity_values(situation: Situation) -> F32:
    """Return the values of both players' holdings without further bets, in pots [2, H]."""
    deck, board, weights = situation.deck, situation.board, situation.weights
    live = np.flatnonzero(live_holdings(deck, board)).astype(np.int32)
    utility = all_in_utility(deck) if not board else runout_utility(deck, board, live, live)
    values = np.zeros_like(weights)
    values[:, live] = weights[::-1, live] @ np.nan_to_num(utility).T / 2
    return values


def _collected(
    about: YardstickAbout, situations: Sequence[Situation], shares: F16, labels: Sequence[Label]
) -> Yardstick:
    deck = situations[0].deck
    boards = list(dict.fromkeys(situation.board for situation in situations))
    profiles = [strength_profile(deck, board, BINS) for board in boards]
    return Yardstick(
        about=about,
        boards=np.array(boards, np.uint8).reshape(len(boards), -1),
        board_of=np.array([boards.index(situation.board) for situation in situations], np.uint16),
        pots=np.array([situation.pot for situation in situations], np.int32),
        shares=shares,
        values=np.array([one.values for one in labels], np.float16),
        profiles=np.array([profile for profile, _ in profiles], np.float16),
        means=np.array([mean for _, mean in profiles], np.float32),
    )
