"""Functions of the top level for any installation, and those of later MindSpores, 2.1 to 2.7, that are true here."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from functools import wraps
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.layers import refuse
from minispore.core.running import under
from minispore.core.seeds import begin_streams
from minispore.core.tensor import Tensor
from minispore.core.version import MINDSPORE, __version__
from minispore.ops import operations

__all__ = [
    "from_numpy",
    "is_tensor",
    "lazy_inline",
    "manual_seed",
    "ms_memory_recycle",
    "no_inline",
    "run_check",
    "set_deterministic",
    "set_recursion_limit",
]  # not ``tensor``, since that is a module here; ``compat`` gives it to scripts

_log = logging.getLogger("minispore.log")
STRICT, LAX = 0, 2  # of ``jit_syntax_level``: nothing is compiled, so that all of Python is there at both


def run_check() -> None:
    """Print the versions and whether a multiplication of two Tensors gives the right numbers.

    Raises:
        RuntimeError: If it does not.
    """
    found = operations.Mul()(Tensor(np.full((2, 3), 2.0, np.float32)), Tensor(np.full((2, 3), 3.0, np.float32)))
    if not (found.asnumpy() == 6).all():
        raise RuntimeError(f"For 'run_check', 2 * 3 must be 6, but got {found}.")
    print(f"minispore version: {__version__}, with the API of MindSpore {MINDSPORE}")
    print("The product of two Tensors is right: minispore computes here.")


def tensor(input_data=None, dtype=None, shape=None, init=None, const_arg=False):
    """A new Tensor: ``Tensor(input_data, dtype, shape, init)``.

    Examples:
        >>> from minispore.later import tensor
        >>> print(tensor([1, 2.5]))
        [1.  2.5]
    """
    check_bool("tensor", "const_arg", const_arg)
    return Tensor(input_data, dtype, shape, init)


def from_numpy(array):
    """A Tensor of a NumPy array: ``Tensor.from_numpy(array)``."""
    return Tensor.from_numpy(array)


def is_tensor(obj):
    """True if ``obj`` is a Tensor."""
    return isinstance(obj, Tensor)


def lazy_inline(fn=None, attrs=None, policy=None) -> Any:
    """Decorate a cell's ``__init__``: it stays as it is, since nothing is compiled that could be inlined late."""
    return fn if fn is not None else lambda function: function


def no_inline(fn=None) -> Any:
    """Decorate a function: it stays as it is, since nothing is compiled that could be inlined."""
    return fn if fn is not None else lambda function: function


def manual_seed(seed):
    """Start every random stream of minispore anew from ``seed``; there is no generator to return."""
    begin_streams(seed)


def _get_logger():
    """The logger to which the messages of ``log`` go."""
    return logging.getLogger("minispore.log")


def disable_multi_thread() -> None:
    """Compute in the calling thread, as each operation does here."""


class _no_grad:  # noqa: N801 - MindSpore's name
    """Compute without recording inside a ``with`` block: its results are constants to derivatives."""

    def __enter__(self) -> None:
        refuse("a part of it is computed without gradients")
        self._block = under(tape=None)
        self._block.__enter__()

    def __exit__(self, *error) -> None:
        self._block.__exit__(*error)


def no_init_parameters() -> Any:
    """A ``with`` block for networks whose Parameters a checkpoint fills: they are initialized here all the same."""
    return nullcontext()


def ms_memory_recycle() -> Any:
    """Free the memory of networks that are no longer used: Python has freed it."""


def set_deterministic(deterministic):
    """Have equal inputs give equal outputs; on the CPU they always do.

    Raises:
        TypeError: If ``deterministic`` is no bool.
    """
    check_bool("set_deterministic", "deterministic", deterministic)


def set_recursion_limit(recursion_limit=1000) -> None:
    """Set how deep a compiler may follow calls; nothing is compiled here, and Python has its own limit.

    Raises:
        TypeError: If the limit is no int.
        ValueError: If it is not above 0.
    """
    check_positive_int("set_recursion_limit", "recursion_limit", recursion_limit)


def deprecated(version: str, substitute: str, use_substitute_name: bool = False) -> Any:
    """Decorate a function or class: each call warns in the log that it is deprecated since a version.

    Args:
        version (str): The version.
        substitute (str): What to use instead.
        use_substitute_name (bool): Whether a class's new objects get the name of the substitute. Default: False.
    """

    def decorate(function):
        @wraps(function)
        def called(*args, **kwargs):
            _log.warning(f"'{function.__name__}' is deprecated since version {version}; use '{substitute}' instead")
            made = function(*args, **kwargs)
            if use_substitute_name and isinstance(function, type):
                made.name = substitute
            return made

        return called

    return decorate


def _get_graph_seed(op_seed, kernel_name):
    """The seeds ``(0, op_seed or 0)`` of an operation in a user's layer; with two zeros the next stream is drawn."""
    return 0, op_seed or 0
