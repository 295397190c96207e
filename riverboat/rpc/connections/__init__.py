"""Connections of clients: the one way to open channels, servers' secrets, and reasons why a connection fails."""
