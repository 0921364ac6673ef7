"""Header: a statement with bodies, such as ``if``, without them: the names it reads and binds, and its source form."""

import ast
import copy
import textwrap

from minispore.rewrite.gc_paused import parsed
from minispore.rewrite.resolve.names import Scoped, bodies_of, bound_in, names_in
from minispore.rewrite.tree.opaque_code import first_values, rewritten

_PLACE = "_the_body_"


class Header:
    """A compound statement with places for its bodies.

    Args:
        statement (ast.stmt): The statement; it is copied.
        known (Container[str]): Names that have a value before it.
        owned (dict[str, bool]): Variables that the statement binds, and whether each has a value before.
    """

    def __init__(self, statement, known, owned):
        self.statement = copy.deepcopy(statement)
        for i, (owner, field) in enumerate(bodies_of(self.statement)):
            setattr(owner, field, [ast.Expr(ast.Name(f"{_PLACE}{i}", ast.Load()))])
        self.owned, self.bound = tuple(owned), bound_in([self.statement])
        self.loads = names_in([self.statement])[0]
        self.begins = tuple(name for name, begun in owned.items() if begun)
        self.assigned = {*self.begins, *self.bound}  # have a value, from before or from the header, in every body
        self.reads = tuple(name for name in self.loads if name in known and name not in owned)
        self._kept = None, None

    @property
    def repeats(self):
        """True if a body may run after another, or again, so that it may read a value defined after it."""
        return not isinstance(self.statement, (ast.If, ast.With))

    @property
    def read_again(self):
        """The indices of the values that are read before each run of the body: those in the test of ``while``."""
        return range(len(self.reads) if isinstance(self.statement, ast.While) else 0)

    def rewritten(self, transformer):
        """The header after a transformer of syntax, which must neither read nor bind other variables."""
        made = copy.copy(self)
        (made.statement,) = rewritten([self.statement], transformer)
        made._kept = None, None
        return made

    def hidden(self, args):
        """The argument that the header would read after it has set that name to something else; None if none is."""
        first = zip(self.begins, args[len(self.reads) :], strict=True)
        over = {name for name, text in first if name != text} | ({*self.bound} if self._binds_early else set())
        reads = args[: len(self.reads)]
        return next((text for text in reads if text.partition(".")[0] in over), None)

    @property
    def _binds_early(self):
        """True if the header may bind a name before it has read all that it reads."""
        named = any(isinstance(n, ast.NamedExpr) for n in ast.walk(self.statement))
        return named or len(getattr(self.statement, "items", ())) > 1

    def lines(self, args, bodies):
        """The source lines, with the values read written as ``args``."""
        loads = dict(zip(self.reads, args, strict=False))
        before = first_values(zip(self.begins, args[len(self.reads) :], strict=True))
        return before + _filled(self._written(loads), bodies)

    def _written(self, loads):
        """The lines with places for the bodies; the last ones are kept: a tree is written more often than edited."""
        if self._kept[0] != loads:
            self._kept = loads, ast.unparse(ast.fix_missing_locations(self._renamed(loads))).split("\n")
        return self._kept[1]

    def _renamed(self, loads):
        def renamed(node):
            if not isinstance(node.ctx, ast.Load) or loads.get(node.id, node.id) == node.id:
                return node
            return parsed(loads[node.id], mode="eval").body

        statement = copy.deepcopy(self.statement)
        return Scoped(statement, renamed).visit(statement)


def _filled(lines, bodies):
    """The lines with the bodies in place; an ``else`` that holds only an ``if`` becomes ``elif``."""
    found = []
    for line in lines:
        if not line.strip().startswith(_PLACE):
            found.append(line)
            continue
        body = bodies[int(line.strip().removeprefix(_PLACE))]
        if found[-1] == "else:" and lines[0].startswith("if ") and _is_one_if(body):
            found[-1:] = ["el" + body[0], *body[1:]]
        else:
            found += textwrap.indent("\n".join(body), " " * 4).split("\n")
    return found


def _is_one_if(lines):
    rest = (line for line in lines[1:] if not line.startswith((" ", "elif ", "else:")))
    return lines[0].startswith("if ") and not any(rest)
