"""Global and per-thread state: the user's settings, the seed, and the context in which the thread computes.

``set_context`` writes ``settings``. ``running`` is per thread: among others the tape that operations are recorded on,
and the type that the running cell casts its operations' inputs to.
"""

import threading

from minispore import _startup
from minispore.checks import check_64_bits, check_int, check_text, is_int
from minispore.errors import shown, type_error, value_error

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "get_auto_parallel_context",
    "get_context",
    "get_seed",
    "reset_auto_parallel_context",
    "set_auto_parallel_context",
    "set_context",
    "set_seed",
]

GRAPH_MODE, PYNATIVE_MODE = 0, 1


class _Running(threading.local):
    """The context in which this thread computes; a new thread starts from these values."""

    def __init__(self):
        self.tape = None  # the list that operations are recorded on, or None
        self.cast = None  # NumPy dtype to which floating inputs are cast in the running cell, or None
        self.quiet = False  # whether a primitive may compute directly: NumPy warns of nothing, no register listens
        self.compiled = False  # whether a function runs that MindSpore would have compiled: hooks have no effect in it
        self.recorder = None  # what takes notes of every operation, to replay them later, or None
        self.firsts = None  # during a recorded run: Tensor assigned to -> stand-in that has its values from before
        self.cast_cache = None  # during a step: what was converted to another type: ``kernels/float16/cast.py``
        self.followed = {}  # Parameter -> the tape that follows it: threads share Parameters, but not tapes
        self.journal = None  # the journal of writes and draws, to undo them, see ``journal.py``, or None


running = _Running()


class _Changes:
    """Counts changes of settings and of attributes of cells and primitives in use; recordings depend on them."""

    count = 0


changes = _Changes()


class under:  # noqa: N801 - it reads as a function, in `with under(tape=None)`
    """Set fields of ``running`` during a ``with`` block, and restore them however it ends.

    A class rather than a generator, which an interrupt could leave suspended and restore much later.
    """

    def __init__(self, **changes):
        now = running.__dict__
        self._changes, self._before = changes, {name: now[name] for name in changes}

    def __enter__(self):
        try:
            running.__dict__.update(self._changes)
        except BaseException:  # an interrupt, after the update: `__exit__` is not called
            running.__dict__.update(self._before)
            raise

    def __exit__(self, *error):
        running.__dict__.update(self._before)


# Each key of set_context: (default, legal). A tuple of types checks the kind; a list or range checks the value.
_CONTEXT = {
    "mode": (PYNATIVE_MODE, [GRAPH_MODE, PYNATIVE_MODE]),
    "device_target": ("CPU", ["CPU", "GPU", "Ascend"]),
    "device_id": (0, range(4096)),
    "enable_ge": (False, (bool,)),
    "cpu_loss_scale": (False, (bool,)),
    "pynative_synchronize": (False, (bool,)),
    "save_graphs": (False, (bool, int)),
    "save_graphs_path": (".", (str,)),
    "check_bprop": (False, (bool,)),
    "max_call_depth": (1000, range(1, 2**31)),
    "deterministic": ("OFF", ["ON", "OFF"]),
    "runtime_num_threads": (_startup.WORKERS, range(1025)),
}
_PARALLEL = {
    "parallel_mode": (
        "stand_alone",
        ["stand_alone", "data_parallel", "hybrid_parallel", "semi_auto_parallel", "auto_parallel"],
    ),
    "gradients_mean": (False, (bool,)),
    "device_num": (1, range(1, 4097)),
    "global_rank": (0, range(4096)),
    "pipeline_stages": (1, range(1, 4097)),
    "parameter_broadcast": (False, (bool,)),
    "full_batch": (False, (bool,)),
}

settings = {key: default for key, (default, _) in _CONTEXT.items()}
parallel_settings = {key: default for key, (default, _) in _PARALLEL.items()}
_watchers = {}  # setting -> function called with the new settings before they are stored; it may raise to reject them


def watch(key, function):
    """Have ``function(new_settings)`` called before ``key`` changes; if it raises, the old settings stay."""
    _watchers[key] = function


def _check(operation, table, key, value):
    check_text(operation, "attr_key", key)
    if key not in table:
        raise value_error(operation, f"the keyword must be one of {sorted(table)}", shown(key))
    legal = table[key][1]
    if isinstance(legal, (list, range)):
        if isinstance(legal, range) and not is_int(value):
            raise type_error(operation, f"the '{key}' must be int", f"{shown(value)} of type {type(value).__name__}")
        if type(value) is not type(legal[0]) or value not in legal:
            known = legal if isinstance(legal, list) else f"[{legal.start}, {legal.stop})"
            raise value_error(
                operation, f"the '{key}' must be {'one of' if known is legal else 'in'} {known}", shown(value)
            )
    elif not isinstance(value, legal) or (isinstance(value, bool) and bool not in legal):
        names = " or ".join(kind.__name__ for kind in legal)
        raise type_error(operation, f"the '{key}' must be {names}", f"{shown(value)} of type {type(value).__name__}")
    else:
        check_64_bits(operation, key, value)


