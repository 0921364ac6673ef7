"""Write ``docs/reference/operations.md`` from the code: operations by family, layers, losses, optimizers, metrics.

Run it as ``python docs/make/operations.py``. Git has no such page, so an addition changes none; a test holds what this
writes.
"""

import functools
import importlib
import pathlib
import re
import types

import minispore as ms
from minispore import nn, ops
from minispore.core.primitive import Primitive
from minispore.dropin.primitive_spellings import PrimitiveWithInfer
from minispore.nn import initializer, optim
from minispore.ops import composite, functional, operations

PAGE = pathlib.Path(__file__).parents[1] / "reference" / "operations.md"
FAMILIES = (
    "math",
    "array",
    "linalg",
    "reduce",
    "nn",
    "random",
    "state",
    "collective",
    "overflow_status",
)  # the folders, in order
LAYERS = "Layers|Losses|Optimizers, rates|Metrics|Cells for training"


def family_of(module):
    """The family of a module of operations, its folder; of a module of functions, the first word of its name."""
    inside = module.partition(f"{operations.__name__}.")[2] or module.partition(f"{functional.__name__}.")[2]
    family = inside.split(".")[0]
    family = family if family in FAMILIES else family.split("_")[0]
    return family if inside and family in FAMILIES else "state"


def sentence(value):
    """The first sentence of a docstring, for a cell of a table."""
    text = " ".join((value.__doc__ or "").split("\n\n")[0].split())
    return re.sub(r":\w+:(`[^`]*`)", r"\1", text).replace("|", "\\|")


@functools.cache
def primitives():
    """Every primitive by name."""
    found = {name: getattr(operations, name) for name in operations.__all__}
    return {n: v for n, v in found.items() if isinstance(v, type) and v not in (Primitive, PrimitiveWithInfer)}


def calls(face):
    """The names of the primitives that a functional face is, or speaks of."""
    if isinstance(face, Primitive):
        return {type(face).__name__}
    namesakes = {name for name in primitives() if name.lower() == face.__name__.replace("_", "")}
    code = getattr(face, "__wrapped__", face).__code__
    inner = {name for c in code.co_consts if hasattr(c, "co_names") for name in c.co_names}
    cells = [cell.cell_contents for cell in face.__closure__ or ()]
    held = {name for x in cells if isinstance(x, Primitive) or hasattr(x, "__code__") for name in calls(x)}
    kinds = {x.__name__ for x in cells if isinstance(x, type)}
    return (set(code.co_names) | inner | held | kinds) & primitives().keys() | namesakes


def faces():
    """Every functional face by name."""
    found = {name: getattr(functional, name) for name in functional.__all__}
    return {name: x for name, x in found.items() if isinstance(x, (Primitive, types.FunctionType))}


@functools.cache
def functions_by_primitive():
    """The faces of each primitive; first those that bear its name."""
    found = {name: [] for name in primitives()}
    for name, face in faces().items():
        for primitive in calls(face):
            found[primitive].append(name)
    for primitive, names in found.items():
        names.sort(key=lambda n: (n.replace("_", "") != primitive.lower(), n))
    return found


@functools.cache
def methods():
    """The names of Tensor's methods."""
    return {name for name in dir(ms.Tensor) if not name.startswith("_") and callable(getattr(ms.Tensor, name, None))}


def code(names):
    """Names as code, for a cell of a table."""
    return ", ".join(f"`{name}`" for name in names)


def operations_of(family):
    """The rows of a family's primitives."""
    by = functions_by_primitive()
    for name, kind in sorted(primitives().items(), key=lambda pair: pair[0].lower()):
        if family_of(kind.__module__) == family:
            as_methods = [n for n in by[name] if n in methods()]
            yield f"| `{name}` | {code(by[name])} | {code(as_methods)} | {sentence(kind)} |"


def functions_of(family):
    """The rows of a family's functions that are made of others, with no primitive of their own."""
    for name, function in sorted(faces().items()):
        if family_of(getattr(function, "__module__", "")) == family and not calls(function):
            yield f"| `{name}` | {'method' if name in methods() else ''} | {sentence(function)} |"


def table(head, rows):
    """A table, or nothing for no rows."""
    rows = list(rows)
    return [f"| {' | '.join(head)} |", "|" + "---|" * len(head), *rows, ""] if rows else []


def operations_part():
    """The operations, family by family."""
    for family in FAMILIES:
        yield f"## {family}\n"
        yield f"{sentence(importlib.import_module(f'{operations.__name__}.{family}'))}\n"
        yield from table(["Primitive", "function", "Tensor method", "formula"], operations_of(family))
        yield from table(["Function made of others", "Tensor method", "formula"], functions_of(family))
    yield "## Functions of functions\n"
    rows = (f"| `{n}` | {sentence(getattr(composite, n))} |" for n in sorted(composite.__all__))
    yield from table(["Name", "formula"], rows)


def kind_of(name):
    """Under which heading a name of ``nn`` stands."""
    value = getattr(nn, name)
    module = value.__module__
    if isinstance(value, type) and issubclass(value, nn.LossBase):
        return "Losses"
    if module.startswith(
        (optim.__name__, "minispore.nn.optim.dynamic_lr", "minispore.nn.optim.learning_rate_schedule")
    ):
        return "Optimizers, rates"
    if ".metrics" in module:
        return "Metrics"
    trains = module.startswith(("minispore.amp", "minispore.nn.with_loss", "minispore.nn.wrap"))
    return "Cells for training" if trains else "Layers"


def networks_part():
    """What ``nn`` has, and the initializers."""
    for kind in LAYERS.split("|"):
        names = sorted(name for name in nn.__all__ if callable(getattr(nn, name)) and kind_of(name) == kind)
        yield f"## {kind} (`nn`)\n"
        yield from table(["Name", "formula"], (f"| `{n}` | {sentence(getattr(nn, n))} |" for n in names))
    yield "## Initializers (`common.initializer`)\n"
    rows = (f"| `{n}` | {sentence(getattr(initializer, n))} |" for n in sorted(initializer.__all__))
    yield from table(["Name", "formula"], rows)


def page():
    """The text of the page."""
    counts = f"{len(primitives())} primitives, {len(faces())} functions and {len(methods())} methods of Tensors"
    head = [
        "# Operations and layers",
        "",
        f"Written by `docs/make/operations.py` from the code: {counts}. How each compares with MindSpore's is in",
        "[conformance.md](conformance.md). A primitive is made with its attributes and called with Tensors,",
        "`ops.MatMul(transpose_b=True)(x, w)`; the functions beside it are called with both, `ops.matmul(x, w)`.",
        "",
    ]
    return "\n".join([*head, *operations_part(), *networks_part()]).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE}: {len(primitives())} primitives, {len(ops.functional.__all__)} functions")
