"""Learned policies that run from files: nets evolved in tournaments."""
