"""The network and its training: symmetric, zero-sum, exported unchanged, resumed exactly."""

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.nets.features import BINS
from riverboat.nets.layout import LAYOUT, About
from riverboat.nets.network import Network
from riverboat.preflop import suit_exchanges
from riverboat.services.trainer.generation.jobs import do_job, situations_of
from riverboat.services.trainer.generation.origin import Origin
from riverboat.services.trainer.generation.samples import Samples
from riverboat.services.trainer.generation.shards import StaleShard, put_shard
from riverboat.services.trainer.learning.batches import batches, chosen, to_batch
from riverboat.services.trainer.learning.census import census
from riverboat.services.trainer.learning.checkpoints import read_checkpoint, write_checkpoint
from riverboat.services.trainer.learning.curves import draw_curves
from riverboat.services.trainer.learning.export import PARITY, NotTheSame, check_parity, export
from riverboat.services.trainer.learning.learner import Lesson, learn
from riverboat.services.trainer.learning.network import RiverNetwork, ValueNetwork, network_for
from riverboat.services.trainer.learning.shard_names import ShardNames
from riverboat.services.trainer.learning.training import Training, rate_at
from riverboat.services.trainer.models import get_model, list_models
from riverboat.services.trainer.store import ObjectStore
from riverboat.situations.labels import Care
from riverboat.situations.situation import Situation
from riverboat.situations.split import Side, sides
from riverboat.situations.yardsticks import equity_values
from riverboat.streets import RIVER, TURN
from riverboat.training.jobs import Job
from riverboat.training.plans import Recipe, TrainingPlan

RECIPE = Recipe(epochs=4, batch_size=16, width=16, depth=1)
ABOUT = About(
    layout=LAYOUT, deck="24", street="river", data="data", code="code", samples=100, train_loss=0.1, held_out_loss=0.2
)


@pytest.fixture(scope="module")
def samples() -> Samples:
    return do_job(Job("24", "river", 3, 120), Care(iterations=40))


