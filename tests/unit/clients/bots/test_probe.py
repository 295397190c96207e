"""The health check of agent hosts."""

import pytest

from riverboat.clients.bots import probe
from tests.processes import free_port


@pytest.mark.parametrize("words", [[], ["one:1", "two:2"]])
def test_without_one_address_it_shows_its_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert probe.main(words) == 2
    assert capsys.readouterr().err == "usage: python -m riverboat.clients.bots.probe HOST:PORT\n"


def test_where_nobody_listens() -> None:
    assert probe.main([f"127.0.0.1:{free_port()}"]) == 1
