"""Whether a worker here finds its queue and its store: python -m services.trainer.worker.probe (exit code 0 if so).

Workers take no orders through the queue, so they cannot be asked; one that ends is started again by whoever started it.
"""

import sys

from riverboat.errors import RiverboatError
from services.trainer.generating.ledger import Ledger
from services.trainer.settings import WorkerSettings
from services.trainer.store import SHARDS, Store


def problem(settings: WorkerSettings) -> str:
    """What is missing; nothing if all is there."""
    try:
        Ledger(settings.redis).ping()
        Store(settings.store).has(SHARDS, "any")
    except RiverboatError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    if found := problem(WorkerSettings()):
        sys.exit(found)
