"""The user's settings: ``set_context`` writes them, and who depends on one watches it."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_64_bits, check_text, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.running import changes
from minispore.core.seeds import get_seed, set_seed

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "get_context",
    "get_seed",
    "set_context",
    "set_device",
    "set_seed",
]

GRAPH_MODE, PYNATIVE_MODE = 0, 1


class Settings(dict):
    """The values of named settings, which begin with their defaults; ``table`` has ``(default, legal)`` of each key."""

    def __init__(self, table):
        super().__init__()
        self.table, self._watchers = {}, {}
        self.add_keys(table)

    def add_keys(self, table):
        """Add settings, those of another room."""
        self.table |= table
        self |= {key: default for key, (default, _) in table.items()}

    def watch(self, key, function):
        """Have ``function(new_settings)`` called before ``key`` changes; if it raises, the old settings stay."""
        self._watchers.setdefault(key, []).append(function)

    def change(self, operation, wished):
        """Store new values, all or none; ValueError or TypeError, in the words of an operation, for one not legal."""
        for key, value in wished.items():
            self._check_key(operation, key)
            _check(operation, key, value, self.table[key][1])
        new = {**self, **wished}
        for key in wished:
            for function in self._watchers.get(key, ()):
                function(new)
        self.update(wished)
        changes.count += 1

    def read(self, operation, key):
        """The value of a key; ValueError for one that there is not."""
        self._check_key(operation, key)
        return self[key]

    def reset(self):
        """Set every key back to its default."""
        self.update({key: default for key, (default, _) in self.table.items()})
        changes.count += 1

    def _check_key(self, operation, key):
        check_text(operation, "attr_key", key)
        if key not in self.table:
            raise value_error(operation, f"the keyword must be one of {sorted(self.table)}", shown(key))


def _check(operation, key, value, legal):
    """Raise unless a value is one that the table allows for its key."""
    if isinstance(legal, dict):
        _check_keys(operation, key, legal, value)
    elif isinstance(legal, range):
        if not is_int(value):
            raise type_error(operation, f"the '{key}' must be int", _typed(value))
        if type(value) is not int or value not in legal:
            raise value_error(operation, f"the '{key}' must be in [{legal.start}, {legal.stop})", shown(value))
    elif isinstance(legal, list):
        kinds = tuple(item for item in legal if isinstance(item, type))
        if not isinstance(value, kinds) and (type(value) is not type(legal[0]) or value not in legal):
            raise value_error(operation, f"the '{key}' must be one of {legal}", shown(value))
    elif not isinstance(value, legal) or (isinstance(value, bool) and bool not in legal):
        names = " or ".join(kind.__name__ for kind in legal)
        raise type_error(operation, f"the '{key}' must be {names}", _typed(value))
    elif isinstance(value, list) and not all(is_int(item) for item in value):
        raise type_error(operation, f"the '{key}' must be a list of ints", shown(value))
    else:
        check_64_bits(operation, key, value)


def _check_keys(operation, key, legal, value):
    if not isinstance(value, dict):
        raise type_error(operation, f"the '{key}' must be dict", _typed(value))
    unknown = [name for name in value if name not in legal]
    if unknown:
        raise value_error(operation, f"the keys of '{key}' must be among {sorted(legal)}", shown(unknown[0]))


def _typed(value):
    return f"{shown(value)} of type {type(value).__name__}"


# Each key of set_context: (default, legal). A tuple of types checks the kind; a list or range checks the value, where a
# type among a list's values stands for all of its kind; a dict lists the legal keys of a dict.
settings = Settings(
    {
        "mode": (PYNATIVE_MODE, [GRAPH_MODE, PYNATIVE_MODE]),
        "device_target": ("CPU", ["CPU"]),
        "device_id": (0, range(4096)),
        "enable_ge": (False, (bool,)),
        "cpu_loss_scale": (False, (bool,)),
        "check_bprop": (False, (bool,)),
    }
)


def add_device(target):
    """Make a kind of device a legal ``device_target``: the room of devices does."""
    settings.table["device_target"][1].append(target)


def set_context(**kwargs: Any) -> None:
    """Set options of the process: ``mode``, ``device_target`` ("CPU", "GPU", "Ascend"), ``device_id``, and others.

    Nothing changes unless every keyword and value is legal. "Ascend" is emulated: it computes on NumPy, and keeps the
    overflow register that Ascend processors have. ``runtime_num_threads`` is how many threads share a large operation
    on the CPU: by default, and for 0, one for each core of this process, or as many as the environment grants BLAS.
    ``op_timeout`` is how many seconds a collective operation waits for the other processes; 0 is without end.
    MindSpore's keys about compilers, memory and processors are accepted without effect, which the log tells at level
    "debug". With ``check_bprop`` a user's ``bprop`` must return a gradient for each input, of the input's dtype.

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
    settings.change("set_context", kwargs)


def get_context(attr_key: str) -> Any:
    """The current value of one option of :func:`set_context`.

    Raises:
        TypeError: If the keyword is not a str.
        ValueError: If the keyword is unknown.
    """
    return settings.read("get_context", attr_key)


def set_device(device_target: str, device_id: int = 0) -> None:
    """Choose the device: ``set_context(device_target=..., device_id=...)``, as later releases of MindSpore name it."""
    set_context(device_target=device_target, device_id=device_id)
