"""The kind of run `opponents`: styles of play, boosted trees that predict moves, and what cards moves go with."""
