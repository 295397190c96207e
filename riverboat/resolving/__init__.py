"""Continual re-solving: a player that carries its own range and the opponent's values from decision to decision."""
