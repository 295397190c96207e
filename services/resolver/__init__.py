"""The resolver service: solves the rest of a hand, and answers questions about the solution."""
