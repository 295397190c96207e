"""A match during which every service is taken away in turn: python -m tests.faults --seconds 30."""
