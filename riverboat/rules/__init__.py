"""The rules of betting: variants as data, a compiled core, and immutable states that call it."""
