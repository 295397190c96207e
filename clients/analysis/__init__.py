"""What clients of the resolver share: how to ask it, which trees to ask for, and ranges through a hand."""
