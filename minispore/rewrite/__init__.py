"""Rewriting of networks: SymbolTree, the nodes of a network's ``construct``, and what they are made of."""

from minispore.rewrite.api import Node, SymbolTree, TreeNodeHelper
from minispore.rewrite.check import check
from minispore.rewrite.pattern import PatternEngine, PatternNode, Replacement, VarNode
from minispore.rewrite.values import NodeType, ScopedValue, ValueType

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
