"""Training runs as values: what is planned, and how far it has come."""
