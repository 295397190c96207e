"""Hands and matches between bots in one process: duplicate deals, confidence intervals, all-ins by equity."""
