"""The tree: nodes, their forms and values, names, and the invariants that hold between them."""
