"""Random and nearly valid requests to every method of every service: python -m tests.fuzz --calls 200000."""
