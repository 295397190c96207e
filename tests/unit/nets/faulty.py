"""Faulty networks as ONNX files: some fail when they run, some are real ones made worse."""

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from riverboat.nets.layout import RANGES, VALUES, About
from tests.unit.nets.tiny import tiny_network

_FOREVER = 2**62


def wrong_shape() -> bytes:
    """Return a network that gives values for twice as many boards."""
    return _with_last("Concat", [RANGES, "partly"], axis=0)


def failing() -> bytes:
    """Return a network that reshapes values to an impossible shape."""
    return _with_last("Reshape", ["partly", "odd"], odd=np.array([7, -1, 2, 276]))


def endless() -> bytes:
    """Return a network with an endless loop."""
    more = helper.make_tensor_value_info("more", TensorProto.BOOL, [])
    before = helper.make_tensor_value_info("before", TensorProto.FLOAT, None)
    body = helper.make_graph(
        [helper.make_node("Identity", ["more"], ["again"]), helper.make_node("Add", ["before", "before"], ["after"])],
        "body",
        [helper.make_tensor_value_info("turn", TensorProto.INT64, []), more, before],
        [
            helper.make_tensor_value_info("again", TensorProto.BOOL, []),
            helper.make_tensor_value_info("after", TensorProto.FLOAT, None),
        ],
    )
    return _with_last("Loop", ["turns", "", "partly"], body=body, turns=np.array(_FOREVER))


def laborious(size: int = 1500, steps: int = 60) -> bytes:
    """Return a small file that multiplies large matrices of constants."""
    model = onnx.load_from_string(tiny_network(factor=0.0))
    nodes = [helper.make_node("ConstantOfShape", ["size"], ["product0"])]
    nodes += [
        helper.make_node("MatMul", [f"product{step}", "product0"], [f"product{step + 1}"]) for step in range(steps)
    ]
    nodes.append(helper.make_node("ReduceSum", [f"product{steps}"], ["sum"], keepdims=0))
    model.graph.node[-1].output[0] = "before"
    model.graph.node.extend([*nodes, helper.make_node("Add", ["before", "sum"], [VALUES])])
    model.graph.initializer.append(numpy_helper.from_array(np.array([size, size]), "size"))
    return bytes(model.SerializeToString())


def _with_last(kind: str, inputs: list[str], **more: Any) -> bytes:
    """Return the tiny network with another last step; arrays are constants, other arguments attributes."""
    model = onnx.load_from_string(tiny_network(factor=0.0))
    constants = {name: value for name, value in more.items() if isinstance(value, np.ndarray)}
    attributes: dict[str, Any] = {name: value for name, value in more.items() if name not in constants}
    model.graph.node.pop()
    model.graph.node.append(helper.make_node(kind, inputs, [VALUES], **attributes))
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in constants.items())
    return bytes(model.SerializeToString())


def renamed(data: bytes, about: About) -> bytes:
    """Return the same network with changed metadata."""
    model = onnx.load_from_string(data)
    del model.metadata_props[:]
    onnx.helper.set_model_props(model, about.as_texts())
    return bytes(model.SerializeToString())


def perturbed(data: bytes, share: float) -> bytes:
    """Return a network with all weights changed by up to a share."""
    model, rng = onnx.load_from_string(data), np.random.default_rng(0)
    for tensor in model.graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if weights.dtype == np.float32 and weights.size > 1:
            noise = 1 + share * rng.uniform(-1, 1, weights.shape)
            tensor.CopyFrom(numpy_helper.from_array((weights * noise).astype(np.float32), tensor.name))
    return bytes(model.SerializeToString())
