"""Runs in rounds: the loop that every kind of run except value networks goes through."""
