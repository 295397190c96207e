"""The names of a run's shards, each made when it is asked for: a run may have a million."""

from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np

from riverboat.training.plans import TrainingPlan


class ShardNames(Sequence[str]):
    """The shards of a plan's jobs, without those that were given up, in order of their seeds."""

    def __init__(self, plan: TrainingPlan, given_up: Iterable[int] = ()) -> None:
        self._plan = plan
        self._numbers = np.setdiff1d(np.arange(plan.job_count), np.array(list(given_up), np.int64))

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self._plan.job(int(number)).name for number in self._numbers[place]]
        return self._plan.job(int(self._numbers[place])).name
