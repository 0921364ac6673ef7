"""MindSpore's ``_extends``: the decorator of constructors that remembers what they were called with."""

import inspect
from functools import wraps

__all__ = ["cell_attr_register"]


def cell_attr_register(fn=None, attrs=None):
    """Decorate a cell's ``__init__``: ``cell_init_args`` shows the arguments of the call, or those named by ``attrs``.

    Args:
        fn (Callable): The constructor; None where the decorator is called with ``attrs``.
        attrs (list[str]): The names of the arguments to remember. Default: None, all but the cell.
    """
    if fn is None:
        return lambda function: cell_attr_register(function, attrs)
    signature = inspect.signature(fn)

    @wraps(fn)
    def init(self, *args, **kwargs):
        fn(self, *args, **kwargs)
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        given = list(bound.arguments.items())[1:]
        kept = [value for name, value in given if attrs is None or name in attrs]
        self.cell_init_args = f"{type(self).__name__}{kept}"

    return init
