"""Code as a user writes it, made from text: its classes belong to no module of minispore, and have a source.

Conversion and rewriting recognise a user's cell by its module. So the networks of the kit must not stand in a module of
minispore; a drawn network is text anyway, which other implementations run as well.
"""

import itertools
import linecache
import sys
import types

import numpy as np

import minispore

__all__ = ["made", "names"]

MODULE = "networks_of_the_kit"
_numbers = itertools.count()


def names(ms):
    """The names that a program of the kit may use: ``ms``, ``nn``, ``ops``, ``amp`` and ``np``."""
    return {"ms": ms, "nn": ms.nn, "ops": ms.ops, "amp": ms.amp, "np": np}


def made(text, **more):
    r"""The names that a text defines, run with minispore as its ``ms``; tracebacks and rewriting find its lines.

    Examples:
        >>> from minispore.testing.users_code import made
        >>> made("class Net(nn.Cell):\n    def construct(self, x):\n        return x + x\n")["Net"].__module__
        'networks_of_the_kit'
    """
    module = sys.modules.setdefault(MODULE, types.ModuleType(MODULE))
    filename = f"<network of the kit {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space = {**names(minispore), **vars(module), "__name__": MODULE, **more}
    before = set(space)
    exec(compile(text, filename, "exec"), space)
    return {name: value for name, value in space.items() if name not in before}
