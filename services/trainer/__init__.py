"""The trainer: plans runs, keeps their samples, trains networks and exports them."""
