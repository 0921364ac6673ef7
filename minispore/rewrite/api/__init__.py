"""The public interface of rewrite: SymbolTree, Node and the pattern engine.

Reading order: ``node``, ``symbol_tree``, ``pattern_node``, ``pattern_engine``.
"""
