"""Hands for learners: many tables at once, in arrays that compiled code steps through."""
