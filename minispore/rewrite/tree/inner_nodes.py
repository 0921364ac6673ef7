"""InnerNodes: the nodes inside a node: those of its bodies, or of the tree of the cell that it calls."""

from minispore.rewrite.tree.scoped_value import NodeType


class InnerNodes:
    """Base of TreeNode: what stands inside of it."""

    @property
    def sub_tree(self):
        """The tree of the called cell; None for a leaf."""
        forest = self.inside if self.tree is None else self.tree.forest
        known = forest is not None and self.kind in (NodeType.Tree, NodeType.CellContainer)
        return forest.trees.get(self.called) if known else None

    @property
    def node_list(self):
        """The inner nodes: those of its bodies, or the calls in the called tree or container."""
        if self.blocks:
            return [node for block in self.blocks for node in block.nodes()]
        inside = self.sub_tree.nodes() if self.sub_tree is not None else []
        return [node for node in inside if node.kind not in (NodeType.Input, NodeType.Output)]
