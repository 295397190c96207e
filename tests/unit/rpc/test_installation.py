"""How to install a missing part, for the way Riverboat was installed."""

import json
import sys
from importlib.metadata import PackageNotFoundError
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
    package = mock.Mock()
    package.read_text.return_value = None if origin is None else json.dumps(origin)
    with mock.patch.object(installation, "distribution", return_value=package):
        assert how_to_install("pictures") == said


def test_a_clone_without_an_installation() -> None:
    with mock.patch.object(installation, "distribution", side_effect=PackageNotFoundError):
        assert how_to_install() == ".venv/bin/pip install -c requirements/constraints.txt -e '.' in Riverboat's folder"
