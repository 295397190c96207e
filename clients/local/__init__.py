"""Services as processes on this machine: starting them, waiting until they are ready, stopping them."""
