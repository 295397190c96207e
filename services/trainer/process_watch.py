"""The processes in which runs learn or go through their rounds, followed until they end."""

from collections.abc import Callable
from enum import Enum
from subprocess import Popen
from threading import Event

import structlog

from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.remaining_time import RemainingTime
from riverboat.training.progress import Stage

_TICK_SECONDS = 0.2
_WAIT_SECONDS = 1.0
STOP_SECONDS = 10.0
MOST_FALLS = 3  # in the same epoch
EXIT_PASSING = 75  # exit code of a process that could not reach Redis or the store: start it again
ReadProgress = Callable[[], tuple[int, int]]  # the amount of work done, and the whole amount
log = structlog.get_logger()


class ProcessEnd(Enum):
    """How a process ended."""

    DONE = "done"  # or stopped, or interrupted and to be started again
    FAILED = "failed"
    KILLED_TOO_OFTEN = "killed too often"


class ProcessWatch:
    """Follows processes, and counts how often the process of each run was killed."""

    def __init__(self, ledger: RunLedger, closed: Event) -> None:
        self._ledger, self._closed = ledger, closed
        self._falls: dict[str, tuple[int, int]] = {}  # epochs done when a run's process was last killed, and how often

    def forget(self, run_id: str) -> None:
        """Forget a run that was dropped."""
        self._falls.pop(run_id, None)

    def follow(
        self, run_id: str, process: Popen[bytes], stage: Stage, progress: ReadProgress, remaining: RemainingTime
    ) -> ProcessEnd:
        """Follow a process until it ends; stop it if the run leaves its stage or the conductor closes."""
        try:
            while process.poll() is None:
                if self._closed.is_set() or self._ledger.stage(run_id) is not stage:
                    return ProcessEnd.DONE
                remaining.update(*progress())
                self._closed.wait(_TICK_SECONDS)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(STOP_SECONDS)
        if not process.returncode or self._ledger.stage(run_id) is not stage:
            return ProcessEnd.DONE
        if process.returncode < 0 or process.returncode == EXIT_PASSING:
            return self._after_fall(run_id, process.returncode, progress()[0])
        return ProcessEnd.FAILED

    def _after_fall(self, run_id: str, code: int, epochs: int) -> ProcessEnd:
        """Count a process that was killed or could not reach Redis; wait before it is started again."""
        before, count = self._falls.get(run_id, (epochs, 0))
        self._falls[run_id] = epochs, count + 1 if before == epochs else 1
        if self._falls[run_id][1] > MOST_FALLS:
            return ProcessEnd.KILLED_TOO_OFTEN
        log.warning("learning_resumed", run=run_id, exit_code=code, epochs=epochs)
        self._ledger.set_message(run_id, "learning was interrupted, and continues from its checkpoint")
        self._closed.wait(_WAIT_SECONDS)
        return ProcessEnd.DONE
