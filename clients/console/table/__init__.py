"""A table in the terminal: its events in words, its screen, and the session of a person who plays there."""