def _update(operation, table, target, wished):
    for key, value in wished.items():
        _check(operation, table, key, value)
    new = {**target, **wished}
    for key in wished:
        if key in _watchers and target is settings:
            _watchers[key](new)
    target.update(wished)
    changes.count += 1


def _read(operation, table, target, key):
    check_text(operation, "attr_key", key)
    if key not in table:
        raise value_error(operation, f"the keyword must be one of {sorted(table)}", shown(key))
    return target[key]


def set_context(**kwargs):
    """Set options of the process: ``mode``, ``device_target`` ("CPU", "GPU", "Ascend"), ``device_id``, and others.

    Nothing changes unless every keyword and value is legal. "Ascend" is emulated: it computes on NumPy, and keeps the
    overflow register that Ascend processors have. ``runtime_num_threads`` is how many threads share a large operation
    on the CPU: by default, and for 0, one for each core, but 1 if the environment sets the number of BLAS threads.
    With ``check_bprop`` a user's ``bprop`` must return a gradient for each input, of the input's dtype.

    Raises:
        ValueError: If a keyword is unknown or a value is not among the legal ones; the message lists them.
        TypeError: If a value is of a wrong type.
        RuntimeError: If ``device_target`` is "GPU" and CuPy or the device is missing; the message says which.

    Examples:
        >>> import minispore as ms
        >>> ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")
        >>> ms.get_context("device_target")
        'CPU'
    """
    _update("set_context", _CONTEXT, settings, kwargs)


def get_context(attr_key):
    """The current value of one option of :func:`set_context`.

    Raises:
        TypeError: If the keyword is not a str.
        ValueError: If the keyword is unknown.
    """
    return _read("get_context", _CONTEXT, settings, attr_key)


def set_auto_parallel_context(**kwargs):
    """Set how training is spread: ``parallel_mode``, ``gradients_mean``, ``device_num``, ``pipeline_stages``.

    Raises:
        ValueError: If a keyword is unknown or a value is not among the legal ones.
        TypeError: If a value is of a wrong type.
    """
    _update("set_auto_parallel_context", _PARALLEL, parallel_settings, kwargs)


def get_auto_parallel_context(attr_key):
    """The current value of one option of :func:`set_auto_parallel_context`."""
    return _read("get_auto_parallel_context", _PARALLEL, parallel_settings, attr_key)


def reset_auto_parallel_context():
    """Set every keyword of :func:`set_auto_parallel_context` back to its default."""
    parallel_settings.update({key: default for key, (default, _) in _PARALLEL.items()})
    changes.count += 1


class _Seed:
    """The current seed and how many random streams have been taken from it: the whole state of randomness.

    Restoring ``draws`` repeats the same random numbers: a skipped training step and a resumed run do so. Streams named
    by an operation's own seeds or by a dataset's epoch need no other state.
    """

    value = None
    draws = 0
    times = 0  # how often it was set: what begins anew with the seed sees it here


seed = _Seed()


def set_seed(seed_value):
    """Start every random stream (initializers, random operations, shuffling) anew from ``seed_value``.

    The same seed gives the same numbers on every machine and device; a process without a seed uses seed 0, but
    shuffles differently each time.

    Args:
        seed_value (int): In [0, 2 ** 32).

    Raises:
        TypeError: If the seed is not an int.
        ValueError: If the seed is out of its range.
    """
    check_int("set_seed", "seed", seed_value)
    if not 0 <= seed_value < 2**32:
        raise value_error("set_seed", "the 'seed' must be at least 0 and below 2 ** 32", seed_value)
    seed.value, seed.draws, seed.times = seed_value, 0, seed.times + 1
    changes.count += 1  # a function that sets the seed cannot be replayed from its operations alone


def get_seed():
    """The seed last given to :func:`set_seed`, or None."""
    return seed.value


def rewind(draws):
    """Set the number of random streams taken back to ``draws``, the count at which this thread began."""
    if running.journal is not None:
        running.journal.drawn -= seed.draws - draws
    seed.draws = draws


def next_stream():
    """A pair ``(seed, number of the stream)`` that names the next independent random stream."""
    seed.draws += 1
    if running.journal is not None:
        running.journal.drawn += 1
    return (0 if seed.value is None else seed.value), seed.draws
