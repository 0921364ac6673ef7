"""Rooms and arrows of the import graph of minispore at the top, and its circles.

    python benchmarks/imports.py                   # of this checkout
    python benchmarks/imports.py --package PATH    # beside another checkout's

A room is an entry of ``minispore/`` beside ``__init__`` and ``__main__``: a module, or a folder with all in it. An
arrow goes from a room to another one, or to or from the front door, that it imports: inside functions, by a module's
name in a string, and in a stub that stands in git too. Modules in a circle import one another at last, and so do rooms
in a circle; stubs and names in strings make none.
"""

import argparse
import ast
import subprocess
from pathlib import Path
from typing import NamedTuple

PACKAGE = "minispore"
DOORS = {"__init__", "__main__"}
ROOMS, ARROWS = 25, 130  # at most


class Graph(NamedTuple):
    """Rooms, arrows between them, and what stands in a circle: modules, and rooms."""

    rooms: set
    arrows: set
    modules_in_circles: set
    rooms_in_circles: set


def files_of(checkout):
    """The modules and stubs of a checkout that git has or would take, each with its dotted name."""
    command = ["git", "-C", str(checkout), "ls-files", "-co", "--exclude-standard", "--", PACKAGE]
    listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    paths = [Path(checkout, line) for line in listed if line.endswith((".py", ".pyi"))]
    return {path: _name(path.relative_to(checkout)) for path in paths if path.exists()}


def _name(path):
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path, name, modules):
    """The modules of the package that a file imports, and those that it names in a string: two sets."""
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    found, named = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & modules
        elif isinstance(node, ast.ImportFrom) and (source := _source(node, package)) in modules:
            inner = (f"{source}.{alias.name}" for alias in node.names)
            found |= {each if each in modules else source for each in inner}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in modules:
            named.add(node.value)
    return found, named


def _source(node, package):
    """The absolute name of what ``from ... import`` names."""
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    return ".".join([*above, *filter(None, [node.module])])


def room_of(module):
    """The entry of the package that a module stands in; ``__init__`` for the package itself."""
    return [*module.split("."), "__init__"][1]


def graph_of(checkout):
    """The :class:`Graph` of a checkout."""
    files = files_of(checkout)
    modules = set(files.values())
    found = [(path, name, *imported(path, name, modules)) for path, name in files.items()]
    plain = {(name, each) for path, name, inner, _ in found if path.suffix == ".py" for each in inner}
    return Graph(
        rooms={room_of(name) for name in modules} - DOORS,
        arrows=_between_rooms((name, each) for _, name, *both in found for each in both[0] | both[1]),
        modules_in_circles=in_circles(plain),
        rooms_in_circles=in_circles(_between_rooms(plain)) - DOORS,
    )


def _between_rooms(arrows):
    return {(room_of(a), room_of(b)) for a, b in arrows if room_of(a) != room_of(b)}


def in_circles(arrows):
    """The nodes from which arrows lead on and on: every node of a circle, once all that lead nowhere are gone."""
    left = {(a, b) for a, b in arrows if a != b}
    while True:
        starts, ends = {a for a, _ in left}, {b for _, b in left}
        inside = {(a, b) for a, b in left if a in ends and b in starts}
        if inside == left:
            return starts
        left = inside


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", type=Path, help="another checkout, whose figures stand beside")
    options = parser.parse_args()
    checkouts = [path for path in (options.package, Path(__file__).resolve().parents[1]) if path]
    for checkout in checkouts:
        graph = graph_of(checkout)
        print(f"{checkout}: {len(graph.rooms)} rooms (must {ROOMS}), {len(graph.arrows)} arrows (must {ARROWS})")
        print(f"  rooms in circles: {' '.join(sorted(graph.rooms_in_circles)) or 'none'}")
        print(f"  modules in circles: {' '.join(sorted(graph.modules_in_circles)) or 'none'}")


if __name__ == "__main__":
    main()
