"""Situations that value networks learn from: their sampling and their values."""
