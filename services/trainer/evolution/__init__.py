"""Runs that evolve nets in tournaments: a round is a generation, its jobs are series of tournaments."""
