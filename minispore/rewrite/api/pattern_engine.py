"""Pattern engine: finds groups of calls that read one another in a given way, and replaces them by other nodes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, OrderedDict
from typing import Any

from minispore.core.errors import shown, type_error, value_error
from minispore.ops.object_text import of_arguments
from minispore.rewrite.api.pattern_node import PatternNode, VarNode, inputs_first, matches
from minispore.rewrite.api.symbol_tree import Node, SymbolTree
from minispore.rewrite.tree.links import check_settled
from minispore.rewrite.tree.scoped_value import ScopedValue

__all__ = ["PatternEngine", "PatternNode", "Replacement", "VarNode"]


class Replacement(ABC):
    """The replacement of a matched pattern; subclasses define ``build``."""

    @abstractmethod
    def build(self, pattern: PatternNode, is_chain_pattern: bool, matched) -> Any:
        """The nodes to insert, in the order in which they run; an empty list leaves the tree unchanged.

        Args:
            pattern (PatternNode): The pattern.
            is_chain_pattern (bool): Whether the pattern was given as a list of classes.
            matched (OrderedDict[str, Node]): The node that each PatternNode matched, by its name, inputs first.

        Returns:
            list[Node], of which the last defines the target of the pattern's last call.
        """


class PatternEngine:
    """Replaces each match of ``pattern`` by ``replacement.build(...)``.

    Nodes match if they call objects of the pattern's classes and read one another as it says. Only the last one's
    targets may be read outside the match. All are in one body, where no other node assigns to the values they read.

    Args:
        pattern (PatternNode or list[type]): The last call of the pattern, or the classes of a chain of calls.
        replacement (Replacement): Builds the new nodes.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If the pattern is empty, is a VarNode alone, contains a name twice, or has a part that is an input
            of its inputs.
    """

    __repr__ = of_arguments

    def __init__(self, pattern, replacement: Replacement | None = None) -> None:
        self._is_chain = isinstance(pattern, (list, tuple))
        pattern = PatternNode.create_pattern_from_list(pattern) if self._is_chain else pattern
        for argument, given, kind in (("pattern", pattern, PatternNode), ("replacement", replacement, Replacement)):
            if not isinstance(given, kind):
                raise type_error("PatternEngine", f"the '{argument}' must be a {kind.__name__}", type(given).__name__)
        if pattern.is_variable:
            raise value_error("PatternEngine", "the 'pattern' must be a call", "a VarNode")
        self._pattern, self._replacement = pattern, replacement
        self._calls = [part for part in inputs_first(pattern) if not part.is_variable]
        names = [part.name() for part in self._calls]
        if len(set(names)) < len(names):
            raise value_error("PatternEngine", "the names in the 'pattern' must differ", names)

    def pattern(self) -> PatternNode:
        """The last call of the pattern."""
        return self._pattern

    def apply(self, stree) -> Any:
        """Replace each match in a tree, and in the trees and containers inside it; returns whether there was any.

        Nodes are visited in order, each once as the last of a match; inserted nodes may be part of later matches.

        Raises:
            TypeError: If ``stree`` is not a SymbolTree, or ``build`` does not return a list of Nodes.
            ValueError: If the new nodes are not valid at their place; that match then stays unchanged. Also if a name
                means another value than the node that its reader was linked to.
        """
        if not isinstance(stree, SymbolTree):
            raise type_error("PatternEngine", "the 'stree' must be a SymbolTree", type(stree).__name__)
        trees = _trees_in(stree.get_handler())
        for tree in trees:
            check_settled(tree, "PatternEngine.apply")
        replaced = [self._replace_at(tree, node) for tree in trees for node in tree.all_nodes()]
        return any(replaced)

    def _replace_at(self, tree, root):
        """Replace the match that ends in ``root``, if there is one."""
        matched = self._matched(root) if root.tree is tree else None
        if matched is None:
            return False
        inner = sorted(set(matched.values()) - {root}, key=lambda node: node.order_key)
        names, done = _with_names_of_their_own(tree, inner), False
        try:
            done = self._put_in(tree, root, matched)
        finally:
            for node, before, after in () if done else reversed(names):
                _rename(node, after, before)
        for node in reversed(inner) if done else ():
            if not node.users:  # else the new nodes still read it
                SymbolTree(tree).erase(Node(node))
        return done

    def _put_in(self, tree, root, matched):
        """Replace ``root`` by the built nodes; returns whether there were any."""
        wrapped = OrderedDict((name, Node(node)) for name, node in matched.items())
        built = self._replacement.build(self._pattern, self._is_chain, wrapped)
        if not built:
            return False
        if not isinstance(built, (list, tuple)) or not all(isinstance(node, Node) for node in built):
            raise type_error("Replacement.build", "what is returned must be a list of Nodes", shown(built))
        ordered = _in_order(tree, built)
        _name_targets(tree, root, [node.get_handler() for node in ordered])
        SymbolTree(tree).replace(Node(root), ordered)
        return True

    def _matched(self, root):
        """The matching nodes by the names of their patterns; None if they do not match, or cannot run at ``root``."""
        found = {}
        if not matches(self._pattern, None, root, found):
            return None
        nodes = {found[part][1] for part in self._calls}
        inner = nodes - {root}
        if any(node.block is not root.block or _reads_what_changes(node, root, nodes) for node in inner):
            return None
        if any(user not in nodes for node in inner for user in node.users):
            return None
        return {part.name(): found[part][1] for part in self._calls}


def _reads_what_changes(node, root, matched):
    """True if ``node`` reads a name that an unmatched node defines between it and ``root``, later in its block."""
    read, between = node.roots(), node.after
    while between is not root:
        if between not in matched and any(between.defines(name) for name in read):
            return True
        between = between.after
    return False


def _with_names_of_their_own(tree, nodes):
    """Rename each target that other nodes define too, so that the values the nodes read can be read at a later place.

    Returns:
        list of (node, old name, new name).
    """
    done = []
    for node in nodes:
        for target in filter(node.is_defined_elsewhere, node.targets):
            new = ScopedValue.create_naming_value(tree.values.unique(target.value))
            _rename(node, target, new)
            done.append((node, target, new))
    return done


def _rename(node, old, new):
    """Rename a target of the node, and change its readers."""
    users = node.readers(old.value)
    node.rename_target(old, new)
    for user in users:
        user.read_instead(old, new)


def _name_targets(tree, root, nodes):
    """Give the last new node the targets of ``root``, and the targets of the others unused names."""
    renamed = {}
    for node in nodes:
        for old, new in renamed.items():
            node.read_instead(old, new)
        if node.tree is None:
            kept = root.targets[: len(node.targets)] if node is nodes[-1] else []
            more = [tree.values.unique(target.value) for target in node.targets[len(kept) :]]
            fresh = [*kept, *ScopedValue.create_name_values(more)]
            renamed.update(zip(node.targets, fresh, strict=True))
            node.targets = fresh


def _in_order(tree, nodes):
    """The new nodes, each after the producers of the values it reads, if a value has a single, new producer."""
    made = Counter(target for node in nodes for target in node.get_targets())
    own = {target for target, times in made.items() if times == 1 and target.value not in tree.values}
    makers = {target: node for node in nodes for target in node.get_targets() if target in own}
    placed = {}

    def place(node, waiting):
        for value in node.get_handler().reads():
            maker = makers.get(value)
            if maker is not None and maker not in placed and maker not in waiting:
                place(maker, [*waiting, maker])
        placed[node] = True

    for node in nodes:
        if node not in placed:
            place(node, [node])
    return list(placed)


def _trees_in(tree, seen=None):
    """A tree and all trees inside it, each once."""
    seen = {} if seen is None else seen
    if tree not in seen:
        seen[tree] = True
        for node in tree.all_nodes():
            if node.sub_tree is not None:
                _trees_in(node.sub_tree, seen)
    return list(seen)
