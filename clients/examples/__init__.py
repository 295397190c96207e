"""Bots to copy from."""
