"""The resolver service: solves what lies ahead, and answers questions about it."""
