"""Evolved nets as files: JSON with the shape, the raise sizes and the genome."""

import json
from typing import Any

import numpy as np

from riverboat.errors import InvalidInput
from riverboat.policies.evolved_nets import Net, NetShape, RaiseSizes

FORMAT = "riverboat evolved net 1"
LARGEST_FILE = 1_000_000  # bytes


def write_net(net: Net) -> bytes:
    """Return a net as the bytes of a file; the same net gives the same bytes."""
    content = {
        "format": FORMAT,
        "inputs": net.shape.input_count,
        "hidden": net.shape.hidden_count,
        "thresholds": net.sizes.thresholds,
        "means": net.sizes.means,
        "deviations": net.sizes.deviations,
        "genome": net.genome.tolist(),
    }
    return (json.dumps(content) + "\n").encode()


def read_net(data: bytes) -> Net:
    """Return the net of a file; raise InvalidInput if it is not one."""
    if len(data) > LARGEST_FILE:
        raise InvalidInput("", f"a net has at most {LARGEST_FILE:,} bytes, this file {len(data):,}")
    try:
        content: Any = json.loads(data)
        if content["format"] != FORMAT:
            raise InvalidInput("format", f"must be {FORMAT!r}, not {str(content['format'])[:40]!r}")
        sizes = RaiseSizes(
            _numbers(content, "thresholds", 2), _numbers(content, "means", 3), _numbers(content, "deviations", 3)
        )
        shape = NetShape(int(content["inputs"]), int(content["hidden"]))
        return Net(shape, np.array(content["genome"], np.float64), sizes)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("", f"not an evolved net: {type(error).__name__} {str(error)[:60]}") from None


def _numbers(content: Any, name: str, count: int) -> Any:
    values = tuple(float(value) for value in content[name])
    if len(values) != count or not all(np.isfinite(values)):
        raise InvalidInput(name, f"must be {count} numbers")
    return values
