"""The text of an object that is no Tensor, Cell or primitive: its class, and the arguments that it was made with."""

import inspect
import reprlib

__all__ = []


class _Short(reprlib.Repr):
    """Texts of values in a line: few elements of each, arrays by type and shape, other objects by their class."""

    def __init__(self):
        super().__init__()
        self.maxlevel, self.maxtuple, self.maxlist, self.maxdict, self.maxset = 2, 4, 4, 4, 4
        self.maxstring = self.maxlong = 60

    def repr_instance(self, x, level):
        """The text of an object that is none of Python's values."""
        shape, kind = getattr(x, "shape", None), getattr(x, "dtype", None)
        if isinstance(shape, tuple) and kind is not None:
            return f"{kind}{list(shape)}" if shape else self.repr1(x.item(), level)
        if isinstance(x, float):
            return f"{x:.8g}"
        if x is None or isinstance(x, (bool, complex, bytes)):
            return super().repr_instance(x, level)
        if type(x).__repr__ is of_arguments:
            return _made_with(x, level - 1) if level > 0 else f"{type(x).__name__}(...)"
        return getattr(x, "__name__", None) or type(x).__name__


_SHORT = _Short()


def of_arguments(instance):
    """``Class(argument=value, ...)``: the arguments of construction that the instance keeps, for its ``__repr__``.

    An argument is kept under its own name, or under that name after an underscore. None is left out, and a key too.
    """
    return _made_with(instance, _SHORT.maxlevel)


def _made_with(instance, level):
    kept = {name.removeprefix("_"): value for name, value in getattr(instance, "__dict__", {}).items()}
    names = [name for name in _parameters(type(instance)) if not name.endswith("_key")]
    return _text(instance, {name: kept[name] for name in names if kept.get(name) is not None}, level)


def of_attributes(*names):
    """A ``__repr__`` that shows these attributes of the instance, properties included."""

    def text(instance):
        return _text(instance, {name.removeprefix("_"): getattr(instance, name) for name in names})

    return text


def _parameters(kind):
    """The names of a class's arguments; none of a class without a signature."""
    try:
        return list(inspect.signature(kind).parameters)
    except (TypeError, ValueError):
        return []


def _text(instance, values, level=_SHORT.maxlevel):
    shown = ", ".join(f"{name}={_SHORT.repr1(value, level)}" for name, value in values.items())
    return f"{type(instance).__name__}({shown})"
