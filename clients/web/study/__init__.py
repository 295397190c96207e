"""Studying in the browser: spots, solutions, and hands to review."""
