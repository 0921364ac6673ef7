"""The public face of rewrite: SymbolTree, Node and the pattern engine."""