@pytest.fixture(scope="module", params=[ValueNetwork, RiverNetwork])
def network(request: pytest.FixtureRequest) -> ValueNetwork:
    torch.manual_seed(0)
    network: ValueNetwork = request.param("24", 16, 1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    return network


def trained(samples: Samples, recipe: Recipe = RECIPE, epochs: int = 1) -> Training:
    training = Training("24", recipe)
    for _ in range(epochs):
        training.run_epoch(lambda _: samples, ["one"], samples.count)
    return training


@pytest.fixture(scope="module")
def taught(samples: Samples) -> Training:
    return trained(samples)


def values_of(network: ValueNetwork, samples: Samples) -> np.ndarray:
    batch = to_batch(samples)
    with torch.no_grad():
        values = network(*(torch.from_numpy(array) for array in (batch.ranges, batch.pot, batch.board)))
    return np.asarray(values[:, 0].numpy())


def test_values_are_zero_sum_whatever_the_network_has_learnt(network: ValueNetwork, samples: Samples) -> None:
    values = values_of(network, samples)
    assert np.abs(values).max() > 0.1
    assert np.abs((samples.ranges * values).sum(axis=(1, 2))).max() < 1e-4


def test_names_of_suits_make_no_difference(network: ValueNetwork, samples: Samples) -> None:
    order = suit_exchanges(DECKS["24"])[7]  # where each holding goes
    suits = list(permutations(range(4)))[7]
    boards = samples.boards - samples.boards % 4 + np.array(suits, np.uint8)[samples.boards % 4]
    ranges = np.zeros_like(samples.ranges)
    ranges[:, :, order] = samples.ranges
    renamed = values_of(network, replace(samples, boards=boards, ranges=ranges))
    assert np.allclose(renamed[:, :, order], values_of(network, samples), atol=1e-4)


def test_a_river_network_knows_exactly_what_holdings_win_without_bets(samples: Samples) -> None:
    batch, deck = to_batch(samples), DECKS["24"]
    won = RiverNetwork("24", 16, 1).won(torch.from_numpy(batch.ranges), torch.from_numpy(batch.board))[:, 0].numpy()
    for n, board in enumerate(samples.boards.tolist()):
        situation = Situation(deck, tuple(board), 1_000, samples.ranges[n])
        # Features do not tell the strongest and the weakest holdings apart: those in the outer halves of their bins.
        place = batch.board[n, :, BINS:] @ np.arange(BINS)
        inner = (place > 0) & (place < BINS - 1)
        assert inner.sum() > 100
        assert np.allclose(won[n][:, inner], 2 * equity_values(situation)[:, inner], atol=1e-5)


def test_only_rivers_of_small_decks_compare_pairs() -> None:
    kinds = [type(network_for(street)(deck, 16, 1)) for deck, street in (("24", RIVER), ("24", TURN), ("52", RIVER))]
    assert kinds == [RiverNetwork, ValueNetwork, ValueNetwork]


@pytest.mark.slow
def test_export_says_the_same_within_the_limit(network: ValueNetwork) -> None:
    exported = Network(export(network, ABOUT))
    assert exported.about == ABOUT
    assert exported.holding_count == 276
    assert check_parity(network, exported) <= PARITY
    other = type(network)("24", 16, 1)
    with torch.no_grad():
        other.leave.bias.add_(0.1)
    with pytest.raises(NotTheSame):
        check_parity(other, exported)


@pytest.mark.slow
def test_files_that_are_no_network_of_ours_are_refused(network: ValueNetwork) -> None:
    with pytest.raises(InvalidInput, match="cannot run this file"):
        Network(b"nothing")
    model = onnx.load_from_string(export(network, ABOUT))
    for changes, reason in (({"layout": "99"}, "is 99"), ({"deck": None}, "missing")):
        texts = {prop.key: prop.value for prop in model.metadata_props} | changes
        onnx.helper.set_model_props(model, {key: value for key, value in texts.items() if value is not None})
        with pytest.raises(InvalidInput, match=reason):
            Network(model.SerializeToString())


@pytest.mark.slow
def test_losses_fall(samples: Samples) -> None:
    training = Training("24", replace(RECIPE, epochs=6, rate=0.01))
    while not training.is_over:
        training.run_epoch(lambda _: samples, ["one"], samples.count)
    assert training.history[-1].train_loss < training.history[0].train_loss * 0.8
    assert training.best_epoch.held_out_loss == min(epoch.held_out_loss for epoch in training.history)
    assert draw_curves("title", training.history).startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_checkpoint_resumes_exactly(samples: Samples) -> None:
    whole = trained(samples, epochs=3)
    first = trained(samples)
    second = read_checkpoint(write_checkpoint(first), "24", RECIPE)
    for _ in range(2):
        second.run_epoch(lambda _: samples, ["one"], samples.count)
    assert second.history == whole.history
    for name, tensor in whole.network.state_dict().items():
        assert torch.equal(tensor, second.network.state_dict()[name])
    with pytest.raises(InvalidInput):
        read_checkpoint(write_checkpoint(first), "24", replace(RECIPE, epochs=9))


@pytest.mark.slow
def test_training_ends_when_it_does_not_get_better(samples: Samples) -> None:
    training = trained(samples, replace(RECIPE, epochs=50, patience=2, rate=1e-9))
    training.history += [replace(training.history[0], number=number, held_out_loss=9.0) for number in (2, 3)]
    assert training.is_over


def test_the_rate_rises_and_falls() -> None:
    rates = [rate_at(Recipe(rate=1.0), progress) for progress in np.linspace(0, 1, 101)]
    assert max(rates) <= 1.0
    assert rates.index(max(rates)) == 5
    assert rates[-1] < 1e-3


def test_too_few_samples_to_judge_by_are_refused(samples: Samples) -> None:
    few = chosen(samples, np.flatnonzero(sides(samples.boards) == Side.TRAIN)[:5])
    with pytest.raises(InvalidInput, match="none of them is in the validation set: plan more"):
        Training("24", RECIPE).score(lambda _: few, ["one"], Side.VALIDATION)
    with pytest.raises(InvalidInput, match="none of them is in the validation set: plan more"):
        census(lambda _: few, ["one"])


def test_scores_are_what_they_say(network: ValueNetwork, samples: Samples) -> None:
    """Compared with plain sums over all possible holdings."""
    training = Training("24", RECIPE)
    training.network = network
    score = training.score(lambda _: samples, ["one"], Side.TEST)
    tested = chosen(samples, np.flatnonzero(sides(samples.boards) == Side.TEST))
    difference = np.abs(values_of(network, tested) - tested.values)[np.repeat(tested.ranges.sum(1)[:, None] > 0, 2, 1)]
    huber = np.where(difference < 1, difference**2 / 2, difference - 0.5)
    assert score.samples == tested.count
    assert np.isclose(score.loss, huber.mean(), rtol=1e-4)
    assert np.isclose(score.mean_absolute_error, difference.mean(), rtol=1e-4)


@pytest.mark.parametrize("spoilt", list(Side))
def test_only_training_boards_teach_and_only_validation_boards_choose(
    samples: Samples, taught: Training, spoilt: Side
) -> None:
    """With absurd labels on one side, only the results that may depend on them change, to the last bit."""
    absurd = samples.values.copy()
    absurd[sides(samples.boards) == spoilt] += 1000
    other = trained(replace(samples, values=absurd))
    is_same_network = all(
        torch.equal(tensor, other.network.state_dict()[name]) for name, tensor in taught.network.state_dict().items()
    )
    losses = [[epoch.held_out_loss for epoch in training.history] for training in (taught, other)]
    assert is_same_network == (spoilt is not Side.TRAIN)
    assert (losses[0] == losses[1]) == (spoilt is Side.TEST)


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_no_test_board_is_in_a_batch_for_learning_or_choosing(street: str) -> None:
    """Including situations from play: their final board decides the side."""
    job = Job("24", street, 11, 200, "24-turn-any" if street == "flop" else "exact")
    situations = situations_of(job)
    boards = np.array([situation.board for situation in situations], np.uint8)
    numbers = np.arange(len(boards), dtype=np.float32)
    ranges = np.array([situation.weights for situation in situations])
    empty = np.zeros(len(boards), np.float32)
    samples = Samples(
        deck="24",
        street=street,
        boards=boards,
        pot_shares=numbers,
        ranges=ranges,
        values=ranges,
        exploitability=empty,
        iterations=empty.astype(np.int32),
    )
    of_each = sides(boards)
    for side in Side:
        seen = [number for batch in batches(lambda _: samples, ["one"], 16, side) for number in batch.pot.ravel()]
        assert sorted(seen) == np.flatnonzero(of_each == side).tolist()
        assert seen


@pytest.mark.slow
def test_a_card_says_how_good_its_network_is_on_test_boards(tmp_path: Path) -> None:
    store, plan = (
        ObjectStore(str(tmp_path)),
        TrainingPlan(deck="24", street="river", samples=200, job_size=100, recipe=replace(RECIPE, epochs=1)),
    )
    origin = Origin("some code")
    for job in plan.jobs():
        put_shard(store, job, do_job(job, Care(iterations=5)), origin, 1.0, 1.0)
    lesson = Lesson(store, "run", plan, ShardNames(plan), origin)
    name = learn(lesson, lambda _: None)
    (model,) = list_models(store)
    assert model.name == name
    card = json.loads(model.card)
    counts = census(lesson.read, lesson.names)
    assert model.test_samples == card["test_samples"] == counts[Side.TEST].samples > 0
    assert model.test_boards == counts[Side.TEST].boards > 0
    assert sum(part["samples"] for part in card["split"].values()) == 200
    assert card["validation_loss"] == card["held_out_loss"] == card["epochs"][0]["held_out_loss"]
    assert 0 < card["test_loss"] < card["test_mean_absolute_error"]
    assert (card["samples_code"], card["labels_network"]) == ("some code", "")
    about = Network(get_model(store, model.name)).about
    assert (about.test_loss, about.test_samples) == (card["test_loss"], card["test_samples"])
    with pytest.raises(StaleShard):
        learn(replace(lesson, origin=Origin("other code")), lambda _: None)


def test_names_of_shards_are_made_when_they_are_asked_for() -> None:
    plan = TrainingPlan(deck="24", street="river", samples=1_000_000, job_size=1)
    names = ShardNames(plan, [0, 2])
    assert len(names) == 999_998
    assert list(names[:2]) == [plan.job(1).name, plan.job(3).name]
    assert names[-1] == plan.job(999_999).name
