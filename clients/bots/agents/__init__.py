"""The built-in agents, one module each; `registry` finds them by name."""
