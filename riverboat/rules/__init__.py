"""The rules of betting: variants as data, a compiled core, and a friendly face over it."""
