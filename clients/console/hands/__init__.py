"""Hands that were played: files, deals and what witnesses saw of them."""
