"""Self-play at push or fold: every walk deals all cards, and each player learns what pushing wins beyond folding.

Each player acts once, so a walk needs no tree. Players before and after the one who learns act by their current
strategies (external sampling); regrets are matched, and the average strategy weights later walks more (linearly).
Equal stacks make one pot of every showdown, so any number of callers is played exactly as dealt.
"""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.compiled.kernels import kernel
from riverboat.equity.sampler import next_unit
from riverboat.pushfold.game import (
    CLASS_COUNT,
    F64,
    I64,
    PushFoldError,
    PushFoldGame,
    PushFoldStrategy,
    class_table,
)
from riverboat.strength.single_hand import strength_of_seven

U64 = NDArray[np.uint64]
_DECK, _BOARD = 52, 5
_BATCH = 100_000  # deals between two progress reports
_SHARE_OF_MEASURING = 0.25  # as many deals again measure the error, in two halves


class DealtGame(NamedTuple):
    """The game as kernels take it."""

    posted: F64  # [P]
    stack: float
    classes: I64  # [52, 52]


class PushSums(NamedTuple):
    """What self-play has learnt [decisions, 169]."""

    push_regret: F64
    fold_regret: F64
    push_sum: F64
    all_sum: F64


class GainSums(NamedTuple):
    """Sums of what pushing wins beyond folding, by decision and class, and how often the decision came [.., 169]."""

    gain: F64
    hands: F64


def solve(
    game: PushFoldGame, deal_count: int, rng: np.random.Generator
) -> Generator[float, None, tuple[PushFoldStrategy, PushFoldError]]:
    """Play against itself over this many deals; yield how much is done, and return the strategy with its error."""
    table = DealtGame(game.posted, game.stack, class_table())
    size = (2**game.player_count - 1, CLASS_COUNT)
    learnt = PushSums(*(np.zeros(size) for _ in range(4)))
    random = np.array([rng.integers(2**63)], np.uint64)
    measuring = int(deal_count * _SHARE_OF_MEASURING)
    for begin in range(0, deal_count, _BATCH):
        _learn(table, learnt, begin, min(_BATCH, deal_count - begin), random)
        yield begin / (deal_count + 2 * measuring)
    push = np.where(learnt.all_sum > 0, learnt.push_sum / np.maximum(learnt.all_sum, 1e-300), 0.0)
    halves = []
    for half in (0, 1):
        measured = GainSums(np.zeros(size), np.zeros(size))
        for begin in range(0, measuring, _BATCH):
            _measure(table, push, measured, min(_BATCH, measuring - begin), random)
            yield (deal_count + half * measuring + begin) / (deal_count + 2 * measuring)
        halves.append(measured)
    return PushFoldStrategy(game, push, deal_count), _error(game, push, halves, max(1, measuring))


def _error(game: PushFoldGame, push: F64, halves: list[GainSums], deal_count: int) -> PushFoldError:
    """Return what best responses gain: one half of the deals chooses the response, the other says what it wins."""
    gains = np.zeros((2, game.player_count))
    for n, (chosen, judged) in enumerate(((halves[0], halves[1]), (halves[1], halves[0]))):
        best = chosen.gain > 0
        for position in range(game.player_count):
            own = slice(2**position - 1, 2 ** (position + 1) - 1)
            gains[n, position] = ((best[own] - push[own]) * judged.gain[own]).sum() / deal_count
    errors = abs(gains[0] - gains[1]) / 2
    return PushFoldError(tuple(np.maximum(0, gains.mean(axis=0)).tolist()), tuple(errors.tolist()))


@kernel
def _deal(count: int, deck: I64, random: U64) -> None:
    """Shuffle the first `count` cards of a deck."""
    for i in range(count):
        j = i + int(next_unit(random) * (_DECK - i))
        deck[i], deck[j] = deck[j], deck[i]


@kernel
def _prepare(table: DealtGame, deck: I64, random: U64, classes: I64, strengths: I64) -> None:
    """Deal a hand: the class and the strength of each player."""
    players = len(table.posted)
    _deal(2 * players + _BOARD, deck, random)
    first = 2 * players
    for p in range(players):
        a, b = deck[2 * p], deck[2 * p + 1]
        classes[p] = table.classes[a, b]
        strengths[p] = strength_of_seven(
            a, b, deck[first], deck[first + 1], deck[first + 2], deck[first + 3], deck[first + 4]
        )


@kernel
def _value_of_push(
    table: DealtGame, push: F64, classes: I64, strengths: I64, player: int, mask: int, random: U64
) -> float:
    """Return what a player wins by pushing after the players in `mask` did: those behind act by their strategy."""
    players = len(table.posted)
    pushed = mask | (1 << player)
    for p in range(player + 1, players):
        if next_unit(random) < push[(1 << p) - 1 + pushed, classes[p]]:
            pushed |= 1 << p
    pot, best, winners = 0.0, -1, 0
    for p in range(players):
        if pushed >> p & 1:
            pot += table.stack
            if strengths[p] > best:
                best, winners = strengths[p], 1
            elif strengths[p] == best:
                winners += 1
        else:
            pot += table.posted[p]
    return pot / winners - table.stack if strengths[player] == best else -table.stack


@kernel
def _current(learnt: PushSums, decision: int, label: int) -> float:
    """Return how often a class pushes now: regret matching."""
    push, fold = max(learnt.push_regret[decision, label], 0.0), max(learnt.fold_regret[decision, label], 0.0)
    return push / (push + fold) if push + fold > 0 else 0.5


@kernel
def _learn(table: DealtGame, learnt: PushSums, begin: int, count: int, random: U64) -> None:
    players = len(table.posted)
    deck = np.arange(_DECK)
    classes, strengths = np.zeros(players, np.int64), np.zeros(players, np.int64)
    now = np.zeros_like(learnt.push_regret)
    for decision in range(len(now)):
        for label in range(CLASS_COUNT):
            now[decision, label] = _current(learnt, decision, label)
    for n in range(count):
        weight = 1.0 + (begin + n) * 1e-5
        _prepare(table, deck, random, classes, strengths)
        mask = 0
        for player in range(players):
            decision, label = (1 << player) - 1 + mask, classes[player]
            if mask == 0 and player == players - 1:
                break  # everybody has folded to the big blind
            chance = now[decision, label]
            gain = _value_of_push(table, now, classes, strengths, player, mask, random) + table.posted[player]
            learnt.push_regret[decision, label] += weight * (1 - chance) * gain
            learnt.fold_regret[decision, label] -= weight * chance * gain
            now[decision, label] = _current(learnt, decision, label)
            learnt.push_sum[decision, label] += weight * chance
            learnt.all_sum[decision, label] += weight
            if next_unit(random) < chance:
                mask |= 1 << player


@kernel
def _measure(table: DealtGame, push: F64, measured: GainSums, count: int, random: U64) -> None:
    players = len(table.posted)
    deck = np.arange(_DECK)
    classes, strengths = np.zeros(players, np.int64), np.zeros(players, np.int64)
    for _ in range(count):
        _prepare(table, deck, random, classes, strengths)
        mask = 0
        for player in range(players):
            decision, label = (1 << player) - 1 + mask, classes[player]
            if mask == 0 and player == players - 1:
                break
            gain = _value_of_push(table, push, classes, strengths, player, mask, random) + table.posted[player]
            measured.gain[decision, label] += gain
            measured.hands[decision, label] += 1
            if next_unit(random) < push[decision, label]:
                mask |= 1 << player
