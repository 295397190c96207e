"""The page: a gateway between browsers and the contracts, and the static files that it serves."""
