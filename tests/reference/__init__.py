"""Slow, obvious twins of fast code."""
