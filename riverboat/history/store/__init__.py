"""Hands by the million: text read by compiled code, replayed by the rules, and kept in columns."""
