"""Push or fold: before the flop every player goes all-in or folds, with equal stacks; solved by sampled self-play."""
