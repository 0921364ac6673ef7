"""The text of functions and classes in a stub, from the definitions as they are written."""

import ast
import builtins
import copy
import inspect
import re
import types

from stubs.places import added_to, origin, public
from stubs.written import DEFINITIONS, node_of, written

KEPT_DECORATORS = ("property", "staticmethod", "classmethod", "overload", "abstractmethod")

PLAIN = (bool, int, float, str, type(None))  # types of defaults that a stub shows


class Names:
    """The names that the annotations of one stub use, with the imports and private statements that give them."""

    def __init__(self, place):
        self.place, self.imports, self.private = place, {}, {}
        bound = written(place).bound if written(place) else ()
        self.taken = {*public(place), *(name for name in bound if name[0] != "_")}  # each hides what has its name

    def local(self, name, module):
        """The name by which the stub calls what ``name`` is in a module."""
        text = written(module)
        if text and name in text.bound:
            return self._of_package(name, module, text.bound[name])
        if text and name in text.imported:
            return self._imported(name, *text.imported[name])
        if hasattr(builtins, name):
            return self._builtin(name)
        return self._imported(name, *origin(module, name))

    def _of_package(self, name, module, node):
        if module != self.place:
            return self._imported(name, module, name)
        if name not in self.taken and name not in self.private:
            self.private[name] = ""  # it may name itself
            self.private[name] = self._private(name, module, node)
        return name

    def _private(self, name, module, node):
        if isinstance(node, ast.ClassDef):
            return "\n".join(class_lines(node, module, self))
        return f"{name} = {self.text(node.value, module)}"

    def _imported(self, name, source, its_name):
        if name in public(self.place) and origin(self.place, name) == (source, its_name):
            return name
        local = f"_{name}" if name in self.taken else name
        self.imports[local] = source, its_name
        return local

    def _builtin(self, name):
        if name not in self.taken:
            return name
        self.imports["builtins"] = "builtins", None
        return f"builtins.{name}"

    def text(self, node, module):
        """An annotation's text, with the names that the stub has for what it names in a module."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = ast.parse(node.value, mode="eval").body
        node = copy.deepcopy(node)
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                part.id = self.local(part.id, module)
        return ast.unparse(node)

    def lines(self):
        """The imports, and the private statements that annotations name."""
        for local, (source, name) in sorted(self.imports.items(), key=lambda item: (item[1][0], item[0])):
            if name is None:
                yield f"import {source}" + (f" as {local}" if local != source else "")
            else:
                yield f"from {source} import {name}" + (f" as {local}" if local != name else "")
        yield from self.private.values()


def _default(node):
    """A default as it stands if it is a plain value, else ``...``."""
    try:
        return ast.unparse(node) if len(repr(ast.literal_eval(node))) < 30 else "..."
    except ValueError:
        return "..."


def _arguments(node, module, names, called=None):
    """The text of a function's arguments; ``called`` gives other names to the first ones."""
    arguments = copy.deepcopy(node.args)
    everything = [*arguments.posonlyargs, *arguments.args]
    for argument, name in zip(everything, called or (), strict=False):
        argument.arg = name
    for argument in [*everything, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]:
        if argument is not None and argument.annotation is not None:
            argument.annotation = ast.Name(names.text(argument.annotation, module))
    arguments.defaults = [ast.Name(_default(d)) for d in arguments.defaults]
    arguments.kw_defaults = [d and ast.Name(_default(d)) for d in arguments.kw_defaults]
    return ast.unparse(arguments)


def written_line(name, node, module, names, called=None):
    """The line of a function, with the annotations of its definition; what has none is ``Any``."""
    returns = getattr(node, "returns", None)
    if returns is None:
        answer = "None" if name == "__init__" else names.local("Any", "typing")
    else:
        answer = names.text(returns, module)
    return f"def {name}({_arguments(node, module, names, called)}) -> {answer}: ..."


def made_line(name, function, names, is_method=False):
    """The line of a function that was made: its maker's definition, with the function's own names of arguments.

    What calls a primitive that declares its answer, by an annotation of ``__call__``, answers the same.
    """
    if hasattr(function, "__signature__"):
        return written_line(name, _signed(function), function.__module__, names)
    node, module = node_of(function)
    called = list(function.__code__.co_varnames[: function.__code__.co_argcount])
    if is_method and called:
        called[0] = "self"
    for cell in function.__closure__ or ():
        declared, home = declared_answer(type(cell.cell_contents))
        if declared is not None:
            node, module = copy.copy(node), home
            node.returns = declared
    return written_line(name, node, module, names, called)


