"""A page for each public name: small files of reStructuredText, written before the site is read.

They stand in ``docs/reference/api``, which git ignores: a folder for each namespace, and a page with its table. None is
in a table of contents, or each page of the site would carry thousands of lines of it.
"""

import importlib
import inspect
import shutil
from pathlib import Path

NAMESPACES = {
    "minispore": "Tensor, Parameter, settings, gradients, graph mode, files",
    "minispore.ops": "operations as functions",
    "minispore.nn": "Cell, layers, losses, optimizers, metrics",
    "minispore.amp": "mixed precision",
    "minispore.insight": "why a step overflowed, what float16 loses",
    "minispore.rewrite": "a network's source as nodes",
    "minispore.train": "Model and its callbacks",
    "minispore.dataset": "data sets",
    "minispore.dataset.transforms": "transforms of data",
    "minispore.dataset.vision": "transforms of images",
    "minispore.common.initializer": "the first values of Parameters",
    "minispore.boost": "steps that compute less",
    "minispore.mindrecord": "MindSpore's record files",
    "minispore.numpy": "NumPy's functions of Tensors",
}
OWN_RULES = "construct, infer, compute, bprop, local_grads"  # told by their base class


def kind_of(value):
    """The directive of autodoc that tells of a value, or None where it has no page."""
    if inspect.ismodule(value):
        return None
    if isinstance(value, type):
        return "autoclass"
    return "autofunction" if callable(value) and value.__doc__ else "autodata"


def file_name(path, found):
    """The name of a page's file, also where capitals do not count: Plan and plan are two."""
    alike = [other for other in found if other.lower() == path.lower()]
    return f"{path.rpartition('.')[2]}{'_class' if len(alike) > 1 and path == min(alike) else ''}.rst"


def heading(text, sign="="):
    """A heading of reStructuredText."""
    text = text.replace("_", "\\_")
    return f"{text}\n{sign * len(text)}\n"


def entry(path, value, index):
    """The text of the page of a value, by its path and that of its namespace's page."""
    kind = kind_of(value)
    lines = [":orphan:\n", heading(path.removeprefix("minispore.")), f":doc:`{index[1]} <{index[0]}>`\n"]
    lines.append(f".. {kind}:: {path}")
    if kind == "autoclass" and not path.startswith("minispore.ops."):
        lines += ["   :members:", f"   :exclude-members: {OWN_RULES}"] if path != "minispore.Tensor" else []
    return "\n".join(lines) + "\n"


def table(title, sentence, paths):
    """The text of the page of a namespace."""
    rows = "".join(f"   ~{path}\n" for path in paths)
    return f":orphan:\n\n{heading(title)}\n{sentence}\n\n.. autosummary::\n   :nosignatures:\n\n{rows}"


def groups():
    """The namespaces: the name of each folder, its title, its sentence, and its paths with their values."""
    for name, sentence in NAMESPACES.items():
        module = importlib.import_module(name)
        found = {f"{name}.{n}": getattr(module, n) for n in sorted(set(module.__all__), key=str.lower)}
        found = {path: value for path, value in found.items() if kind_of(value)}
        short = name.removeprefix("minispore.")
        if name == "minispore.ops":
            classes = {path: value for path, value in found.items() if isinstance(value, type)}
            yield "primitives", "ops: primitives", "Primitives, made with attributes and called with Tensors.", classes
            found = {path: value for path, value in found.items() if path not in classes}
        yield short, short, f"{sentence[0].upper()}{sentence[1:]}.", found
    tensor = importlib.import_module("minispore").Tensor
    names = [n for n in dir(tensor) if not n.startswith("_") and hasattr(tensor, n)]
    yield "Tensor", "Tensor's methods", "What a Tensor can do.", {f"minispore.Tensor.{n}": getattr(tensor, n) for n in names}


def write(app):
    """Write the pages of all namespaces."""
    folder = Path(app.srcdir) / "docs" / "reference" / "api"
    shutil.rmtree(folder, ignore_errors=True)
    for short, title, sentence, found in groups():
        inner = folder / short
        inner.mkdir(parents=True)
        index = f"/docs/reference/api/{short}", title
        (folder / f"{short}.rst").write_text(table(title, sentence, found), encoding="utf-8")
        for path, value in found.items():
            (inner / file_name(path, found)).write_text(entry(path, value, index), encoding="utf-8")


def setup(app):
    """Register the writer, before the pages are looked for."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "version": "1"}
