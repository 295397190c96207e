"""Spots to study: what a solver found, in the terminal and as a page."""
