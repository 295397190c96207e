"""The hash of the code that makes samples covers exactly what they depend on."""

from pathlib import Path

import pytest

from riverboat.compiled.kernels import source_files
from riverboat.services.trainer.generation import jobs, network_labels
from riverboat.services.trainer.generation.origin import code_hash, hash_of_files, syntax_text

SOURCE = '''
"""What it is."""
import numpy as np

def double(x: int) -> int:
    """Twice."""
    return 2 * x  # why
'''


WITHOUT_MEANING = [
    ("What it is.", "What it does, in other words."),
    ("Twice.", "Two times."),
    ("  # why", ""),
    ("(x: int) -> int:", "(\n    x: int,\n) -> int:\n"),
    ("2 * x", "(2 * x)"),
]
WITH_MEANING = [("2 * x", other) for other in ("3 * x", "2 + x", "x * 2", "None", "2 * x\nLIMIT = ()\n")]


@pytest.mark.parametrize(("text", "other"), WITHOUT_MEANING)
def test_what_changes_no_number_changes_no_hash(text: str, other: str) -> None:
    edited = SOURCE.replace(text, other)
    assert edited != SOURCE
    assert syntax_text(edited) == syntax_text(SOURCE)


@pytest.mark.parametrize(("text", "other"), WITH_MEANING)
def test_what_may_change_a_number_changes_the_hash(text: str, other: str) -> None:
    assert syntax_text(SOURCE.replace(text, other)) != syntax_text(SOURCE)


def test_where_files_are_makes_no_difference(tmp_path: Path) -> None:
    files = []
    for folder in ("a", "z"):
        (tmp_path / folder).mkdir()
        files.append(tmp_path / folder / "module.py")
        files[-1].write_text(SOURCE)
    other = tmp_path / "other.py"
    other.write_text("LIMIT = 1\n")
    assert hash_of_files([files[0], other]) == hash_of_files([other, files[1]])
    (tmp_path / "errors.py").write_text("class Anything(Exception): ...\n")
    assert hash_of_files([files[0], other, tmp_path / "errors.py"]) == hash_of_files([files[0], other])
    other.write_text("LIMIT = 2\n")
    assert hash_of_files([files[0], other]) != hash_of_files([])


def test_it_covers_what_samples_depend_on() -> None:
    covered = {
        "/".join(file.parts[-3:])
        for module in (jobs, network_labels)
        for file in source_files(Path(module.__file__ or ""))
    }
    for path in (
        "riverboat/situations/sampler.py",
        "riverboat/situations/labels.py",
        "riverboat/spots/spot.py",
        "riverboat/solving/cfr.py",
        "riverboat/rules/betting.py",
        "riverboat/nets/leaf.py",
        "riverboat/nets/features.py",
        "riverboat/nets/network.py",
        "riverboat/training/jobs.py",
        "trainer/generation/samples.py",
    ):
        assert [name for name in covered if name.endswith(path)], path
    for path in (
        "training/plans.py",
        "training/progress.py",
        "trainer/store.py",
        "trainer/settings.py",
        "conductor.py",
    ):
        assert not [name for name in covered if name.endswith(path)], path
    assert len(code_hash()) == 16


def test_it_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout that is updated while a worker runs changes files, not the code that the worker runs."""
    before = code_hash()
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "changed = True")
    assert code_hash() == before
