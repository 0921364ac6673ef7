"""The public interface of rewrite: SymbolTree, Node and the pattern engine.

Reading order: ``node_facts``, ``node``, ``tree_nodes``, ``tree_text``, ``symbol_tree``, ``pattern_node``,
``pattern_engine``.
"""
