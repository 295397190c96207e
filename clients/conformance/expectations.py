"""Comparisons for checks: each raises Wrong with a sentence if an answer breaks the contract."""

from collections.abc import Iterable
from typing import Any

import grpc
import numpy as np
from google.protobuf import text_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from numpy.typing import NDArray

from riverboat.clients.conformance.check import Wrong

_LONGEST = 120  # maximum characters of a value in a sentence
_DETAILS_KEY = "grpc-status-details-bin"


def short(value: object) -> str:
    """Return a value as text, cut to a length that fits into a sentence."""
    if isinstance(value, Message):
        text = f"{type(value).__name__}({text_format.MessageToString(value, as_one_line=True).strip()})"
    else:
        text = str(value) if isinstance(value, float | str) else repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def require(is_right: bool | np.bool_, sentence: str) -> None:
    """Raise Wrong with `sentence` unless `is_right`."""
    if not is_right:
        raise Wrong(sentence)


def same(asked: object, got: object, wanted: object) -> None:
    """Require that the answer equals the wanted value."""
    if got != wanted:
        raise Wrong(f"{short(asked)}: got {short(got)}, expected {short(wanted)}")


def close(asked: object, got: float, wanted: float, within: float = 1e-9) -> None:
    """Require that a number is within a tolerance of the wanted one."""
    if not abs(got - wanted) <= within:
        raise Wrong(f"{short(asked)}: got {got:.10g}, expected {wanted:.10g}")


def array(asked: object, data: bytes, kind: str, *shape: int) -> NDArray[Any]:
    """Return numbers from bytes; require the type and shape of the contract."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    if len(data) != size:
        name = np.dtype(kind).name
        raise Wrong(f"{short(asked)}: got {len(data):,} bytes, expected {size:,} for {name} {list(shape)}")
    return np.frombuffer(data, kind).reshape(shape)


def same_arrays(asked: object, got: NDArray[Any], wanted: NDArray[Any], within: float = 0.0) -> None:
    """Require two arrays of the same shape and numbers, with NaN in the same places."""
    if got.shape != wanted.shape:
        raise Wrong(f"{short(asked)}: got an array of shape {list(got.shape)}, expected {list(wanted.shape)}")
    first, second = got.astype(np.float64), wanted.astype(np.float64)
    alike = (np.abs(first - second) <= within) | (np.isnan(first) & np.isnan(second))
    if not alike.all():
        place = tuple(map(int, np.argwhere(~alike)[0]))
        count = f"{int((~alike).sum()):,} of {alike.size:,} numbers are wrong"
        raise Wrong(f"{short(asked)}: {count}; at {list(place)} got {got[place]}, expected {wanted[place]}")


def refused(call: Any, request: Any, code: str, field: str = "") -> None:
    """Require that a request is refused with this code, and with a BadRequest that names `field` if one is given."""
    sent = short(request) if isinstance(request, Message) else "this stream"
    try:
        answer = call(request if isinstance(request, Message) else iter(request))
        if isinstance(answer, Iterable) and not isinstance(answer, Message):
            list(answer)
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.UNIMPLEMENTED or code == error.code().name:
            if error.code() is grpc.StatusCode.UNIMPLEMENTED and code != "UNIMPLEMENTED":
                raise
            if field:
                _names_field(sent, error, field)
            return
        said = error.code().name + (f" ({short(error.details())})" if error.details() else "")
        raise Wrong(f"{sent} was refused with {said}, expected {code}") from None
    raise Wrong(f"{sent} was answered, expected a refusal with {code}")


def _names_field(sent: str, error: Any, field: str) -> None:
    require(len(error.details() or "") > len(field), f"{sent} was refused without a message that says why")
    fields = _violations(error)
    if not fields:
        raise Wrong(f"{sent} was refused without a google.rpc.BadRequest in the details that names {field}")
    if not any(_is_about(name, field) for name in fields):
        raise Wrong(f"{sent} was refused with a BadRequest about {short(fields[0])}, expected {field}")


def _violations(error: Any) -> list[str]:
    """Return the fields that a google.rpc.BadRequest in the details names."""
    fields = []
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS_KEY:
            for detail in status_pb2.Status.FromString(value).details:
                bad = error_details_pb2.BadRequest()
                if detail.Unpack(bad):
                    fields += [violation.field for violation in bad.field_violations]
    return fields


def _is_about(name: str, field: str) -> bool:
    """Return whether two paths name the same field, one perhaps more exactly (hands and hands[0])."""
    parts = [path.replace("[", ".").replace("]", "").split(".") for path in (name, field)]
    return bool(name) and all(a == b for a, b in zip(*parts, strict=False))
