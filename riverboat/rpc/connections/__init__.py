"""How a client reaches a server: one way to open channels, secrets, and what went wrong."""
