"""Models of players that ship, each a file with a card beside it."""
