"""Tables: what happens at them as events, what they are, and who may do what."""
