"""``jit`` and ``JitConfig``: MindSpore's names for graph mode."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from minispore.core.checks import check_choice
from minispore.core.errors import type_error
from minispore.core.tracebacks import fold
from minispore.graph.jit_function import JitFunction
from minispore.ops.object_text import of_arguments

__all__ = ["JitConfig", "jit", "ms_function"]

_LEVELS, _MODES = ("O0", "O1", "O2", "O3"), ("auto", "sink", "no_sink")


class JitConfig:
    """The configuration taken by ``Cell.set_jit_config`` and :func:`jit`: ``jit_config_dict`` holds all arguments.

    Args:
        jit_level (str): "O0", "O1", "O2" or "O3". Default: "O1".
        exc_mode (str): "auto", "sink" or "no_sink". Default: "auto".
        **kwargs: Further entries.

    Raises:
        ValueError: If the level or the mode is unknown.

    Examples:
        >>> import minispore as ms
        >>> ms.JitConfig(jit_level="O2").jit_config_dict
        {'jit_level': 'O2', 'exc_mode': 'auto'}
    """

    __repr__ = of_arguments

    def __init__(self, jit_level: str = "O1", exc_mode: str = "auto", **kwargs) -> None:
        check_choice("JitConfig", "jit_level", jit_level, _LEVELS)
        check_choice("JitConfig", "exc_mode", exc_mode, _MODES)
        self.jit_config_dict = {**kwargs, "jit_level": jit_level, "exc_mode": exc_mode}


def jit(
    fn: Callable[..., Any] | None = None, input_signature=None, hash_args=None, jit_config: JitConfig | None = None
) -> Any:
    """Decorate a function or a Cell's method: its operations are recorded, and replayed from the third call on.

    A replay gives the same numbers bit for bit, without Python's cost for each operation. It is valid for one kind of
    input (shapes, dtypes, layouts, other values), as long as nothing that the function sees changes. It sees settings,
    cells, and the globals, closures, collections, arrays and attributes that its code reads, special methods included.
    (MindSpore looks at them once, when it compiles.) Three kinds of functions run eagerly: their path depends on data,
    they keep state in Python, or their state cannot be inspected. ``fn.recorded.reason`` says why. An iterator has such
    state, and so has everything outside: files, the environment (except ``os.environ``), clocks, Python's random
    numbers, the interpreter's settings. ``eval`` and functions that others have written in C count as such, too. The
    functions and classes of Python, NumPy and this package are taken to stay as they are. Other side effects of Python
    (printing, a log line) happen only while recording, and hooks of cells have no effect, as in MindSpore. On a GPU a
    replay is captured as one CUDA graph. ``fn.recorded.not_captured`` has a reason for each kind of input that is not,
    or None.

    Python 3.11 to 3.13 are tested. On any other, and on a free-threaded one, everything runs eagerly, with a warning.

    Args:
        fn (Callable): The function. Default: None: a decorator is returned.
        input_signature: Accepted as in MindSpore; the kind of input is determined at each call.
        hash_args: Accepted as in MindSpore.
        jit_config (JitConfig): Accepted as in MindSpore.

    Raises:
        TypeError: If ``fn`` cannot be called, or ``jit_config`` is not a JitConfig.

    Examples:
        >>> import minispore as ms
        >>> @ms.jit
        ... def double(x):
        ...     return x + x
        >>> print(double(ms.Tensor([1.0])))
        [2.]
    """
    if jit_config is not None and not isinstance(jit_config, JitConfig):
        raise type_error("jit", "the 'jit_config' must be a JitConfig", type(jit_config).__name__)
    if fn is None:
        return jit
    if not callable(fn):
        raise type_error("jit", "the 'fn' must be a function", type(fn).__name__)
    recorded = JitFunction(fn, getattr(fn, "__name__", type(fn).__name__))

    @wraps(fn, updated=())
    def run(*args, **kwargs):
        try:
            return recorded(*args, **kwargs)
        except Exception as error:
            fold(error)
            raise

    run.recorded = recorded
    return run


ms_function = jit
