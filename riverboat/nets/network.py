"""A network from the bytes of an ONNX file, checked before it runs. No other module uses onnxruntime."""

from typing import Any

import numpy as np
import onnxruntime

from riverboat.errors import InvalidInput
from riverboat.nets.features import FEATURES
from riverboat.nets.layout import BOARD, LAYOUT, POT, RANGES, VALUES, About, read_about
from riverboat.solving.subgame import F32

_LOG_ERRORS = 3
# A file's constant expressions are computed when it runs, not when it is loaded: loading cannot be interrupted.
_NOT_WHILE_LOADING = ["ConstantFolding"]


class Interrupt:
    """Ends runs of a network, from another thread."""

    def __init__(self) -> None:
        self.options: Any = onnxruntime.RunOptions()

    def __call__(self) -> None:
        """End the current run and all later ones."""
        self.options.terminate = True


class Network:
    """A value network, with the facts that its file states."""

    def __init__(self, data: bytes, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = _LOG_ERRORS
        try:
            self._session: Any = onnxruntime.InferenceSession(
                data, options, providers=["CPUExecutionProvider"], disabled_optimizers=_NOT_WHILE_LOADING
            )
        except Exception as error:  # onnxruntime has many exception types
            raise InvalidInput("", f"onnxruntime cannot run this file: {str(error)[:200]}") from None
        self.about: About = read_about(self._session.get_modelmeta().custom_metadata_map)
        if self.about.layout != LAYOUT:
            raise InvalidInput("layout", f"is {self.about.layout}, but this program knows only {LAYOUT}")
        self.holding_count = self._check_shapes()

    def _check_shapes(self) -> int:
        """Return H; raise InvalidInput unless inputs and outputs are as the layout says."""
        shapes = {node.name: list(node.shape) for node in (*self._session.get_inputs(), *self._session.get_outputs())}
        count = shapes.get(RANGES, [None])[-1]
        expected = {RANGES: [2, count], POT: [1], BOARD: [count, FEATURES], VALUES: [2, count]}
        ends = {name: shape[-len(expected[name]) :] for name, shape in shapes.items() if name in expected}
        if not isinstance(count, int) or ends != expected or len(shapes) != len(expected):
            raise InvalidInput("layout", f"its inputs and outputs are {shapes}")
        return count

    def values(self, ranges: F32, pot: F32, board: F32, interrupt: Interrupt | None = None) -> F32:
        """Return values [K, L, 2, H] from ranges [K, L, 2, H], pot [K, L, 1] and board [K, H, F].

        Raise InvalidInput if the network fails, is interrupted, or gives anything but finite values of this shape.
        """
        inputs = {RANGES: ranges, POT: pot, BOARD: board}
        try:
            values: F32 = self._session.run([VALUES], inputs, interrupt.options if interrupt else None)[0]
        except Exception as error:  # many types, as above
            raise InvalidInput("", f"the network fails: {str(error)[:200]}") from None
        if values.shape != ranges.shape or values.dtype != np.float32:
            expected = f"{list(ranges.shape)} of float32"
            raise InvalidInput("", f"the network returns {list(values.shape)} of {values.dtype}, not {expected}")
        if not np.isfinite(values).all():
            raise InvalidInput("", "the network does not give finite values")
        return values
