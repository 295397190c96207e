"""Check that a worker on this machine reaches its queue and store (riverboat.services.trainer.worker --check).

The check does not go through the worker, because workers take no control messages from the queue.
"""

from riverboat.errors import RiverboatError
from riverboat.services.trainer.generation.ledger import RunLedger
from riverboat.services.trainer.store import SHARDS, ObjectStore


def problem(redis: str, store: str) -> str:
    """Return the problem in a sentence; empty if there is none."""
    try:
        RunLedger(redis).ping()
        ObjectStore(store).has(SHARDS, "any")
    except RiverboatError as error:
        return str(error)
    return ""
