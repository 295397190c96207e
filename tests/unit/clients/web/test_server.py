from pathlib import Path

import pytest

from riverboat.clients.remote.refusals import Refused
from riverboat.clients.web.gateway import WebOptions
from riverboat.clients.web.server import address_of, check_exposure, listen

EVERYWHERE = "0.0.0.0"  # noqa: S104  # nothing listens there


def test_only_this_machine_needs_no_password() -> None:
    check_exposure(WebOptions(host="127.0.0.1"))
    check_exposure(WebOptions(host="localhost"))
    with pytest.raises(Refused, match="set a password"):
        check_exposure(WebOptions(host=EVERYWHERE))
    check_exposure(WebOptions(host=EVERYWHERE, password="correct horse"))
    check_exposure(WebOptions(host=EVERYWHERE, force=True))
    check_exposure(WebOptions(host=EVERYWHERE, certificate=Path("c.pem"), key=Path("k.pem")))


def test_what_cannot_be_meant_is_refused() -> None:
    with pytest.raises(Refused, match="8 characters"):
        check_exposure(WebOptions(password="short"))
    with pytest.raises(Refused, match="belong together"):
        check_exposure(WebOptions(certificate=Path("c.pem")))


def test_a_port_that_is_taken_is_refused() -> None:
    with listen(WebOptions()) as first:
        port = first.getsockname()[1]
        assert address_of(first, WebOptions()) == f"http://127.0.0.1:{port}/"
        with pytest.raises(Refused, match="--port"):
            listen(WebOptions(port=port))
