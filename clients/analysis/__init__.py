"""Analysis of hands with a solver: ranges through a hand, explanations, reviews, and their wording."""
