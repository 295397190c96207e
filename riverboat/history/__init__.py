"""Played hands: one type of value, and the formats that are read to it and written from it."""
