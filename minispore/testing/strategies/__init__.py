"""What is drawn: shapes, arrays, calls of primitives, networks, constructs, training runs; all shrink and print."""
