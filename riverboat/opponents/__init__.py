"""Opponents: how players play, from the hands they have played."""
