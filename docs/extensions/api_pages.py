"""A page for each public name: small files of reStructuredText, written before the site is read.

They stand in ``docs/reference/api``, which git ignores: a folder for each namespace, and a page with its table. Only
the tables are in the table of contents, or each page of the site would carry thousands of lines. What has several names
at several places has its page at the first of them.
"""

import importlib
import inspect
import re
from pathlib import Path

NAMESPACES = {
    "minispore.amp": "mixed precision",
    "minispore.nn": "Cell, layers, losses, optimizers, metrics",
    "minispore.ops": "operations as functions",
    "minispore.insight": "why a step overflowed, what float16 loses",
    "minispore.rewrite": "a network's source as nodes",
    "minispore.train": "Model and its callbacks",
    "minispore.dataset": "data sets",
    "minispore.dataset.transforms": "transforms of data",
    "minispore.dataset.vision": "transforms of images",
    "minispore.common.initializer": "the first values of Parameters",
    "minispore.boost": "steps that compute less",
    "minispore.mindrecord": "MindSpore's record files",
    "minispore.numpy": "NumPy's functions, of Tensors",
    "minispore": "Tensor, Parameter, settings, gradients, graph mode, files",
}
OWN_RULES = "construct, infer, compute, bprop, local_grads"  # told by their base class
FOLDER = "docs/reference/api"
TOP = Path(__file__).resolve().parents[2]


def kind_of(value):
    """The directive of autodoc that tells of a value, or None where it has no page."""
    if inspect.ismodule(value):
        return None
    if isinstance(value, type):
        return "autoclass"
    return "autofunction" if callable(value) and value.__doc__ else "autodata"


def key_of(path, value):
    """What two names share that have one page: a class; of other values the last part of the name too."""
    return id(value) if isinstance(value, type) else (id(value), path.rpartition(".")[2])


def source_of(value):
    """A link to the code of a value, at its line (``code_pages``); nothing where it has none of its own."""
    value = inspect.unwrap(value) if callable(value) else getattr(value, "fget", value)
    try:
        file = Path(inspect.getsourcefile(value if hasattr(value, "__qualname__") else type(value))).resolve()
    except TypeError:
        return ""
    name = getattr(value, "__qualname__", type(value).__qualname__)
    name = file.name if "<" in name else name
    return f" · source: :download:`{name} </{file.relative_to(TOP)}>`" if file.is_relative_to(TOP / "minispore") else ""


def entry(path, value, short, title):
    """The text of the page of a value, by its path, and the name and title of its namespace's page."""
    kind = kind_of(value)
    name = path.removeprefix("minispore.").replace("_", "\\_")
    lines = [":orphan:", "", name, "=" * len(name), ""]
    lines += [f":doc:`{title} </{FOLDER}/{short}>`{source_of(value)}", "", f".. {kind}:: {path}"]
    if kind == "autoclass" and short not in ("primitives", "Tensor") and path != "minispore.Tensor":
        lines += ["   :members:", f"   :exclude-members: {OWN_RULES}"]
    return "\n".join(lines) + "\n"


def sentence(value):
    """The first sentence of a docstring, for a cell of a table."""
    text = " ".join((getattr(value, "__doc__", None) or "").split("\n\n")[0].split())
    return re.sub(r"(?<=[\w)`])\. [A-Z].*", ".", text)


def table(title, text, rows):
    """The text of the page of a namespace; a row has a name, the place of its page, and its value."""
    lines = [f"   * - :doc:`{name} </{FOLDER}/{place}>`\n     - {sentence(value)}" for name, place, value in rows]
    head = [title, "=" * len(title), "", text, "", ".. list-table::", "   :widths: 1 3", ""]
    return "\n".join([*head, *lines, ""])


def groups():
    """The namespaces: the name of each folder, its title, its sentence, and its values by their paths."""
    for name, text in NAMESPACES.items():
        module = importlib.import_module(name)
        found = {f"{name}.{n}": getattr(module, n) for n in sorted(set(module.__all__), key=str.lower)}
        found = {path: value for path, value in found.items() if kind_of(value)}
        short = name.removeprefix("minispore.")
        if name == "minispore.ops":
            classes = {path: value for path, value in found.items() if isinstance(value, type)}
            yield "primitives", "ops: primitives", "Primitives, made with attributes and called with Tensors.", classes
            found = {path: value for path, value in found.items() if path not in classes}
        yield short, short, f"{text[0].upper()}{text[1:]}.", found
    yield "Tensor", "Tensor's methods", "What each Tensor can do.", methods_of_tensors()


def methods_of_tensors():
    """Tensor's public attributes by their paths."""
    tensor = importlib.import_module("minispore").Tensor
    names = [n for n in dir(tensor) if not n.startswith("_") and hasattr(tensor, n)]
    return {f"minispore.Tensor.{n}": inspect.getattr_static(tensor, n) for n in names}


def place_of(path, short, taken):
    """The place of a page in the folder, without its ending; Plan and plan are two where capitals do not count."""
    place = f"{short}/{path.rpartition('.')[2]}"
    place += "_" * (place.lower() in taken)
    taken.add(place.lower())
    return place


def pages():
    """The pages of all namespaces: the name of each file, and its text."""
    taken, homes = set(), {}
    for short, title, text, found in groups():
        rows = []
        for path, value in found.items():
            key = key_of(path, value)
            if key not in homes:
                homes[key] = place_of(path, short, taken)
                yield f"{homes[key]}.rst", entry(path, value, short, title)
            rows.append((path.rpartition(".")[2], homes[key], value))
        yield f"{short}.rst", table(title, text, rows)


def write(app):
    """Write the pages; a file that stays the same is not read again."""
    folder, made = Path(app.srcdir) / FOLDER, dict(pages())
    for old in set(folder.rglob("*.*")) - {folder / name for name in made}:
        if old.is_file():
            old.unlink()
    for name, text in made.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def escape_stars(app, kind, name, value, options, lines):
    """Let the star of a shape such as (N, *) be a star, not the beginning of emphasis; code is left alone."""
    for number, line in enumerate(lines):
        parts = line.split("``")
        parts[::2] = [re.sub(r"(?<![*\w\\])\*(?=[),])", r"\\*", part) for part in parts[::2]]
        lines[number] = "``".join(parts)


def setup(app):
    """Register the writer, before the pages are looked for."""
    app.connect("builder-inited", write)
    app.connect("autodoc-process-docstring", escape_stars)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "version": "1"}
