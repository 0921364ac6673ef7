"""Function: compiles generated text, so that globals, captured variables and defaults are the original's."""

import ast
import itertools
import linecache
import weakref
from types import CellType, CodeType, FunctionType, new_class

from minispore.rewrite.generate.text import class_name, class_text
from minispore.rewrite.scopes import captured_variables

_numbers = itertools.count(1)


def make_class(tree, framework):
    """The generated class of a tree; ``framework`` is what the name ``minispore`` means in it."""
    text, name = class_text(tree), class_name(tree)
    filename = f"<minispore.rewrite {name} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    captured = _captured(tree, framework)
    construct = _decorated(tree, _compiled(tree, text, filename, captured), captured)
    made = _subclass(type(tree.network), name, text, construct)
    if "__class__" not in (tree.function.__code__.co_freevars if tree.function else ()):
        captured["__class__"].cell_contents = made
    weakref.finalize(made, linecache.cache.pop, filename, None).atexit = False
    return made


def _captured(tree, framework):
    """The variables around the class, by name: the original's own, so that they stay alive, and what edits brought."""
    captured = {name: CellType(value) for name, value in {"minispore": framework, **tree.globals}.items()}
    captured["__class__"] = CellType()
    if tree.function is not None:
        captured.update(captured_variables(tree.function))
    return captured


def _compiled(tree, text, filename, captured):
    """The function ``construct`` of the text, with the defaults of the original."""
    module = ast.parse(text)
    names = [ast.arg(name) for name in captured if name != "__class__"]
    scope = ast.parse("def _scope(): pass").body[0]
    scope.args.args, scope.body, module.body = names, module.body, [scope]
    code = compile(ast.fix_missing_locations(module), filename, "exec", dont_inherit=True)
    for part in ("_scope", class_name(tree), "construct"):
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == part)
    namespace = {} if tree.function is None else tree.function.__globals__
    function = FunctionType(code, namespace, "construct", None, tuple(captured[name] for name in code.co_freevars))
    if tree.function is not None:
        function.__defaults__, function.__kwdefaults__ = tree.function.__defaults__, tree.function.__kwdefaults__
        function.__annotations__ = dict(tree.function.__annotations__)
        function.__doc__, function.__module__ = tree.function.__doc__, tree.function.__module__
    return function


def _decorated(tree, function, captured):
    """The function under the decorators of the original, the innermost first."""
    seen = {name: cell.cell_contents for name, cell in captured.items() if name != "__class__"}
    for decorator in reversed(tree.decorators):
        function = eval(decorator, tree.function.__globals__, seen)(function)
    return function


def _subclass(base, name, text, construct):
    def fill(namespace):
        namespace.update(construct=construct, __module__=base.__module__, __doc__=base.__doc__, rewritten_source=text)

    return new_class(name, (base,), exec_body=fill)
