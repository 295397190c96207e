"""Spots: situations of two players in a hand of poker, and the subgames that they are for a solver."""
