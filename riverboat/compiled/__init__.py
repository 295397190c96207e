"""How kernels are compiled: the decorator, lanes of numbers, machine words."""
