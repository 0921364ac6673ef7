"""Records the public names of MindSpore by module, in ``minispore/dropin/mindspore_names.json.gz``: no text.

Run it, in ``tests/``, with the Python of MindSpore 2.0.0: ``python -m conformance.record.names``.
"""

import gzip
import importlib
import json
import pathlib
import pkgutil
import sys
import types

PLACE = pathlib.Path(__file__).parents[3] / "minispore" / "dropin" / "mindspore_names.json.gz"


def submodules(package):
    """The package and all its public modules that can be imported."""
    yield package
    for found in pkgutil.iter_modules(getattr(package, "__path__", [])):
        name = f"{package.__name__}.{found.name}"
        if found.name.startswith("_") or found.name.endswith("_pb2"):
            continue
        try:
            module = importlib.import_module(name)
        except Exception as error:
            print(f"{name} cannot be imported: {type(error).__name__}", file=sys.stderr)
            continue
        yield from submodules(module)


def is_own(value):
    """Whether a value is MindSpore's: a class, function or module of it."""
    home = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    return (home or "").startswith("mindspore")


def names_of(module):
    """The public names of a module that are MindSpore's."""
    listed = set(map(str, getattr(module, "__all__", ())))
    return sorted(n for n, v in vars(module).items() if n[0] != "_" and (n in listed or is_own(v)))


def main():
    import mindspore

    found = {module.__name__: names_of(module) for module in submodules(mindspore)}
    text = json.dumps({name.partition(".")[2]: names for name, names in sorted(found.items())}, separators=(",", ":"))
    PLACE.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(found)} modules, {sum(map(len, found.values()))} names, {PLACE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
