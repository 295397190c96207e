"""A table in the terminal: what is seen of it, in words and as a screen, and how a person plays at it."""
