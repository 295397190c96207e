"""Tournaments: structures, seating, prizes, and a compiled loop that plays them whole."""
