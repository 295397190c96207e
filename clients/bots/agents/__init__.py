"""The built-in agents, one module each; `registry` has them by name."""
