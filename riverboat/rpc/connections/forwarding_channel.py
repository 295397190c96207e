"""A channel that forwards request ids and traces, for asyncio or not; interceptors cost more, and change streams."""

from typing import Any

from riverboat.rpc.connections.keyring import find_secret
from riverboat.rpc.connections.settings import admin_token
from riverboat.rpc.passed_metadata import ADMIN_KEY, REQUEST_ID_KEY, Metadata, passed_on


def admin_metadata(address: str) -> Metadata:
    """Return the metadata of an admin call.

    Other calls go without it: a server that is not ours must not learn the token.
    """
    token = admin_token() or find_secret(address)
    return ((ADMIN_KEY, token),) if token else ()


class ForwardingChannel:
    """A channel whose calls carry the request id and the trace of the call that they belong to."""

    def __init__(self, channel: Any) -> None:
        self._channel = channel

    def __getattr__(self, name: str) -> Any:
        return getattr(self._channel, name)

    def __enter__(self) -> "ForwardingChannel":
        self._channel.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._channel.__exit__(*error)

    async def __aenter__(self) -> "ForwardingChannel":
        await self._channel.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return await self._channel.__aexit__(*error)

    def unary_unary(self, *words: Any, **more: Any) -> "_ForwardedMethod":
        """Return a method with one request and one response."""
        return _ForwardedMethod(self._channel.unary_unary(*words, **more))

    def unary_stream(self, *words: Any, **more: Any) -> "_ForwardedMethod":
        """Return a method with one request and a stream of responses."""
        return _ForwardedMethod(self._channel.unary_stream(*words, **more))

    def stream_unary(self, *words: Any, **more: Any) -> "_ForwardedMethod":
        """Return a method with a stream of requests and one response."""
        return _ForwardedMethod(self._channel.stream_unary(*words, **more))

    def stream_stream(self, *words: Any, **more: Any) -> "_ForwardedMethod":
        """Return a method with streams of requests and of responses."""
        return _ForwardedMethod(self._channel.stream_stream(*words, **more))


class _ForwardedMethod:
    """A method that adds the forwarded metadata to every call."""

    __slots__ = ("_call",)

    def __init__(self, call: Any) -> None:
        self._call = call

    def __call__(self, *words: Any, metadata: Any = None, **more: Any) -> Any:
        return self._call(*words, metadata=_with_passed_on(metadata), **more)

    def future(self, *words: Any, metadata: Any = None, **more: Any) -> Any:
        """Start a call to be waited for later."""
        return self._call.future(*words, metadata=_with_passed_on(metadata), **more)

    def with_call(self, *words: Any, metadata: Any = None, **more: Any) -> Any:
        """Call; return the answer and the call itself, with its metadata."""
        return self._call.with_call(*words, metadata=_with_passed_on(metadata), **more)


def _with_passed_on(metadata: Any) -> Any:
    """Return the caller's own metadata, then the forwarded metadata; a request id from the caller is kept."""
    if not metadata:
        return passed_on()
    given = tuple(metadata)
    is_given = any(key == REQUEST_ID_KEY for key, _ in given)
    return given + tuple(pair for pair in passed_on() if not (is_given and pair[0] == REQUEST_ID_KEY))
