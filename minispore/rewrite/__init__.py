"""Rewriting of networks: SymbolTree, the nodes of a network's ``construct``, and their parts.

Reading order: ``gc_paused``, ``resolve``, ``tree``, ``parse``, ``edit``, ``generate``, ``site_record``,
``call_site_bindings``, ``call_site_names``, ``call_site_unknown``, ``call_site_handed``, ``call_site_functions``,
``call_site_operators``, ``call_site_visitor``, ``call_sites``, ``show``, ``graphviz``, ``api``. README.md beside this
file says which files O1 does not need.
"""

from minispore.rewrite.api.pattern_engine import PatternEngine, PatternNode, Replacement, VarNode
from minispore.rewrite.api.symbol_tree import Node, SymbolTree, TreeNodeHelper
from minispore.rewrite.tree.invariants import check
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue, ValueType

__all__ = [
    "Node",
    "NodeType",
    "PatternEngine",
    "PatternNode",
    "Replacement",
    "ScopedValue",
    "SymbolTree",
    "TreeNodeHelper",
    "ValueType",
    "VarNode",
    "check",
]
