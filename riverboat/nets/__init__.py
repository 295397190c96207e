"""Value networks: their inputs and outputs, how their files are run, and the yardsticks that score them."""
