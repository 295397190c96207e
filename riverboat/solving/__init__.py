"""Counterfactual regret minimisation over ranges. Knows no poker: trees, holdings and payoffs come from outside."""
