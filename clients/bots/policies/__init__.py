"""Policies that ship: each a file and its card."""