def documented(line, function):
    """The lines of a made function, with the docstring that an editor shows: no file has it beside this signature."""
    text = inspect.cleandoc(function.__doc__ or "")
    if not text:
        return [line]
    mark = "r" if "\\" in text else ""
    return [line.removesuffix(" ..."), *(f"    {part}".rstrip() for part in f'{mark}"""{text}\n"""'.splitlines())]


def _signed(function):
    """The definition that a made function's signature says."""
    shown = []
    for p in function.__signature__.parameters.values():
        default = "" if p.default is p.empty else f"={p.default!r}" if isinstance(p.default, PLAIN) else "=..."
        shown.append(p.name + default)
    return ast.parse(f"def made({', '.join(shown)}): ...").body[0]


def declared_answer(cls):
    """``(annotation, module)`` of what a call of an instance answers, where a class annotates ``__call__``."""
    for owner in cls.__mro__:
        text = written(owner.__module__)
        node = text.bound.get(owner.__name__) if text else None
        for part in getattr(node, "body", ()):
            if isinstance(part, ast.AnnAssign) and part.target.id == "__call__":
                return part.annotation.slice.elts[-1], owner.__module__
    return None, None


def class_lines(node, module, names, cls=None):
    """The lines of a class: as it is written, then the members that it gets from outside."""
    bases = [names.text(base, module) for base in node.bases]
    added = added_to(cls) if cls else {}
    outer, names.taken = names.taken, names.taken | {n for n in ("bool", "float", "int") if n in added}
    lines = [line for part in node.body for line in _member_lines(part, module, names)]
    lines += [f"{name}: {kind}" for name, kind in _assigned(node, module, names).items()]
    lines += [line for name, member in added.items() for line in _added_lines(name, member, names)]
    names.taken = outer
    yield f"class {node.name}({', '.join(bases)}):" if bases else f"class {node.name}:"
    yield from (f"    {line}" for line in lines or ["..."])


def _member_lines(node, module, names):
    if isinstance(node, ast.FunctionDef) and (node.name[0] != "_" or node.name.endswith("__")):
        for decorator in map(ast.unparse, node.decorator_list):
            if decorator in KEPT_DECORATORS or decorator.endswith(".setter"):
                if hasattr(builtins, decorator) or decorator.endswith(".setter"):
                    yield f"@{decorator}"
                else:
                    yield f"@{names.local(decorator, module)}"
        yield written_line(node.name, node, module, names)
    elif isinstance(node, ast.AnnAssign) and (node.target.id[0] != "_" or node.target.id == "__call__"):
        yield f"{node.target.id}: {names.text(node.annotation, module)}"
    elif isinstance(node, ast.Assign):
        for name in [t.id for t in node.targets if isinstance(t, ast.Name) and t.id[0] != "_"]:
            yield (
                f"{name} = {ast.unparse(node.value)}"
                if isinstance(node.value, ast.Constant) or getattr(node.value, "id", "_")[0] != "_"
                else (f"{name}: {names.local('Any', 'typing')}")
            )


def _assigned(node, module, names):
    """The public attributes that ``__init__`` gives an instance, by name, with their annotations."""
    begin = next((n for n in node.body if getattr(n, "name", "") == "__init__"), None)
    known, found = {n.name for n in node.body if isinstance(n, DEFINITIONS)}, {}
    for part in ast.walk(begin) if begin else ():
        owner = part.value if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) else None
        if isinstance(owner, ast.Name) and owner.id == "self" and part.attr[0] != "_" and part.attr not in known:
            found.setdefault(part.attr, None)
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Attribute) and part.target.attr[0] != "_":
            found[part.target.attr] = names.text(part.annotation, module)
    return {name: kind or names.local("Any", "typing") for name, kind in found.items()}


def _added_lines(name, member, names):
    if isinstance(member, property):
        yield "@property"
        line = re.sub(r"\(self.*?\) ->", "(self) ->", made_line(name, member.fget, names, is_method=True))
        yield from documented(line, member.fget)
    elif isinstance(member, (staticmethod, classmethod)):
        yield f"@{type(member).__name__}"
        yield from documented(made_line(name, member.__func__, names), member.__func__)
    elif isinstance(member, types.FunctionType):
        yield from documented(made_line(name, member, names, is_method=True), member)
