"""Convolution: two and three dimensions, its gradients, and the layouts that it is computed in.

The layouts are modules, which are imported at the first convolution: so importing minispore stays quick.
"""

from importlib import import_module

__all__ = ["at_first_use"]


def at_first_use(module, name):
    """The function ``name`` of a module of this package, which is imported when the function is called first."""

    def call(*args):
        return getattr(import_module(f"{__name__}.{module}"), name)(*args)

    return call
