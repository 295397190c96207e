"""Evolution: genomes, selection, mutation, hall of fame."""
