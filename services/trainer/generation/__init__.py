"""Generating samples: jobs, the queue they wait in, the workers that do them, and the store for what they made."""
