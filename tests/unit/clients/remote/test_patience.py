"""Following streams through outages: nothing is lost, and nobody waits for ever."""

from collections.abc import Callable, Iterator

import grpc
import pytest

from riverboat.clients.remote import patience
from riverboat.clients.remote.patience import patiently
from riverboat.clients.remote.refusals import Refused


class Gone(grpc.RpcError):
    def __init__(self, code: grpc.StatusCode) -> None:
        self._code = code

    def code(self) -> grpc.StatusCode:
        return self._code


class Flaky:
    """A stream that breaks after two numbers, is away for two calls, and then sends the rest."""

    def __init__(self, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE, away: int = 2) -> None:
        self._code, self._away, self._calls = code, away, 0

    def __call__(self) -> Iterator[int]:
        self._calls += 1
        if self._calls == 1:
            yield from (1, 2)
        if self._calls <= self._away:
            raise Gone(self._code)
        yield from (3, 4)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "_AGAIN_SECONDS", 0)


def followed(stream: Flaky, again: str, say: Callable[[str], None] = lambda _: None) -> Iterator[int]:
    return patiently(stream, server="the trainer at here", what="the run", again=again, say=say)


def test_a_stream_goes_on_after_an_outage() -> None:
    said: list[str] = []
    assert list(followed(Flaky(), "riverboat train", said.append)) == [1, 2, 3, 4]
    assert said == ["the trainer at here does not answer; waiting for it…", "it is back, and the run goes on"]


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "_PATIENCE_SECONDS", 0)
    with pytest.raises(Refused, match=r"no longer answers; when it is back: riverboat train --run 1$"):
        list(followed(Flaky(away=10**9), "riverboat train --run 1"))


def test_a_refusal_is_no_outage() -> None:
    with pytest.raises(Gone):
        list(followed(Flaky(grpc.StatusCode.NOT_FOUND), ""))
