"""A case as a program that can be pasted: it loads the target, makes the case, and holds it to its law.

Run, it ends in the :class:`Broken` that the law raised, with the same words.
"""

from dataclasses import fields, is_dataclass

import numpy as np

from minispore.tools.testing.strategies.arrays import in_source
from minispore.tools.testing.targets import loading

__all__ = ["in_code", "pasted"]


def in_code(value):
    """A case, or a part of it, as the expression that makes it.

    A class may say it itself, by a method ``in_code()``. :func:`imports` finds the names in an expression.

    Examples:
        >>> import numpy as np
        >>> from minispore.testing.program import in_code
        >>> in_code({"x": [np.float32([0.5, np.inf]), (1, float("nan"))]})
        "{'x': [np.array([0.5, np.inf], np.float32), (1, np.nan)]}"
    """
    if hasattr(value, "in_code"):
        return value.in_code()
    if isinstance(value, np.ndarray):
        return in_source(value)
    if is_dataclass(value):
        return _called(value, ((each.name, getattr(value, each.name)) for each in fields(value)))
    if hasattr(value, "_fields"):
        return _called(value, zip(value._fields, value, strict=True))
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {in_code(each)}' for key, each in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return _sequence(value)
    return f"np.{value}".replace("np.-", "-np.") if isinstance(value, float) and not np.isfinite(value) else repr(value)


def _called(value, named):
    return f"{type(value).__name__}({', '.join(f'{name}={in_code(each)}' for name, each in named)})"


def _sequence(values):
    inside = ", ".join(map(in_code, values))
    if isinstance(values, list):
        return f"[{inside}]"
    return f"({inside},)" if len(values) == 1 else f"({inside})"


def _made_of(value):
    """The classes that an expression of :func:`in_code` names."""
    if hasattr(value, "in_code"):
        return {type(value)}
    if is_dataclass(value):
        return {type(value)}.union(*(_made_of(getattr(value, each.name)) for each in fields(value)))
    if isinstance(value, (list, tuple)):
        own = {type(value)} if hasattr(value, "_fields") else set()
        return own.union(*map(_made_of, value))
    return set()


def pasted(law, target, case):
    """A program that breaks a law with one case; the case's own where it is of no known form.

    Args:
        law (Law): The law.
        target (Target): The target.
        case (object): A case of the law.
    """
    if not is_dataclass(case) and not hasattr(case, "in_code"):
        return case.program()
    text = in_code(case)
    lines = ["import numpy as np", ""] if "np." in text else []
    named = {"minispore.tools.testing.laws": ["LAWS"], "minispore.tools.testing.targets": ["load"]}
    for kind in _made_of(case):
        named.setdefault(kind.__module__, []).append(kind.__name__)
    lines += [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(named.items())]
    lines += ["", f"target = {loading(target)}", f"case = {text}", f'LAWS["{law.name}"](target, case)']
    return "\n".join(lines)
