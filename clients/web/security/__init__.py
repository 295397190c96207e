"""What keeps browsers apart and strangers out: sessions, origins, limits, headers."""
