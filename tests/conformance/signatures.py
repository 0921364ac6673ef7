"""The arguments of functions, layers and primitives as texts, as ``record_signatures.py`` and its test write them."""

import inspect


def text_of(function):
    """``(x, axis=-1, *, dtype=None)``: names, order, defaults and kinds, without annotations.

    A package's name before a dtype says nothing.
    """
    signature = inspect.signature(function)
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    text = str(signature.replace(parameters=bare, return_annotation=signature.empty))
    return text.replace("mindspore.", "").replace("minispore.", "")


def of_functions(ops):
    """Of every function of the module of operations; ready-made primitives take their inputs by position."""
    return {name: text_of(f) for name, f in sorted(vars(ops).items()) if name[0] != "_" and inspect.isfunction(f)}


def of_classes(module, base):
    """Of the construction of every class below ``base`` in a module."""
    found = {name: c for name, c in vars(module).items() if inspect.isclass(c) and issubclass(c, base) and c is not base}
    return {name: _of_class(c) for name, c in sorted(found.items())}


def _of_class(made):
    text = text_of(made.__init__)
    return "(" + text[len("(self") :].removeprefix(", ")


def of_package(package):
    """All of it, by ``functions``, ``layers`` and ``primitives``."""
    return {
        "functions": of_functions(package.ops),
        "layers": of_classes(package.nn, package.nn.Cell),
        "primitives": of_classes(package.ops, package.ops.Primitive),
    }
