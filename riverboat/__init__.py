"""Riverboat's domain library: poker and solving, without I/O."""
