"""The oracle service: cards, and nothing about betting."""
