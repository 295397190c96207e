"""Checks of Riverboat's contracts, for any server that claims to implement one."""
