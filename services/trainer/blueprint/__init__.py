"""Runs that make a blueprint by self-play: a round is some epochs."""
