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


def _read_late(statements, binds):
    """The names that may be read after the statements have bound others: in targets, or beside ``:=``."""
    first = statements[0]
    assigns = len(statements) == 1 and isinstance(first, (ast.Assign, ast.AugAssign))
    if assigns and not any(isinstance(n, ast.NamedExpr) for n in ast.walk(first.value)):
        statements = first.targets if isinstance(first, ast.Assign) else [first.target]
    return set(names_in(statements)[0]) - set(binds)


def first_values(first):
    """The line that gives names their values at once, from pairs (name, text), as a list; [] if each has its own."""
    changed = [(name, text) for name, text in first if name != text]
    return [f"{', '.join(name for name, _ in changed)} = {', '.join(text for _, text in changed)}"] if changed else []


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
        self._late = _read_late(statements, self.binds)
        self._kept = None, None

    def rewritten(self, transformer):
        """The code after a transformer of syntax, which must neither read nor bind other variables."""
        made = copy.copy(self)
        made.statements, made._kept = rewritten(self.statements, transformer), (None, None)
        return made

    def hidden(self, targets, args):
        """The argument that the code would read after it has set that name to something else; None if there is none."""
        if not self.renamed:
            return None
        stores, loads = self._names(targets, args)
        begun = {} if self.plain else {store: loads[name] for name, store in stores.items() if name in loads}
        changed = {store for store, text in begun.items() if store != text}
        for name, text in loads.items():
            root = text.partition(".")[0]
            if name not in stores and (root in changed or (name in self._late and root in stores.values())):
                return text
        return None

    def _names(self, targets, args):
        return dict(zip(self.binds, targets, strict=True)), dict(zip(self.reads, args, strict=True))

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
        stores, loads = self._names(targets, args)
        before = []
        if not self.plain:
            before = first_values((stores[name], loads[name]) for name in self.reads if name in stores)
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
