"""Whether a worker here finds its queue and its store: python -m services.trainer.worker --check (exit code 0 if so).

Workers take no orders through the queue, so they cannot be asked; one that ends is started again by whoever started it.
"""

from riverboat.errors import RiverboatError
from services.trainer.generating.ledger import Ledger
from services.trainer.store import SHARDS, Store


def problem(redis: str, store: str) -> str:
    """What is missing; nothing if all is there."""
    try:
        Ledger(redis).ping()
        Store(store).has(SHARDS, "any")
    except RiverboatError as error:
        return str(error)
    return ""
