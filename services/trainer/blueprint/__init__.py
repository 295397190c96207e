"""Runs that find a blueprint by self-play: a round is some epochs."""
