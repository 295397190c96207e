"""The game manager service: the rules of betting, tables, agent hosts and matches."""
