"""Simulated tournaments per second, beside the bare compiled hand loop and a loop driven through pokerkit.

The same 45 players enter everywhere: eleven of each static kind and one more that folds; or 45 nets with random
genomes. The pokerkit loop plays one table of nine to the winner, with the same players, blinds and levels.
"""

import random
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.rules import COMPILED_HANDS, compiled_hands
from benchmarks.timing import Row, in_turn, per_second
from riverboat.equity.effective_strength import no_tables, strength_tables
from riverboat.parallel import on_threads, serial
from riverboat.policies.evolved_nets import PLAIN, WITH_MODELS, Net, NetShape
from riverboat.tournaments.field import STATIC_POLICIES, Field, Policy, PolicyKind, field_of
from riverboat.tournaments.series import SeriesResult, added, loop_rules, play_tournaments, series_plans
from riverboat.tournaments.structures import MTT_45, SNG_9

_TOURNAMENTS = 200
_BAR = 0.5  # of the bare loop's hands a second
_SEATS = 9


def rows() -> Iterator[Row]:
    """Yield the rows about tournaments."""
    warnings.simplefilter("ignore")
    static = _static_field()
    hands = _play(static, 1)().hand_count
    bare, one, two, peer = in_turn(compiled_hands(_SEATS), _play(static, 1), _play(static, 2), _pokerkit, rounds=3)
    rate = hands / one
    ratio = rate / (COMPILED_HANDS / bare)
    bare_rate = f"bare hand loop {per_second(COMPILED_HANDS, bare)}"
    yield Row("hands in tournaments, static players", per_second(1, 1 / rate), bare_rate, f"{ratio:.2f}×", f"{_BAR}×",
              ratio >= _BAR)  # fmt: skip
    yield Row("tournaments of 45, static players", per_second(_TOURNAMENTS, one))
    yield Row("the same on two threads", per_second(_TOURNAMENTS, two), "one thread", f"{one / two:.2f}×")
    yield Row("tournaments of 9, static players", per_second(_TOURNAMENTS, _sit_and_gos()),
              f"pokerkit {per_second(1, peer)}", f"{peer * _TOURNAMENTS / _sit_and_gos():.3g}×")  # fmt: skip
    for words, shape in (("16-12-3", PLAIN), ("40-22-3", WITH_MODELS)):
        field = _net_field(shape)
        hands = _play(field, 1)().hand_count
        one, two = in_turn(_play(field, 1), _play(field, 2), rounds=3)
        yield Row(f"tournaments of 45 nets {words}", per_second(_TOURNAMENTS, one),
                  f"{per_second(hands, one)} hands", "")  # fmt: skip
        yield Row("the same on two threads", per_second(_TOURNAMENTS, two), "one thread", f"{one / two:.2f}×")


def _static_field() -> Field:
    kinds: list[Policy] = [kind for kind in STATIC_POLICIES.values() for _ in range(11)]
    return field_of([*kinds, PolicyKind.ALWAYS_FOLD])


def _net_field(shape: NetShape) -> Field:
    rng = np.random.default_rng(0)
    return field_of([Net(shape, rng.standard_normal(shape.genome_length)) for _ in range(MTT_45.entrant_count)])


def _play(field: Field, threads: int) -> Callable[[], SeriesResult]:
    rules, plans = loop_rules(MTT_45), series_plans(0, _TOURNAMENTS)
    tables = strength_tables() if field.net_count else no_tables()

    def tournaments() -> SeriesResult:
        if threads == 1:
            return added(play_tournaments(rules, field, tables, plans, serial))
        with ThreadPoolExecutor(threads) as pool:
            return added(play_tournaments(rules, field, tables, plans, on_threads(pool, 2 * threads)))

    return tournaments


def _sit_and_gos() -> float:
    """Return the seconds that as many tournaments at one table take."""
    kinds = [*STATIC_POLICIES.values()]
    rules, field = loop_rules(SNG_9), field_of([kinds[i % 4] for i in range(_SEATS)])
    plans = series_plans(0, _TOURNAMENTS)
    (taken,) = in_turn(lambda: added(play_tournaments(rules, field, no_tables(), plans)), rounds=3)
    return taken


def _pokerkit() -> object:
    """Play one tournament at one table through pokerkit."""
    import pokerkit

    rng = random.Random(0)  # noqa: S311
    kinds = [*STATIC_POLICIES.values()]
    players = [(SNG_9.starting_chips, kinds[i % 4]) for i in range(_SEATS)]
    hand = 0
    while len(players) > 1:
        level = SNG_9.level_at(SNG_9.level_number(hand_count=hand))
        state = pokerkit.NoLimitTexasHoldem.create_state(
            tuple(pokerkit.Automation), True, level.ante, (level.small_blind, level.big_blind), level.big_blind,
            tuple(chips for chips, _ in players), len(players),
        )  # fmt: skip
        while state.status:
            _act(state, players[state.actor_index or 0][1], rng)
        left = [(chips, kind) for chips, (_, kind) in zip(state.stacks, players, strict=True) if chips > 0]
        players = [*left[1:], left[0]]  # the button moves
        hand += 1
    return players


def _act(state: "pokerkit.State", kind: PolicyKind, rng: random.Random) -> None:  # type: ignore[name-defined]  # noqa: F821
    low, high = (
        state.min_completion_betting_or_raising_to_amount,
        state.max_completion_betting_or_raising_to_amount,
    )
    chance = rng.random()
    folds = kind is PolicyKind.ALWAYS_FOLD or (kind is PolicyKind.RANDOM and chance < 0.25)
    raises = kind is PolicyKind.ALWAYS_RAISE or (kind is PolicyKind.RANDOM and 0.25 <= chance < 0.55)
    if folds and state.checking_or_calling_amount:
        state.fold()
    elif raises and low:
        pot = (state.total_pot_amount or 0) + (state.checking_or_calling_amount or 0)
        state.complete_bet_or_raise_to(max(low, min(high or low, pot)))
    else:
        state.check_or_call()
