"""CalledFunction: the function that a node calls by a path such as ``ops.relu``, ``self.f`` or ``self.table["f"]``."""

from minispore.rewrite.gc_paused import parsed
from minispore.rewrite.resolve.outside import UNKNOWN
from minispore.rewrite.tree.node_forms import Call, Expression
from minispore.rewrite.tree.scoped_value import NodeType


class CalledFunction:
    """Base of TreeNode: finds the function by the nodes that read its path."""

    @property
    def called_function(self):
        """The callee of a node by a path from outside or the cell (``self.f``, ``self.table["f"]``); else UNKNOWN."""
        called = isinstance(self.form, Call) and self.kind in (NodeType.CallFunction, NodeType.CallMethod)
        if not called or self.tree is None:
            return UNKNOWN
        callee = self.form.callee
        if self._receiver is not None:
            callee = callee.format(self._path_to(self._receiver))
        return self.tree.scope(parsed(callee, mode="eval").body)[0]

    def _path_to(self, value):
        """The text of a value, in which the path that it was read by stands for a name that the code does not have."""
        maker = self.producer(value)
        if maker is None or not maker.is_path or value.value in self.tree.code_names:
            return value.text
        return maker.form.template.format(*(maker._path_to(part) for part in maker.args))

    @property
    def is_path(self):
        """True if the node reads an attribute or an element."""
        return isinstance(self.form, Expression) and self.form.template.startswith(("{}.", "{}["))
