"""Situations that value networks learn from: how they are sampled, and what they are worth."""
