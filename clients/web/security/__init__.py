"""Security of the page: sessions, origin checks, rate limits and headers."""
