"""How to install a missing part, for the way Riverboat was installed."""

import json
import sys
from typing import Any
from unittest import mock

import pytest

from riverboat.rpc import installation
from riverboat.rpc.installation import how_to_install


@pytest.fixture(autouse=True)
def afresh() -> Any:
    installation._source.cache_clear()
    yield
    installation._source.cache_clear()


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        (
            {"url": "file:///home/me/riverboat", "dir_info": {"editable": True}},
            ".venv/bin/pip install -c requirements/constraints.txt -e '.[pictures]' in Riverboat's folder",
        ),
        (
            {"url": "file:///tmp/riverboat-0.1-py3-none-any.whl"},
            f"{sys.executable} -m pip install 'riverboat[pictures] @ file:///tmp/riverboat-0.1-py3-none-any.whl'",
        ),
        (None, f"{sys.executable} -m pip install 'riverboat[pictures]'"),
    ],
)
def test_each_way_of_installing_has_its_command(origin: Any, said: str) -> None:
    with mock.patch.object(installation, "distributions", return_value=[metadata(origin)]):
        assert how_to_install("pictures") == said


def test_a_build_in_a_clone_hides_nothing() -> None:
    editable = metadata({"url": "file:///home/me/riverboat", "dir_info": {"editable": True}})
    with mock.patch.object(installation, "distributions", return_value=[metadata(None), editable]):
        assert how_to_install() == ".venv/bin/pip install -c requirements/constraints.txt -e '.' in Riverboat's folder"


def test_a_clone_without_an_installation() -> None:
    with mock.patch.object(installation, "distributions", return_value=[]):
        assert how_to_install() == ".venv/bin/pip install -c requirements/constraints.txt -e '.' in Riverboat's folder"


def metadata(origin: Any) -> Any:
    """Return the metadata of an installation from an origin."""
    package = mock.Mock()
    package.read_text.return_value = None if origin is None else json.dumps(origin)
    return package
