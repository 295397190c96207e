"""The network and its training: symmetric, zero-sum, exported as it is, resumed exactly."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import onnx
import pytest
import torch

from riverboat.cards import DECKS
from riverboat.errors import InvalidInput
from riverboat.nets.layout import LAYOUT, About
from riverboat.nets.network import Network
from riverboat.preflop import suit_exchanges
from riverboat.situations.labels import Care
from riverboat.situations.split import held_out
from riverboat.training.plans import Job, Recipe
from services.trainer.generating.jobs import do_job
from services.trainer.generating.samples import Samples
from services.trainer.learning.batches import chosen, to_batch
from services.trainer.learning.checkpoints import read_checkpoint, write_checkpoint
from services.trainer.learning.curves import draw_curves
from services.trainer.learning.export import PARITY, NotTheSame, check_parity, export
from services.trainer.learning.network import ValueNetwork
from services.trainer.learning.training import Training, rate_at

RECIPE = Recipe(epochs=4, batch_size=16, width=16, depth=1)
ABOUT = About(LAYOUT, "24", "river", "data", "code", 100, 0.1, 0.2)


@pytest.fixture(scope="module")
def samples() -> Samples:
    return do_job(Job("24", "river", 3, 120), Care(iterations=40))


@pytest.fixture(scope="module")
def network() -> ValueNetwork:
    torch.manual_seed(0)
    found = ValueNetwork("24", 16, 1)
    with torch.no_grad():
        for parameter in found.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    return found


def values_of(network: ValueNetwork, samples: Samples) -> np.ndarray:
    batch = to_batch(samples)
    with torch.no_grad():
        found = network(*(torch.from_numpy(array) for array in (batch.ranges, batch.pot, batch.board)))
    return np.asarray(found[:, 0].numpy())


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


def test_export_says_the_same_within_the_limit(network: ValueNetwork) -> None:
    exported = Network(export(network, ABOUT))
    assert exported.about == ABOUT
    assert exported.holding_count == 276
    assert check_parity(network, exported) <= PARITY
    other = ValueNetwork("24", 16, 1)
    with torch.no_grad():
        other.leave.bias.add_(0.1)
    with pytest.raises(NotTheSame):
        check_parity(other, exported)


def test_files_that_are_no_network_of_ours_are_refused(network: ValueNetwork) -> None:
    with pytest.raises(InvalidInput, match="no ONNX file"):
        Network(b"nothing")
    model = onnx.load_from_string(export(network, ABOUT))
    for changes, reason in (({"layout": "99"}, "is 99"), ({"deck": None}, "missing")):
        texts = {prop.key: prop.value for prop in model.metadata_props} | changes
        onnx.helper.set_model_props(model, {key: value for key, value in texts.items() if value is not None})
        with pytest.raises(InvalidInput, match=reason):
            Network(model.SerializeToString())


def test_losses_fall(samples: Samples) -> None:
    training = Training("24", replace(RECIPE, epochs=6, rate=0.01))
    while not training.is_over:
        training.run_epoch(lambda _: samples, ["one"], samples.count)
    assert training.history[-1].train_loss < training.history[0].train_loss * 0.8
    assert training.best_epoch.held_out_loss == min(epoch.held_out_loss for epoch in training.history)
    assert draw_curves("title", training.history).startswith(b"\x89PNG")


def test_a_checkpoint_resumes_exactly(samples: Samples) -> None:
    whole = Training("24", RECIPE)
    for _ in range(4):
        whole.run_epoch(lambda _: samples, ["one"], samples.count)
    first = Training("24", RECIPE)
    for _ in range(2):
        first.run_epoch(lambda _: samples, ["one"], samples.count)
    second = read_checkpoint(write_checkpoint(first), "24", RECIPE)
    for _ in range(2):
        second.run_epoch(lambda _: samples, ["one"], samples.count)
    assert second.history == whole.history
    for name, tensor in whole.network.state_dict().items():
        assert torch.equal(tensor, second.network.state_dict()[name])
    with pytest.raises(InvalidInput):
        read_checkpoint(write_checkpoint(first), "24", replace(RECIPE, epochs=9))


def test_training_ends_when_it_does_not_get_better(samples: Samples) -> None:
    training = Training("24", replace(RECIPE, epochs=50, patience=2, rate=1e-9))
    training.run_epoch(lambda _: samples, ["one"], samples.count)
    training.history += [replace(training.history[0], number=number, held_out_loss=9.0) for number in (2, 3)]
    assert training.is_over


def test_the_rate_rises_and_falls() -> None:
    rates = [rate_at(Recipe(rate=1.0), progress) for progress in np.linspace(0, 1, 101)]
    assert max(rates) <= 1.0
    assert rates.index(max(rates)) == 5
    assert rates[-1] < 1e-3


def test_too_few_samples_to_judge_by_are_refused(samples: Samples) -> None:
    few = chosen(samples, np.flatnonzero(~held_out(samples.boards))[:5])
    with pytest.raises(InvalidInput, match="held out"):
        Training("24", RECIPE).held_out_loss(lambda _: few, ["one"])
