"""Compiles generated text with the globals, captured variables and defaults of the original function."""

import itertools
import linecache
import weakref
from collections import deque
from contextlib import suppress
from types import CodeType, FunctionType, new_class

from minispore.rewrite.gc_paused import parsed

_numbers = itertools.count(1)
_gone = deque()  # file names of collected classes; their text leaves linecache when the next class is made


def make_class(recipe, contents):
    """The class described by a Recipe, with ``contents`` (a dict) besides its construct."""
    filename = _shown_in_tracebacks(recipe)
    captured = recipe.captured()
    construct = _decorated(recipe, _compiled(recipe, filename, captured), captured)
    made = _subclass(recipe, {"construct": construct, **contents})
    if "__class__" not in (recipe.function.__code__.co_freevars if recipe.function else ()):
        captured["__class__"].cell_contents = made
    weakref.finalize(made, _gone.append, filename).atexit = False
    return made


def _shown_in_tracebacks(recipe):
    """Put the text into ``linecache`` under a unique name, and remove the texts of collected classes.

    They are not removed at collection. That may happen while ``linecache`` iterates over its table, and before Python
    3.12 it does not expect an entry to vanish.
    """
    while _gone:
        with suppress(IndexError):  # another thread has taken the last one
            linecache.cache.pop(_gone.popleft(), None)
    filename = f"<minispore.rewrite {recipe.name} {next(_numbers)}>"
    linecache.cache[filename] = (len(recipe.text), None, recipe.text.splitlines(keepends=True), filename)
    return filename


def _compiled(recipe, filename, captured):
    """The function ``construct`` of the text, with the defaults of the original."""
    module = parsed(recipe.text)
    names = ", ".join(name for name in captured if name != "__class__")
    scope = parsed(f"def _scope({names}): pass").body[0]
    scope.body, module.body = module.body, [scope]
    code = compile(module, filename, "exec", dont_inherit=True)
    for part in ("_scope", recipe.name, "construct"):
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == part)
    original = recipe.function
    namespace = {} if original is None else original.__globals__
    function = FunctionType(code, namespace, "construct", None, tuple(captured[name] for name in code.co_freevars))
    function.__qualname__ = f"{recipe.name}.construct"  # without it Python 3.10 says construct alone
    if original is not None:
        function.__defaults__, function.__kwdefaults__ = original.__defaults__, original.__kwdefaults__
        function.__annotations__ = dict(original.__annotations__)
        function.__doc__, function.__module__ = original.__doc__, original.__module__
    return function


def _decorated(recipe, function, captured):
    """The function under the original's decorators, the innermost first."""
    seen = {name: cell.cell_contents for name, cell in captured.items() if name != "__class__"}
    for decorator in reversed(recipe.decorators):
        function = eval(decorator, recipe.function.__globals__, seen)(function)
    return function


def _subclass(recipe, contents):
    def fill(namespace):
        namespace.update(__module__=recipe.base.__module__, __doc__=recipe.base.__doc__)
        namespace.update(contents, rewritten_source=recipe.text, rewritten_recipe=recipe)

    return new_class(recipe.name, (recipe.base,), exec_body=fill)
