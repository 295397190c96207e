"""Tables: their events, their state, and the rules for changing it."""
