"""Blueprints that ship with Riverboat: files, their cards, and which one fits a game."""
