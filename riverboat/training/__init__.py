"""Training runs as values: plans, jobs, stages and progress."""
