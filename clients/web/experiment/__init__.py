"""The experiment: people against agents that they do not know, their answers, and what came of it."""
