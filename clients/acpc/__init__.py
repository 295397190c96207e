"""The TCP protocol of the Annual Computer Poker Competition: a dealer for any agents, and a player for ours."""
