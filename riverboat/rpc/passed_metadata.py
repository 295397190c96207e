"""The metadata that a call forwards to the calls it makes: its request id and its trace parent."""

import itertools
import re
import secrets
from contextvars import ContextVar

REQUEST_ID_KEY, TRACE_KEY, ADMIN_KEY = "x-request-id", "traceparent", "x-admin-token"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TRACE_PARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")  # as the W3C writes it
_PROCESS = secrets.token_hex(4)
_numbers = itertools.count(1)

request_id: ContextVar[str] = ContextVar("request_id", default="")  # of the call that is being answered
trace_parent: ContextVar[str] = ContextVar("trace_parent", default="")

Metadata = tuple[tuple[str, str], ...]


def new_id() -> str:
    """Return a new, unique request id."""
    return f"{_PROCESS}-{next(_numbers):x}"


def is_request_id(text: object) -> bool:
    """Return whether this is a well-formed request id."""
    return isinstance(text, str) and _REQUEST_ID.fullmatch(text) is not None


def is_trace_parent(text: object) -> bool:
    """Return whether this is a well-formed trace parent."""
    return isinstance(text, str) and _TRACE_PARENT.fullmatch(text) is not None


def passed_on() -> Metadata:
    """Return the metadata to forward: the request id of the current call, or a new one."""
    own = (REQUEST_ID_KEY, request_id.get() or new_id())
    parent = trace_parent.get()
    return (own, (TRACE_KEY, parent)) if parent else (own,)
