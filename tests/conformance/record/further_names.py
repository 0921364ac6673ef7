"""Record every name of MindSpore by module, private ones and modules included: names alone, no text.

``python -m conformance.record.further_names FOLDER``, in ``tests/``, with the Python of one MindSpore, writes
``FOLDER/VERSION.json``. ``python -m conformance.record.further_names --join FOLDER`` then writes
``minispore/dropin/further_names.json.gz``, with any Python: the names of 2.0.0, and what later versions have beside.
"""

import gzip
import importlib
import json
import pathlib
import pkgutil
import sys

PLACE = pathlib.Path(__file__).parents[3] / "minispore" / "dropin" / "further_names.json.gz"
# Programs, and the tables of other processors' kernels
_LEFT_OUT = {"parallel_compiler", "remote", "akg_compiler", "cache_admin", "__main__", "_op_impl", "ops_generate"}


def modules(package):
    """The package and all its modules that can be imported."""
    yield package
    for found in pkgutil.iter_modules(getattr(package, "__path__", [])):
        name = f"{package.__name__}.{found.name}"
        if _LEFT_OUT & {*name.split(".")}:
            continue
        try:
            module = importlib.import_module(name)
        except BaseException as error:
            print(f"{name} cannot be imported: {type(error).__name__}", file=sys.stderr)
            continue
        yield from modules(module)


def names_of(module):
    """The names of a module but for those of Python itself."""
    return sorted(name for name in vars(module) if not name.startswith("__"))


def record(folder):
    """Write the names of the MindSpore that runs."""
    import mindspore

    found = {module.__name__.partition(".")[2]: names_of(module) for module in modules(mindspore)}
    for name, module in list(sys.modules.items()):  # those that are made by C++, and what else was imported
        if name.startswith("mindspore.") and module is not None and not _LEFT_OUT & {*name.split(".")}:
            found.setdefault(name.partition(".")[2], names_of(module))
    folder.mkdir(exist_ok=True, parents=True)
    (folder / f"{mindspore.__version__}.json").write_text(json.dumps(found))
    print(f"{len(found)} modules, {sum(map(len, found.values()))} names")


def join(folder):
    """Write the names of all versions in a folder: those of the first, and what later ones have beside them."""
    first, *later = [json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))]
    beside = {}
    for names in later:
        for module, row in names.items():
            known = {*first.get(module, ()), *beside.get(module, ())}
            beside.setdefault(module, []).extend(name for name in row if name not in known)
    beside = {module: sorted(row) for module, row in beside.items() if row or module not in first}
    rows = {"2.0.0": first, "later": beside}
    PLACE.write_bytes(gzip.compress(json.dumps(rows, separators=(",", ":"), sort_keys=True).encode(), mtime=0))
    print({part: (len(names), sum(map(len, names.values()))) for part, names in rows.items()}, PLACE.stat().st_size)


if __name__ == "__main__":
    join(pathlib.Path(sys.argv[2])) if sys.argv[1] == "--join" else record(pathlib.Path(sys.argv[1]))
