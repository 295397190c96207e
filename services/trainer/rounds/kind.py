"""The interface of a kind of run: plan, job, learn, export."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

TellMessage = Callable[[str], None]  # reports what a run is doing, in words for people
FetchArtefact = Callable[[str], bytes]  # returns an earlier run's artefact by its name; NotFound if there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefact:
    """The product of a run: one file, its card, and a picture of the run."""

    label: str  # first part of its name, like "evolved-hof"; the beginning of the file's hash follows
    suffix: str  # of the file, like ".json"
    data: bytes
    card: Mapping[str, Any]
    picture: bytes = b""  # PNG; empty for none


class RoundsKind(Protocol):
    """A kind of run. All its functions are pure: the same arguments, the same bytes, on any machine."""

    name: str
    makes: str  # the product of such a run, in a few words
    plan: type[Any]  # a frozen dataclass whose fields are made by `setting`

    def round_count(self, plan: Any) -> int:
        """Return the number of rounds of a run."""
        ...

    def begin(self, plan: Any, tell: TellMessage, fetch: FetchArtefact) -> bytes:
        """Return the state before the first round, with everything it needs from earlier runs."""
        ...

    def job_count(self, plan: Any, number: int) -> int:
        """Return the number of jobs that a round, counted from 0, has for the workers; there may be none."""
        ...

    def job(self, plan: Any, state: bytes, number: int, job: int) -> bytes:
        """Return the result of one job of a round, on one core."""
        ...

    def learn(
        self, plan: Any, state: bytes, number: int, results: Sequence[bytes], threads: int, tell: TellMessage
    ) -> tuple[bytes, Mapping[str, float]]:
        """Return the state after a round, and the measurements of the round."""
        ...

    def export(self, plan: Any, state: bytes) -> Artefact:
        """Return the run's artefact."""
        ...
