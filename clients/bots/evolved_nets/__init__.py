"""Evolved nets that ship with Riverboat: a file and a card each."""
