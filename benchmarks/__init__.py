"""Side-by-side runs against peers: ratios, printed as one table."""
