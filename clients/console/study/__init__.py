"""Spots to study: read, solved, and shown in the terminal or as a page."""
