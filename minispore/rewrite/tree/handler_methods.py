"""HandlerMethods: what MindSpore's handlers of nodes are asked for, as methods of a TreeNode."""


class HandlerMethods:
    """Mixed into TreeNode: each method returns one of its attributes, as MindSpore's method does."""

    def get_targets(self):
        """The values that the node defines, as a list."""
        return self.targets

    def get_args(self):
        """The values that it reads, as a list."""
        return list(self.args)

    def get_kwargs(self):
        """The values that it reads by keyword, as a dict."""
        return self.kwargs

    def get_users(self):
        """The readers of its targets."""
        return self.users

    def get_inputs(self):
        """The producers of the values it reads, one for each value."""
        return self.producers_with_repeats()

    def get_instance(self):
        """The called Cell or Primitive."""
        return self.instance

    def get_instance_type(self):
        """The class of the called object."""
        return self.called_type

    def get_next(self):
        """The next node in its block; None at the end."""
        return self.after

    def get_prev(self):
        """The previous node in its block; None at the start."""
        return self.before

    def get_belong_symbol_tree(self):
        """The tree that holds it."""
        return self.tree

    def get_node_type(self):
        """The kind of node."""
        return self.kind

    def get_name(self):
        """The node's name."""
        return self.name
