"""Random and half-right requests for every method of every service: python -m tests.fuzz --calls 200000."""
