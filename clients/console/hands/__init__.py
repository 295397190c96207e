"""Finished hands: files, records, deals, and what witnesses saw of them."""
