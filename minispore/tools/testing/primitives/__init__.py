"""One line for each primitive: an instance, its inputs, its formula in NumPy; the laws are tested from that."""
