"""Check that a worker here reaches its queue and store: python -m riverboat.services.trainer.worker --check (0 if so).

Workers take no control messages through the queue, so they cannot be asked themselves.
"""

from riverboat.errors import RiverboatError
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.store import SHARDS, ObjectStore


def problem(redis: str, store: str) -> str:
    """Return the problems found; empty if there are none."""
    try:
        RunLedger(redis).ping()
        ObjectStore(store).has(SHARDS, "any")
    except RiverboatError as error:
        return str(error)
    return ""
