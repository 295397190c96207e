"""The experiment: people play unnamed agents and answer questions, and researchers read the results."""
