"""Networks by torch: seven layers of 512 by default, four of them in one ONNX file."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load, save
from torch import nn

from riverboat.policies.network import CHANCES, METADATA
from riverboat.policies.policy import BIG_BLIND, LearnedPolicy
from riverboat.policies.policy_files import FORMAT, about_entries
from riverboat.services.trainer.policies.learner import F32, Learnt, StreetLesson
from riverboat.services.trainer.rounds.kind import TellMessage
from riverboat.streets import STREETS

_BATCH = 1_024
_RATE = 1e-3
_LEAST_SPREAD = 1e-3
_OPSET = 18
_IR_VERSION = 10
_BETS = len(STREETS)


class NetworkLearner:
    """Learns networks."""

    suffix = ".onnx"

    def learn(self, lesson: StreetLesson, tell: TellMessage) -> Learnt:
        """Return the network of a street."""
        plan, street, states = lesson.plan, lesson.street, lesson.states
        torch.set_num_threads(lesson.threads)
        torch.manual_seed(plan.seed + street)
        inputs = seen(states.features)
        mean, spread = inputs.mean(axis=0), inputs.std(axis=0)
        spread[spread < _LEAST_SPREAD] = 1  # a bet of a later street is always 0
        layers = _layers(inputs.shape[1], states.chances.shape[1], plan.layers, plan.width)
        network = nn.Sequential(*layers)
        x, labels = torch.from_numpy((inputs - mean) / spread), torch.from_numpy(states.chances)
        optimiser = torch.optim.Adam(network.parameters(), _RATE)
        steps = plan.passes * -(-len(x) // _BATCH)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=steps)
        for number in range(plan.passes):
            tell(f"{STREETS[street]}: pass {number + 1} of {plan.passes}")
            for rows in torch.split(torch.randperm(len(x)), _BATCH):
                loss = nn.functional.cross_entropy(network(x[rows]), labels[rows])
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                schedule.step()
        weights = _weights(network, mean, spread)
        data = bytes(
            save(
                {
                    f"{part}{place}": array
                    for place, pair in enumerate(weights)
                    for part, array in zip("wb", pair, strict=True)
                }
            )
        )
        return Learnt(
            data,
            _run(weights, seen(lesson.held_out.features)),
            {"parameters": float(sum(w.size + b.size for w, b in weights))},
        )

    def file(self, about: LearnedPolicy, models: list[bytes]) -> bytes:
        """Return the ONNX file of a policy."""
        nodes: list[Any] = []
        constants: list[Any] = [numpy_helper.from_array(np.array([1], np.float32), "one")]
        inputs, outputs = [], []
        for street, model in zip(STREETS, models, strict=True):
            weights = _read_weights(model)
            _add_street(street, weights, nodes, constants)
            inputs.append(
                helper.make_tensor_value_info(street, TensorProto.FLOAT, [f"{street}_B", weights[0][0].shape[0]])
            )
            out = helper.make_tensor_value_info(
                street + CHANCES, TensorProto.FLOAT, [f"{street}_B", weights[-1][0].shape[1]]
            )
            outputs.append(out)
        graph = helper.make_graph(nodes, "policy", inputs, outputs, constants)
        file = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
        entries = {
            "format": FORMAT,
            **about_entries(about),
            "fractions": [list(menu.fractions) for menu in about.menus],
        }
        helper.set_model_props(file, {METADATA: json.dumps(entries)})
        onnx.checker.check_model(file)
        return bytes(file.SerializeToString(deterministic=True))


def seen(features: F32) -> F32:
    """Return a network's inputs: features, with bets as logarithms of one plus big blinds."""
    return np.concatenate([features[:, :-_BETS], np.log(features[:, -_BETS:] / BIG_BLIND + 1)], axis=1).astype(
        np.float32
    )


def _layers(input_count: int, output_count: int, depth: int, width: int) -> list[nn.Module]:
    sizes = [input_count, *(width for _ in range(depth)), output_count]
    layers: list[nn.Module] = []
    for before, after in pairwise(sizes):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return layers[:-1]


def _weights(network: nn.Sequential, mean: F32, spread: F32) -> list[tuple[F32, F32]]:
    """Return the weights [in, out] and biases of each layer, as stored; the first one takes inputs as they are."""
    layers = [layer for layer in network if isinstance(layer, nn.Linear)]
    pairs = [(layer.weight.detach().numpy().T, layer.bias.detach().numpy()) for layer in layers]
    first, bias = pairs[0]
    pairs[0] = (first / spread[:, None], bias - (mean / spread) @ first)
    return [(np.ascontiguousarray(w, np.float16), np.ascontiguousarray(b, np.float32)) for w, b in pairs]


def _read_weights(model: bytes) -> list[tuple[F32, F32]]:
    arrays = load(model)
    return [(arrays[f"w{place}"], arrays[f"b{place}"]) for place in range(len(arrays) // 2)]


def _run(weights: list[tuple[F32, F32]], inputs: F32) -> F32:
    """Return the chances by the weights as they are stored."""
    for place, (w, b) in enumerate(weights):
        inputs = inputs @ w.astype(np.float32) + b
        if place + 1 < len(weights):
            inputs = np.maximum(inputs, 0)
    powers = np.exp(inputs - inputs.max(axis=1, keepdims=True))
    chances: F32 = powers / powers.sum(axis=1, keepdims=True)
    return chances


def _add_street(street: str, weights: list[tuple[F32, F32]], nodes: list[Any], constants: list[Any]) -> None:
    """Add the network of a street: bets as logarithms, layers whose weights have half precision, chances."""
    is_bet = np.arange(weights[0][0].shape[0]) >= weights[0][0].shape[0] - _BETS
    constants += [
        numpy_helper.from_array((~is_bet).astype(np.float32), f"{street}_is_card"),
        numpy_helper.from_array((is_bet / BIG_BLIND).astype(np.float32), f"{street}_scale"),
    ]
    nodes += [
        helper.make_node("Mul", [street, f"{street}_is_card"], [f"{street}_cards"]),
        helper.make_node("Mul", [street, f"{street}_scale"], [f"{street}_blinds"]),
        helper.make_node("Add", [f"{street}_blinds", "one"], [f"{street}_more"]),
        helper.make_node("Log", [f"{street}_more"], [f"{street}_log"]),
        helper.make_node("Add", [f"{street}_cards", f"{street}_log"], [f"{street}_x0"]),
    ]
    for place, (w, b) in enumerate(weights):
        names = f"{street}_w{place}", f"{street}_b{place}"
        constants += [numpy_helper.from_array(w, names[0]), numpy_helper.from_array(b, names[1])]
        nodes.append(helper.make_node("Cast", [names[0]], [f"{names[0]}_single"], to=TensorProto.FLOAT))
        last = place + 1 == len(weights)
        sum_name = f"{street}_y{place}"
        nodes.append(helper.make_node("Gemm", [f"{street}_x{place}", f"{names[0]}_single", names[1]], [sum_name]))
        if last:
            nodes.append(helper.make_node("Softmax", [sum_name], [street + CHANCES], axis=1))
        else:
            nodes.append(helper.make_node("Relu", [sum_name], [f"{street}_x{place + 1}"]))
