"""Self-play of blueprints: nodes per second with one thread and two, and Leduc iterations beside open_spiel's."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.timing import Row, in_turn, per_second
from riverboat.blueprint.deals import deal_tables
from riverboat.blueprint.game import AbstractGame, small_game
from riverboat.blueprint.groups import fit_groups, group_tables
from riverboat.blueprint.sampling import Sampling, SelfPlayRecipe
from riverboat.blueprint.self_play import SelfPlay
from riverboat.rules.bet_sizes import parse_bet_sizes

_ITERATIONS = 2_000  # boards in an epoch on Leduc, each of which is an iteration; open_spiel runs fewer
_PEER_ITERATIONS = 20
_BOARDS = 200  # in an epoch with 24 cards
_EPOCHS = 5
_GIGABYTE = 1e9


def rows() -> Iterator[Row]:
    """Yield the rows about self-play: speed and memory with 24 cards, and Leduc beside open_spiel."""
    game = AbstractGame(
        deck="24", stack=10_000, sizes=parse_bet_sizes("; 1p all-in / 0.5p 1p all-in; 1p all-in"), raise_cap=3,
        group_counts=(30, 30, 30),
    )  # fmt: skip
    play = _self_play(game, Sampling.ACTIONS, _BOARDS)
    with ThreadPoolExecutor(2) as executor:
        for threads in (1, 2):
            play.play_epoch(np.random.default_rng(0), executor, threads)
            visited_before, start = play.visited, time.perf_counter()
            for epoch in range(_EPOCHS):
                play.play_epoch(np.random.default_rng(epoch), executor, threads)
            rate = (play.visited - visited_before) / (time.perf_counter() - start)
            speed = f"{rate:,.0f} nodes/s, each with all holdings"
            yield Row(f"self-play: 24 cards, {threads} thread{'s' * (threads > 1)}", speed)
    memory = 2 * play.memory.regrets.nbytes
    size = f"{memory / 1e6:.1f} MB, {len(game.tree.kind) / memory * _GIGABYTE:,.0f} nodes/GB"
    yield Row("self-play: memory of 24 cards", size)
    yield _against_open_spiel()


def _self_play(game: AbstractGame, sampling: Sampling, boards: int) -> SelfPlay:
    groups = group_tables(fit_groups(game, np.random.default_rng(0)))
    settings = SelfPlayRecipe(sampling=sampling, boards=boards)
    return SelfPlay(game, deal_tables(game.variant.deck, groups), settings)


def _against_open_spiel() -> Row:
    """Compare external sampling on Leduc: an iteration improves both players once."""
    import pyspiel
    from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver

    play = _self_play(small_game("leduc"), Sampling.HOLDINGS, _ITERATIONS)
    peer = ExternalSamplingSolver(pyspiel.load_game("leduc_poker"))
    play.play_epoch(np.random.default_rng(0))

    def run_peer() -> None:
        for _ in range(_PEER_ITERATIONS):
            peer.iteration()

    our_seconds, peer_seconds = in_turn(lambda: play.play_epoch(np.random.default_rng(1)), run_peer, rounds=11)
    ours, theirs = our_seconds / _ITERATIONS, peer_seconds / _PEER_ITERATIONS  # seconds per iteration
    return Row(
        "self-play: external sampling on Leduc, iterations", per_second(1, ours), per_second(1, theirs),
        f"{theirs / ours:.0f}", "100", theirs / ours >= 100,
    )  # fmt: skip


if __name__ == "__main__":
    for row in rows():
        print(f"{row.work:50} {row.ours:45} {row.peer} {row.ratio}")
