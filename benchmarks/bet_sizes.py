"""How often each class of bet and raise is made in a store of hands: python -m benchmarks.bet_sizes STORE PLAYERS."""

import sys
from pathlib import Path

import numpy as np

from riverboat.clients.console.hands.store import HandStore
from riverboat.opponents.decisions import stored_decisions
from riverboat.opponents.moves import FIRST_BET, FIRST_RAISE, SIZE_COUNT


def main() -> None:
    """Print the counts of bets and raises, smallest size first."""
    store, players = HandStore(Path(sys.argv[1])), int(sys.argv[2])
    store.check()
    counts = np.zeros(FIRST_RAISE + SIZE_COUNT, np.int64)
    for part in store.parts():
        decisions = stored_decisions(part.columns)
        moves = decisions.move[decisions.player_count == players]
        counts += np.bincount(moves, minlength=len(counts))
    print("bets  ", counts[FIRST_BET:FIRST_RAISE].tolist())
    print("raises", counts[FIRST_RAISE:].tolist())


if __name__ == "__main__":
    main()
