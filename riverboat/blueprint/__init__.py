"""A strategy for a whole game by self-play: groups of holdings, sampled CFR, the average strategy, best responses."""
