"""Matches against Slumbot by its public HTTP interface."""
