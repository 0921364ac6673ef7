"""PythonCode: statements that stay as written, and the function's names that they read and bind."""

import ast
import copy

from minispore.rewrite.gc_paused import parsed
from minispore.rewrite.resolve.names import Scoped, names_in


def _reads_before_it_binds(statement, binds):
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    inside = {name for target in targets for name in names_in([target])[0]}  # x in ``x, y[x] = ...``
    return not inside & set(binds) and not any(isinstance(n, ast.NamedExpr) for n in ast.walk(statement))


def rewritten(statements, transformer):
    """The statements after a transformer of syntax; they themselves stay as they are."""
    return transformer.visit(ast.Module(copy.deepcopy(statements), [])).body


class PythonCode:
    """Statements that are written again under the tree's names for their variables.

    A plain assignment reads before it binds, so its target gets a new name. Any other statement, such as
    ``if c: x = ...``, may not bind at all: its variables are first set to their previous values.

    Args:
        statements (list[ast.stmt]): The statements.
        known (Container[str]): Names that have a value before the statements.
        renamed (bool): Whether the names may be changed; else the code is written unchanged. Default: True.
    """

    def __init__(self, statements, known, renamed=True):
        self.statements, self.renamed = statements, renamed
        loaded, self.binds = names_in(statements)
        self.plain = len(statements) == 1 and _reads_before_it_binds(statements[0], self.binds)
        candidates = dict.fromkeys(loaded if self.plain else loaded + self.binds)
        self.reads = tuple(name for name in candidates if name in known)
        self._kept = None, None

    def rewritten(self, transformer):
        """The code after a transformer of syntax, which must neither read nor bind other variables."""
        made = copy.copy(self)
        made.statements, made._kept = rewritten(self.statements, transformer), (None, None)
        return made

    def lines(self, targets, args):
        """The source lines, with the bound variables named ``targets`` and the read ones written as ``args``.

        The last ones are kept, since a tree is written far more often than edited.
        """
        if self._kept[0] != (targets, args):
            self._kept = (targets, args), self._written(targets, args)
        return list(self._kept[1])

    def _written(self, targets, args):
        if not self.renamed:
            return self._unparsed(self.statements)
        stores, loads = dict(zip(self.binds, targets, strict=True)), dict(zip(self.reads, args, strict=True))
        before = []
        if not self.plain:
            changed = [name for name in self.reads if name in stores and stores[name] != loads[name]]
            before = [f"{stores[name]} = {loads[name]}" for name in changed]
            loads.update(stores)

        def renamed(node):
            names = loads if isinstance(node.ctx, ast.Load) else stores
            return parsed(names[node.id], mode="eval").body if node.id in names else node

        def stored(node):
            found = renamed(node)
            if isinstance(found, ast.Name):
                found.ctx = node.ctx
            return found

        return before + self._unparsed([Scoped(s, stored).visit(s) for s in copy.deepcopy(self.statements)])

    @staticmethod
    def _unparsed(statements):
        return ast.unparse(ast.fix_missing_locations(ast.Module(statements, []))).split("\n")
