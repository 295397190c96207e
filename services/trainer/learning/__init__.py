"""Learning: the network, its training, and its export. The one place for torch."""
