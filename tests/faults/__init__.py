"""A match under which everything is taken away in turn: python -m tests.faults --seconds 30."""
