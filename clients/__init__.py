"""Everything that dials in: people's console, bots, examples."""
