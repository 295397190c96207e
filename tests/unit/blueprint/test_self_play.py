"""Self-play: known values of small games, a slow twin, unbiased sampling, and the same bytes for the same seed."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from riverboat.blueprint.checkpoint import SavedPlay, read_checkpoint, write_checkpoint
from riverboat.blueprint.response import exploitability, worth
from riverboat.blueprint.sampling import Sampling, SelfPlayRecipe
from riverboat.blueprint.self_play import PlayRules, SelfPlay, opponent_share, play_boards
from riverboat.blueprint.traversal import room_size
from riverboat.errors import InvalidInput
from tests.reference.self_play import SlowWalk
from tests.unit.blueprint.games import game_of, grouping_of, play_epochs, self_play, tables_of_game

KUHN_VALUE, LEDUC_VALUE = -1 / 18, -0.0856
EVERY = list(Sampling)


def played(name: str, sampling: Sampling, boards: int, epochs: int, seed: int = 0) -> SelfPlay:
    play = self_play(name, sampling, boards)
    play_epochs(play, epochs, seed)
    return play


@pytest.mark.parametrize("sampling", EVERY)
def test_kuhn_comes_to_its_value(sampling: Sampling) -> None:
    play = played("kuhn", sampling, 3_000 if sampling is Sampling.HOLDINGS else 300, 60)
    game, tables, rng = game_of("kuhn"), tables_of_game("kuhn"), np.random.default_rng(0)
    assert exploitability(game, tables, play.memory.sums, rng) < 0.02
    assert worth(game, tables, play.memory.sums, 0, rng) == pytest.approx(KUHN_VALUE, abs=0.01)


@pytest.mark.parametrize("sampling", EVERY)
def test_leduc_comes_to_its_value(sampling: Sampling) -> None:
    boards = {Sampling.NOTHING: 200, Sampling.ACTIONS: 600, Sampling.HOLDINGS: 6_000}[sampling]
    play = played("leduc", sampling, boards, 80)
    game, tables, rng = game_of("leduc"), tables_of_game("leduc"), np.random.default_rng(0)
    assert exploitability(game, tables, play.memory.sums, rng) < 0.15
    assert worth(game, tables, play.memory.sums, 0, rng) == pytest.approx(LEDUC_VALUE, abs=0.03)


def one_walk(name: str, board: tuple[int, ...], regrets: np.ndarray, sampling: Sampling, seed: int) -> SelfPlay:
    """Improve both players once on a board, from given regrets."""
    game = game_of(name)
    play = self_play(name, sampling)
    play.memory.regrets[:] = regrets
    rules = PlayRules(sampling=int(sampling), repeats=1, prune_below=-np.inf, share=opponent_share(game.variant.deck))
    boards = np.array([board], np.uint8)
    play_boards(game.tree, play.memory, tables_of_game(name), boards, rules, room_size(game), np.uint64(seed))
    return play


def test_a_walk_adds_what_the_slow_twin_adds() -> None:
    """Player 0 improves first; its regrets are compared, and the sums of player 1, which that walk adds."""
    game, grouping = game_of("leduc"), grouping_of("leduc")
    rng, deck = np.random.default_rng(7), game.variant.deck
    regrets = rng.normal(size=game.entry_count).astype(np.float32)
    board = (deck.cards[3],)
    play = one_walk("leduc", board, regrets, Sampling.NOTHING, 0)
    cards = np.array([[card] for card in deck.cards], np.uint8)
    slow = SlowWalk(game, board, lambda street, b, h: int(grouping.on_board(b[:street])[h]), regrets.astype(np.float64))
    share = opponent_share(deck)
    reach = {h: share for h in range(len(cards)) if deck.cards[h] not in board}
    for mine in reach:
        slow.value(0, 0, mine, reach, cards)
    slow.add_sums(0, 0, reach)
    tree = game.tree
    for node in np.flatnonzero(tree.kind == 0).tolist():
        size = int(tree.child_count[node]) * game.groups_by_street[tree.street[node]]
        part = slice(int(tree.row[node]), int(tree.row[node]) + size)
        if tree.actor[node] == 0:
            assert np.allclose(play.memory.regrets[part] - regrets[part], slow.regrets[part], atol=1e-4)
        else:
            assert np.allclose(play.memory.sums[part], slow.sums[part], atol=1e-5)


def test_sampled_actions_are_right_on_average() -> None:
    game = game_of("leduc")
    rng = np.random.default_rng(1)
    regrets = rng.normal(size=game.entry_count).astype(np.float32)
    board = (game.variant.deck.cards[0],)
    full = one_walk("leduc", board, regrets, Sampling.NOTHING, 0)
    mine = np.zeros(game.entry_count, np.bool_)
    for node in np.flatnonzero((game.tree.kind == 0) & (game.tree.actor == 0)).tolist():
        size = int(game.tree.child_count[node]) * game.groups_by_street[game.tree.street[node]]
        mine[int(game.tree.row[node]) : int(game.tree.row[node]) + size] = True
    count = 3_000
    added = np.stack(
        [
            one_walk("leduc", board, regrets, Sampling.ACTIONS, seed).memory.regrets[mine] - regrets[mine]
            for seed in range(1, count + 1)
        ]
    ).astype(np.float64)
    wanted = (full.memory.regrets - regrets)[mine]
    errors = added.std(axis=0) / np.sqrt(count)
    assert (np.abs(added.mean(axis=0) - wanted) <= 5 * errors + 1e-3).all()


@pytest.mark.parametrize("sampling", EVERY)
def test_same_seed_same_bytes(sampling: Sampling) -> None:
    first, again, other = (played("leduc", sampling, 50, 3, seed) for seed in (5, 5, 6))
    assert first.memory.regrets.tobytes() == again.memory.regrets.tobytes()
    assert first.memory.sums.tobytes() == again.memory.sums.tobytes()
    assert first.memory.regrets.tobytes() != other.memory.regrets.tobytes()


def test_a_checkpoint_continues_to_the_same_state() -> None:
    whole, part = played("24", Sampling.ACTIONS, 20, 5), played("24", Sampling.ACTIONS, 20, 3)
    data = write_checkpoint(SavedPlay.of(part, grouping_of("24"), 1.5))
    resumed = self_play("24", Sampling.ACTIONS, 20)
    saved = read_checkpoint(data, game_of("24"))
    saved.restore(resumed)
    assert (saved.epochs, saved.seconds) == (3, 1.5)
    play_epochs(resumed, 2)
    assert resumed.memory.regrets.tobytes() == whole.memory.regrets.tobytes()
    assert resumed.memory.sums.tobytes() == whole.memory.sums.tobytes()


def test_a_checkpoint_of_another_game_is_refused() -> None:
    data = write_checkpoint(SavedPlay.first(game_of("24"), grouping_of("24")))
    with pytest.raises(InvalidInput, match="another game"):
        read_checkpoint(data, replace(game_of("24"), stack=3_000))


def test_two_threads_come_to_the_same_game_value() -> None:
    play = self_play("kuhn", Sampling.NOTHING, 400)
    with ThreadPoolExecutor(2) as executor:
        for epoch in range(40):
            play.play_epoch(np.random.default_rng(epoch), executor, 2)
    rng = np.random.default_rng(0)
    assert worth(game_of("kuhn"), tables_of_game("kuhn"), play.memory.sums, 0, rng) == pytest.approx(
        KUHN_VALUE, abs=0.01
    )


def test_pruning_keeps_the_solution() -> None:
    settings = SelfPlayRecipe(sampling=Sampling.ACTIONS, boards=600, prune_below=-300.0, gamma=2.0)
    play = SelfPlay(game_of("leduc"), tables_of_game("leduc"), settings)
    play_epochs(play, 80)
    rng = np.random.default_rng(0)
    assert exploitability(game_of("leduc"), tables_of_game("leduc"), play.memory.sums, rng) < 0.15


def test_nonsense_is_refused() -> None:
    for wrong in ({"boards": 0}, {"repeats": 0}, {"prune_below": 1}):
        with pytest.raises(InvalidInput):
            SelfPlayRecipe(**wrong)  # type: ignore[arg-type]
