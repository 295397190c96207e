"""Tables in the browser: seats, spectators, replays, advice."""
