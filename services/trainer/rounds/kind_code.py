"""The hash of the code of a kind of run: workers must run the same code as the trainer."""

import sys
from functools import cache
from pathlib import Path

from riverboat.compiled.kernels import source_files
from riverboat.services.trainer.generation.origin import hash_of_files
from riverboat.services.trainer.rounds.kinds import find_kind


@cache
def code_of(kind: str) -> str:
    """Return the hash of the code that a kind runs, as it was at the first call."""
    module = sys.modules[type(find_kind(kind)).__module__]
    return hash_of_files(source_files(Path(module.__file__ or "")))
