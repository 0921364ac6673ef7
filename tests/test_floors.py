"""The floor plan: a module imports only from lower floors or its own, inside functions too."""

import ast
from pathlib import Path

import pytest

import minispore

ROOT = Path(minispore.__file__).parent
FLOORS = [
    "_startup atomic_file errors tracebacks slips checks nest dtype",
    "context",
    "journal",
    "backend streams workers",
    "communication",
    "autograd tensor parameter initializer",
    "ops",
    "nn graph",
    "rewrite",
    "amp",
    "boost train dataset serialization parameter_loading safetensors_format testing",
    "__main__ compat __init__",
]
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names.split()}
ROOMS = {"parse", "edit", "check", "generate"}  # of rewrite


def name_of(path):
    parts = ("minispore", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


def imports_of(module):
    """The package's modules that a module imports, and the outer packages, wherever in it the import stands."""
    package = module if MODULES[module].stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{source}.{a.name}" if f"{source}.{a.name}" in MODULES else source for a in node.names)


def floor_of(module):
    name = module.split(".")[1] if "." in module else "__init__"
    assert name in FLOOR, f"'{name}' has no floor yet: give it one in this test and in house rules"
    return FLOOR[name]


def inner_imports(module):
    return [name for name in imports_of(module) if name.split(".")[0] == "minispore"]


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_from_lower_floors_or_its_own(module):
    above = [name for name in inner_imports(module) if floor_of(name) > floor_of(module)]
    assert not above, f"{module} is on floor {floor_of(module)} and imports {above}"


def test_only_the_backend_imports_cupy():
    importers = {m for m in MODULES for name in imports_of(m) if name.split(".")[0].startswith("cupy")}
    mentioning = {m for m, path in MODULES.items() if 'import_module("cupy")' in path.read_text()}
    assert importers | mentioning == {"minispore.backend"}


def test_only_the_white_pass_of_amp_imports_rewrite():
    importers = {m for m in MODULES for name in inner_imports(m) if name.startswith("minispore.rewrite")}
    assert {m for m in importers if m.startswith("minispore.amp")} <= {"minispore.amp.white_pass"}


def room_of(module):
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["rewrite"] and len(parts) > 2 and parts[2] in ROOMS else None


def test_the_rooms_of_rewrite_never_import_one_another():
    crossing = [
        (module, name)
        for module in filter(room_of, MODULES)
        for name in inner_imports(module)
        if room_of(name) not in (None, room_of(module))
    ]
    assert crossing == []
