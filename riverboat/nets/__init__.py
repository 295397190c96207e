"""Value networks: what goes in, what comes out, and how a file of one is run."""
