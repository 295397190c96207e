"""Monte Carlo tree search against opponents whose play is modelled."""
