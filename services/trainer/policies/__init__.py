"""Runs that learn a policy from a blueprint: states from self-play, then one model for each street."""
