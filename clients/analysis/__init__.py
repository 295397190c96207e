"""What a solver says about hands: ranges through a hand, explanations, reviews, and how all that is worded."""
