"""Checks of Riverboat's contracts, for any server that claims to fulfil one: what it still gets wrong."""
