"""Trivial networks as ONNX files: values are a multiple of the ranges."""

import hashlib
import json
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from riverboat.nets.features import FEATURES
from riverboat.nets.layout import BOARD, LAYOUT, POT, RANGES, VALUES, About


def about(deck: str = "24", street: str = "turn", layout: int = LAYOUT) -> About:
    return About(
        layout=layout,
        deck=deck,
        street=street,
        data="data",
        code="code",
        samples=100,
        train_loss=0.01,
        held_out_loss=0.02,
    )


def tiny_network(said: About | None = None, holdings: int = 276, factor: float = 1.0) -> bytes:
    """Return the bytes of a network whose values are `factor` times the ranges."""
    said = said or about()
    graph = helper.make_graph(
        [
            helper.make_node("Mul", [RANGES, "factor"], ["scaled"]),
            # The pot and the board must be used, or ONNX drops these inputs.
            helper.make_node("ReduceSum", [POT], ["pots"], keepdims=0),
            helper.make_node("ReduceSum", [BOARD], ["boards"], keepdims=0),
            helper.make_node("Mul", ["pots", "nothing"], ["no_pots"]),
            helper.make_node("Mul", ["boards", "nothing"], ["no_boards"]),
            helper.make_node("Add", ["scaled", "no_pots"], ["partly"]),
            helper.make_node("Add", ["partly", "no_boards"], [VALUES]),
        ],
        "tiny",
        [
            helper.make_tensor_value_info(RANGES, TensorProto.FLOAT, ["K", "L", 2, holdings]),
            helper.make_tensor_value_info(POT, TensorProto.FLOAT, ["K", "L", 1]),
            helper.make_tensor_value_info(BOARD, TensorProto.FLOAT, ["K", holdings, FEATURES]),
        ],
        [helper.make_tensor_value_info(VALUES, TensorProto.FLOAT, ["K", "L", 2, holdings])],
        [
            helper.make_tensor("factor", TensorProto.FLOAT, [], [factor]),
            helper.make_tensor("nothing", TensorProto.FLOAT, [], [0.0]),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.helper.set_model_props(model, said.as_texts())
    return bytes(model.SerializeToString())


def write_network(folder: Path, name: str, data: bytes) -> Path:
    """Write a network and its card to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps({"hash": hashlib.sha256(data).hexdigest()}))
    file = folder / f"{name}.onnx"
    file.write_bytes(data)
    return file
