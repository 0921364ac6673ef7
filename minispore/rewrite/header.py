"""Header: a statement with bodies, such as ``if``, without them: what it reads and binds, and how it is written."""

import ast
import copy
import textwrap

from minispore.rewrite.scopes import Scoped, names_in

COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, *([ast.TryStar] if hasattr(ast, "TryStar") else []))
_PLACE = "_the_body_"


def bodies_of(statement):
    """The bodies of a compound statement, in the order of the text, as pairs (owner, field)."""
    handlers = [(handler, "body") for handler in getattr(statement, "handlers", ())]
    after = [(statement, field) for field in ("orelse", "finalbody") if getattr(statement, field, None)]
    return [(statement, "body"), *handlers, *after]


def bound_in(statements):
    """The function's own names that statements bind, in order; names of exceptions too."""
    caught = [n.name for s in statements for n in ast.walk(s) if isinstance(n, ast.ExceptHandler) and n.name]
    return tuple(dict.fromkeys([*names_in(statements)[1], *caught]))


class Header:
    """A compound statement with places for its bodies.

    Args:
        statement (ast.stmt): The statement; it is copied.
        known (Container[str]): Names that have a value before it.
        owned (dict[str, bool]): Names of the variables that the statement defines, and whether each has a value before.
        assigned (dict[str, str]): The variables around it that stand for other names of the code.
    """

    def __init__(self, statement, known, owned, assigned):
        self.statement = copy.deepcopy(statement)
        for i, (owner, field) in enumerate(bodies_of(self.statement)):
            setattr(owner, field, [ast.Expr(ast.Name(f"{_PLACE}{i}", ast.Load()))])
        self.owned, self.assigned = tuple(owned), dict(assigned)
        loaded = names_in([self.statement])[0]
        self.begins = tuple(name for name, begun in owned.items() if begun)
        self.reads = tuple(name for name in loaded if name in known and name not in owned)

    def lines(self, targets, args, bodies):
        """The source lines, with the variables named ``targets`` and what is read written as ``args``."""
        stores = {**self.assigned, **dict(zip(self.owned, targets, strict=True))}
        loads = {**stores, **dict(zip(self.reads, args, strict=False))}
        first = zip(self.begins, args[len(self.reads) :], strict=True)
        before = [f"{stores[name]} = {text}" for name, text in first]
        written = ast.unparse(ast.fix_missing_locations(self._renamed(loads, stores))).split("\n")
        return before + _filled(written, bodies)

    def _renamed(self, loads, stores):
        def renamed(node):
            text = (loads if isinstance(node.ctx, ast.Load) else stores).get(node.id)
            if text is None:
                return node
            new = ast.parse(text, mode="eval").body
            new.ctx = node.ctx
            return new

        statement = Scoped(renamed).visit(copy.deepcopy(self.statement))
        for handler in getattr(statement, "handlers", ()):
            handler.name = stores.get(handler.name, handler.name)
        return statement


def _filled(lines, bodies):
    """The lines with the bodies in their places; an ``else`` with nothing but an ``if`` becomes ``elif``."""
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
