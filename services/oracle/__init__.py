"""The oracle service: cards and nothing of betting."""
