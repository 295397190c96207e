"""Histories as the largest poker sites write them for their players: plain text, recognised by its first line."""
