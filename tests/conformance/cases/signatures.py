"""The arguments of functions, layers and primitives as texts, as ``record/signatures.py`` and its test write them."""

import inspect


def arguments_of(function):
    """``["x", "axis=-1", "*", "dtype=float32"]``: names in order, defaults, and where keywords begin."""
    texts, star = [], False
    for p in inspect.signature(function).parameters.values():
        if p.kind is p.KEYWORD_ONLY and not star:
            texts.append("*")
        star = star or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        texts.append(str(p.replace(annotation=p.empty)).replace("mindspore.", "").replace("minispore.", ""))
    return texts


def of_functions(ops):
    """Of every function of the module of operations; ready-made primitives take their inputs by position."""
    found = {name: arguments_of(f) for name, f in vars(ops).items() if name[0] != "_" and inspect.isfunction(f)}
    return dict(sorted(found.items()))


def of_classes(module, base):
    """Of the construction of every class below ``base`` in a module."""
    found = {
        name: c for name, c in vars(module).items() if inspect.isclass(c) and issubclass(c, base) and c is not base
    }
    return {name: arguments_of(c.__init__)[1:] for name, c in sorted(found.items())}


def of_package(package):
    """All of it, by ``functions``, ``layers`` and ``primitives``."""
    return {
        "functions": of_functions(package.ops),
        "layers": of_classes(package.nn, package.nn.Cell),
        "primitives": of_classes(package.ops, package.ops.Primitive),
    }
