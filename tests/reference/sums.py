"""A kind of run that can be checked by hand: each round adds the squares of its jobs' numbers to the state."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from riverboat.errors import InvalidInput
from riverboat.services.trainer.rounds.kind import Artefact, FetchArtefact, TellMessage
from riverboat.training.rounds import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class SumsPlan:
    """How many rounds of how many jobs, and which job fails."""

    rounds: int = setting(3, "Number of rounds.", low=1, high=1000)
    jobs: int = setting(4, "Jobs of a round.", low=0, high=100)
    scale: float = setting(1.0, "Factor of every square.", low=0.0)
    fails: int = setting(-1, "Job that fails; -1 for none.", low=-1)
    mode: str = setting("plain", "How to add.", choices=("plain", "twice"))
    is_odd: bool = setting(False, "Whether even squares are left out.")


class Sums:
    """Adds squares."""

    name = "sums"
    makes = "a sum of squares"
    plan = SumsPlan

    def round_count(self, plan: SumsPlan) -> int:
        """Return the number of rounds."""
        return plan.rounds

    def begin(self, plan: SumsPlan, tell: TellMessage, fetch: FetchArtefact) -> bytes:
        """Return zero."""
        return json.dumps(0.0).encode()

    def job_count(self, plan: SumsPlan, number: int) -> int:
        """Return the jobs of a round."""
        return plan.jobs

    def job(self, plan: SumsPlan, state: bytes, number: int, job: int) -> bytes:
        """Return a square."""
        if job == plan.fails:
            raise InvalidInput("fails", f"job {job} was told to fail")
        return json.dumps(plan.scale * (number + job) ** 2).encode()

    def learn(
        self, plan: SumsPlan, state: bytes, number: int, results: Sequence[bytes], threads: int, tell: TellMessage
    ) -> tuple[bytes, Mapping[str, float]]:
        """Add the squares of a round."""
        total = json.loads(state) + sum(json.loads(result) for result in results)
        return json.dumps(total).encode(), {"total": total}

    def export(self, plan: SumsPlan, state: bytes) -> Artefact:
        """Return the sum as a text."""
        return Artefact(label="sums", suffix=".txt", data=state, card={"total": json.loads(state)})


KIND = Sums()
