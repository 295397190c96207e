"""The game manager service: the rules of betting."""
