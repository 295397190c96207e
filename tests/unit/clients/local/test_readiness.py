"""Waiting for a server: it answers, it has ended, or the time is up."""

import pytest

from riverboat.clients.local.readiness import check_connection, wait_until_ready
from riverboat.clients.local.services import AGENT_HOST, GAMEMANAGER, ORACLE, RESOLVER, TRAINER
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.connections.channels import open_channel
from tests.processes import free_port


def alive() -> None:
    """Say that the process runs."""


def test_the_first_answer_ends_the_wait() -> None:
    answers, said = iter([False, False, True]), list[str]()
    wait_until_ready(
        "the oracle", lambda _: next(answers), alive, said.append, seconds=60, slow_start=lambda: "compiles"
    )
    assert said == ["waiting for the oracle…"] * 2


@pytest.mark.parametrize(
    ("reason", "text"),
    [("it compiles", "the oracle is starting; it compiles…"), ("", "the oracle is starting…")],
)
def test_a_long_start_is_explained_once_if_there_is_a_reason(
    reason: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("riverboat.clients.local.readiness._SOON_SECONDS", -1)
    answers, said, asked = iter([False, False, True]), list[str](), list[str]()

    def slow_start() -> str:
        asked.append(reason)
        return reason

    wait_until_ready("the oracle", lambda _: next(answers), alive, said.append, seconds=60, slow_start=slow_start)
    assert said == [text] * 2
    assert asked == [reason]


@pytest.mark.parametrize("must", [True, False])
def test_only_a_start_that_compiles_is_said_to_compile(must: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.clients.local.services.must_compile", lambda module: must)
    for service in (ORACLE, GAMEMANAGER, RESOLVER, AGENT_HOST):
        assert ("compiles kernels" in service.slow_start()) is must
    assert TRAINER.slow_start() == "it loads torch"


def test_a_process_that_died_is_not_waited_for() -> None:
    def dead() -> None:
        raise Refused("cannot start an oracle: its last line")

    with pytest.raises(Refused, match="its last line"):
        wait_until_ready("the oracle", lambda _: False, dead, lambda _: None, seconds=60, slow_start=lambda: "compiles")


def test_time_is_up() -> None:
    with pytest.raises(Refused, match=r"the oracle was not ready after -1 seconds; see the log$"):
        wait_until_ready(
            "the oracle",
            lambda _: False,
            alive,
            lambda _: None,
            seconds=-1,
            slow_start=lambda: "compiles",
            hint="; see the log",
        )


def test_nobody_listens() -> None:
    address = f"127.0.0.1:{free_port()}"
    with open_channel(address) as channel, pytest.raises(Refused, match="nobody there"):
        check_connection(channel, address, "nobody there")
