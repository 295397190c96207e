"""A trained network as an ONNX file with its own description."""

import io
from typing import Any

import numpy as np
import onnx
import torch

from riverboat.errors import RiverboatError
from riverboat.nets.features import FEATURES
from riverboat.nets.layout import BOARD, POT, RANGES, VALUES, About
from riverboat.nets.network import Network
from riverboat.services.trainer.learning.network import ValueNetwork
from riverboat.solving.subgame import F32

PARITY = 1e-5  # largest difference allowed between torch and onnxruntime, in pots
_OPSET = 18


class NotTheSame(RiverboatError):
    """An exported network whose values differ from the trained one's."""


def export(network: ValueNetwork, about: About) -> bytes:
    """Return the bytes of an ONNX file; NotTheSame if its values differ from the network's."""
    network.eval()
    inputs = example(network, boards=3, lines=2, seed=0)
    boards, lines = torch.export.Dim("K"), torch.export.Dim("L")
    program = torch.onnx.export(
        network,
        tuple(torch.from_numpy(array) for array in inputs),
        input_names=[RANGES, POT, BOARD],
        output_names=[VALUES],
        dynamic_shapes=({0: boards, 1: lines}, {0: boards, 1: lines}, {0: boards}),
        opset_version=_OPSET,
        dynamo=True,
        verbose=False,
    )
    if program is None:
        raise RuntimeError("torch exported nothing")
    model = program.model_proto
    forget_sources(model)
    onnx.helper.set_model_props(model, about.as_texts())
    buffer = io.BytesIO()
    onnx.save_model(model, buffer)
    data = buffer.getvalue()
    check_parity(network, Network(data))
    return data


def forget_sources(model: onnx.ModelProto) -> None:
    """Remove torch's notes about source files, which contain paths of this machine."""
    graph = model.graph
    parts: list[Any] = [model, graph, *graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer]
    for part in parts:
        del part.metadata_props[:]
        part.doc_string = ""


def check_parity(network: ValueNetwork, exported: Network) -> float:
    """Return the largest difference on some situations, in pots; NotTheSame if it is too large."""
    worst = 0.0
    for boards, lines, seed in ((1, 1, 1), (4, 3, 2), (2, 9, 3)):
        inputs = example(network, boards, lines, seed)
        with torch.no_grad():
            expected = network(*(torch.from_numpy(array) for array in inputs)).numpy()
        worst = max(worst, float(np.abs(exported.values(*inputs) - expected).max()))
    if not worst <= PARITY:
        raise NotTheSame(f"torch and onnxruntime differ by {worst:.2g} pots; the limit is {PARITY:g}")
    return worst


def example(network: ValueNetwork, boards: int, lines: int, seed: int) -> tuple[F32, F32, F32]:
    """Return random inputs of the right shapes."""
    rng = np.random.default_rng(seed)
    holdings = network.holds.shape[0]
    ranges = rng.random((boards, lines, 2, holdings)).astype(np.float32)
    ranges /= ranges.sum(axis=-1, keepdims=True)
    board = rng.random((boards, holdings, FEATURES)).astype(np.float32)
    board /= board.sum(axis=-1, keepdims=True) / 2
    return ranges, rng.uniform(0.01, 0.9, (boards, lines, 1)).astype(np.float32), board
