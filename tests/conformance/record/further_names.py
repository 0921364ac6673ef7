"""Record every name of MindSpore by module, private ones and modules included: names alone, no text.

``python -m conformance.record.further_names FOLDER``, in ``tests/``, with the Python of one MindSpore, writes
``FOLDER/VERSION.json``. ``python -m conformance.record.further_names --join FOLDER`` then writes
``minispore/dropin/further_names.json.gz``, with any Python: the names of 2.0.0, and what later versions have beside.

No wheels of 2.1 to 2.6 fit one machine's Python beside those. ``--listed REPOSITORY FOLDER`` writes the same files from
what the documentation at their tags lists, and from the paths of modules; REPOSITORY is the git directory of a clone of
MindSpore. A module of which no version was recorded has the name "*" too: what is documented is not all that it has.
``--apart FOLDER`` writes what the table has as two files, so that ``--join`` can add to them.
"""

import gzip
import importlib
import json
import pathlib
import pkgutil
import re
import subprocess
import sys

PLACE = pathlib.Path(__file__).parents[3] / "minispore" / "dropin" / "further_names.json.gz"
# Programs, and the tables of other processors' kernels
_LEFT_OUT = {"parallel_compiler", "remote", "akg_compiler", "cache_admin", "__main__", "_op_impl", "ops_generate"}

_TAGS = ("v2.1.1", "v2.2.14", "v2.3.1", "v2.4.10", "v2.5.0", "v2.6.0")
_SOURCES, _PAGES = "mindspore/python/mindspore/", "docs/api/api_python/*.rst"
# A directive that documents a name, or a line of a list of names
_LISTED = re.compile(r"^(?:\.\. py:(?:class|function|data):: |[ ]+)mindspore\.((?:\w+\.)*)(\w+)(?=\(|\s*$)")


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


def _git(repository, *args):
    return subprocess.run(
        ["git", "--git-dir", repository, *args], check=True, capture_output=True, text=True, errors="replace"
    ).stdout.splitlines()


def listed(repository, folder):
    """Write the names that the documentation of each tag lists, by module."""
    folder.mkdir(exist_ok=True, parents=True)
    for tag in _TAGS:
        paths = [
            path[len(_SOURCES) : -3]
            for path in _git(repository, "ls-tree", "-r", "--name-only", tag, _SOURCES)
            if path.endswith(".py")
        ]
        found = {
            path.removesuffix("__init__").strip("/").replace("/", "."): []
            for path in paths
            if not _LEFT_OUT & {*path.split("/")}
        }
        for line in _git(repository, "grep", "-h", "-I", "-E", "mindspore[.]", tag, "--", _PAGES):
            match = _LISTED.match(line)
            module = match and match[1].rstrip(".")
            if match and module in found:  # else a member of a class
                found[module].append(match[2])
        rows = {module: sorted({*names, "*"}) for module, names in found.items()}
        (folder / f"{tag[1:]}.json").write_text(json.dumps(rows))
        print(f"{tag}: {len(rows)} modules, {sum(map(len, rows.values()))} names")


def apart(folder):
    """Write the two parts of the table as files of their own."""
    folder.mkdir(exist_ok=True, parents=True)
    rows = json.loads(gzip.decompress(PLACE.read_bytes()))
    for part, file in (("2.0.0", "2.0.0.json"), ("later", "later.json")):
        (folder / file).write_text(json.dumps(rows[part]))


def join(folder):
    """Write the names of all versions in a folder: those of the first, and what later ones have beside them."""
    first, *later = [json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))]
    beside = {}
    for names in later:
        for module, row in names.items():
            known = {*first.get(module, ()), *beside.get(module, ())}
            beside.setdefault(module, []).extend(name for name in row if name not in known)
    whole = {module for names in (first, *later) for module, row in names.items() if "*" not in row}
    beside = {module: [name for name in row if name != "*" or module not in whole] for module, row in beside.items()}
    beside = {module: sorted(row) for module, row in beside.items() if row or module not in first}
    rows = {"2.0.0": first, "later": beside}
    PLACE.write_bytes(gzip.compress(json.dumps(rows, separators=(",", ":"), sort_keys=True).encode(), mtime=0))
    print({part: (len(names), sum(map(len, names.values()))) for part, names in rows.items()}, PLACE.stat().st_size)


if __name__ == "__main__":
    *options, place = sys.argv[1:]
    if options[:1] == ["--listed"]:
        listed(options[1], pathlib.Path(place))
    else:
        {"--join": join, "--apart": apart}.get("".join(options), record)(pathlib.Path(place))
