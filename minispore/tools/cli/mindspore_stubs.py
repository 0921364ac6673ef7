"""``minispore stubs``: a package of type stubs for ``mindspore``, each of which hands on minispore's names."""

import importlib
import textwrap
from pathlib import Path

from minispore.core.version import __version__
from minispore.dropin.absent import names_of_mindspore

__all__ = ["add_stubs", "write_stubs"]

PACKAGE = "mindspore-stubs"  # the name by which type checkers find the stubs of a package
HEAD = "# Made by 'minispore stubs'.\n"
PROJECT = """\
[build-system]
requires = ["setuptools>=64"]
build-backend = "setuptools.build_meta"

[project]
name = "minispore-mindspore-stubs"
version = "{version}"
description = "Type stubs of mindspore: the names that minispore has at its addresses"
dependencies = ["minispore"]

[tool.setuptools]
packages = [
{packages}
]

[tool.setuptools.package-data]
"*" = ["*.pyi"]
"""


def add_stubs(commands):
    """Add the command to the table of commands."""
    text = "write a package of type stubs, so that editors and type checkers know 'import mindspore' in a script"
    parser = commands.add_parser("stubs", help=text, description=f"{text[0].upper()}{text[1:]}.")
    parser.add_argument("folder", metavar="FOLDER", help="a new folder, for 'pip install ./FOLDER'")
    parser.set_defaults(run=_run, parser=parser)


def _run(arguments):
    """Write the stubs and say what to do with them."""
    try:
        count = write_stubs(arguments.folder)
    except OSError as error:
        arguments.parser.error(str(error))
    place = Path(arguments.folder).resolve()  # pip would look a bare name up in an index of packages
    print(f"{count} stubs are in '{arguments.folder}'; install them with: pip install {place}")
    return 0


def write_stubs(folder):
    """Write the package into a folder that is not there yet; the number of its stubs."""
    folder = Path(folder)
    folder.mkdir(parents=True)
    found = {address: module for address in names_of_mindspore() if (module := _module(address)) is not None}
    for address, module in found.items():
        place = folder.joinpath(PACKAGE, *address.split("."))
        place.mkdir(parents=True, exist_ok=True)
        (place / "__init__.pyi").write_text(HEAD + "\n".join(_lines(address, module)) + "\n", encoding="utf-8")
    packages = sorted(str(path.relative_to(folder)).replace("/", ".") for path in (folder / PACKAGE).rglob("*/"))
    listed = "\n".join(f'    "{name}",' for name in [PACKAGE, *packages])
    (folder / "pyproject.toml").write_text(PROJECT.format(version=__version__, packages=listed), encoding="utf-8")
    return len(found)


def _module(address):
    """The module of an address of MindSpore; None if there is none here."""
    try:
        return importlib.import_module(f"minispore.{address}".rstrip("."))
    except ImportError:
        return None


def _lines(address, module):
    """A stub's lines: all names that the address lists, and those that MindSpore has there beside them."""
    source = f"minispore.{address}".rstrip(".")
    beside = names_of_mindspore()[address] - {*getattr(module, "__all__", ())}
    named = [f"{name} as {name}" for name in sorted(beside) if hasattr(module, name)]
    if not named:
        return [f"from {source} import *"]
    wrapped = [f"    {line}" for line in textwrap.wrap(", ".join(f"{pair.replace(' ', '~')}" for pair in named), 115)]
    return [f"from {source} import *", f"from {source} import (", *(line.replace("~", " ") for line in wrapped), ")"]
