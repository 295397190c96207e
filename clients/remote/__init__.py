"""Typed clients: one for each contract, with values instead of messages."""
