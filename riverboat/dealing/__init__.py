"""Deals that nobody can predict, nobody can choose, and everybody can check.

`shuffle` orders a deck by a seed. `predeck` commits to every card of a shuffled deck by a Merkle tree, `mix`
combines the server's commitment with what the seats contribute, `record` checks the deal of one hand from what was
public, and `witness` checks it against what one seat saw before the hand. docs/fair-dealing.md specifies all of it to
the last bit, so that a client in any language can take part.
"""

from riverboat.dealing.shuffle import SEED_BYTES, commitment, deal_by_seed, derived_seed, shuffle_by_seed

__all__ = ["SEED_BYTES", "commitment", "deal_by_seed", "derived_seed", "shuffle_by_seed"]
