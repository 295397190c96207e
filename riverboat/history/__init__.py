"""Hands that were played: one value for them, and the formats they are written in."""
