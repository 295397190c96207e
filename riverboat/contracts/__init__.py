"""Values that cross a contract, one module per contract. Nothing here computes, reads a message or knows a service."""
