"""The rooms: a module imports only from its room and those before it; nothing above the line knows what is below it."""

import ast
import functools
import re
import sys
from pathlib import Path

import pytest

import minispore

ROOT = Path(minispore.__file__).parent

ABOVE = ("core", "ops", "nn", "rewrite", "amp")  # each imports from itself and from those before it, in functions too
BELOW = ("graph", "devices", "parallel", "data", "training", "dropin", "tools")
BESIDE = {"__init__.py", "__main__.py", "py.typed"}
NOT_OURS = {"numpy", "ml_dtypes"}  # what core may import beside Python's own

# Importer: what it imports that it must not. A line may go, none may come; this is what was left on DATE.
EXCEPTIONS = """
"""

# Package -> its floors, lowest first; what stands on one floor may import one another, but for the rooms in APART.
FLOORS = {
    "minispore.tools.testing": [
        "judge ran_in users_code ledger dialects",
        "primitives",
        "strategies oracles",
        "targets",
        "laws program",
        "deviations runner vectors",
        "report",
        "plugin",
        "__init__ __main__",
    ],
    "minispore.ops": [
        "kernels kinds added dtype_promotion lazy_sum",
        "number_checks list_checks object_checks object_text number_kinds checked_gradients autocast",
        "decorators attribute_checks casting",
        "axes broadcasting fast_call gradient_seeds operands promotion second_derivatives shape_checks type_checks",
        "elementwise elementwise_pairs windows",
        "operations",
        "functional",
        "composite tensor_methods of_functions mapping",
        "transforms derivatives",
        "__init__",
    ],
    "minispore.ops.operations": [
        "math random state gradient_flow backward_hooks overflow_status loss_scale output summary custom",
        "registration",
        "array",
        "linalg reduce",
        "nn",
        "old_names",
        "__init__",
    ],
    "minispore.dropin.numpy": [
        "utils",
        "array_ops logic_ops",
        "math_ops",
        "array_creations",
        "__init__",
    ],
    "minispore.graph": [
        "facts outputs opcodes bytecode visible_state reach state_checks",
        "recorder signature guards",
        "unpacked_float16 same_run optimize",
        "constant_steps elementwise_groups narrow_layer_norm one_launch replay sums_together unscaled_update",
        "jit_function",
        "mode",
        "jit values",
        "__init__",
    ],
    "minispore.nn": [
        "metrics initial_values parameter_tuple slips",
        "initializer initializer_parts",
        "parameter_lists compute_dtype",
        "cell_tree cell_table cell_text own_bprop nest_paths",
        "cell_edits",
        "cell_attributes",
        "cell_hooks cell_flags error_location",
        "cell",
        "layer unreached_parameters gradient_hooks",
        "wrap with_loss grad custom_vjp graph_cell micro_batches",
        "loss optim",
        "__init__",
    ],
    "minispore.rewrite": [
        "gc_paused",
        "resolve",
        "tree",
        "parse edit generate site_record",
        "call_site_bindings call_site_functions call_site_handed call_site_operators call_site_unknown",
        "call_site_names call_site_visitor",
        "show graphviz call_sites",
        "api",
        "__init__",
    ],
    "minispore.data.dataset": [
        "draws idx fashion_mnist core",
        "config",
        "engine transforms",
        "audio text vision to_mindrecord",
        "__init__",
    ],
    "minispore.data.dataset.engine": [
        "user_code schema",
        "samplers workers iterators",
        "dataset",
        "operations",
        "sources",
        "datasets resident",
        "validators",
        "__init__",
    ],
    "minispore.training.boost": [
        "adasum base dim_reduce grad_accumulation group_loss_scale_manager less_batch_normalization "
        "principal_components",
        "grad_freeze",
        "boost",
        "boost_cell_wrapper",
        "__init__",
    ],
    "minispore.amp.lowbit": [
        "formats",
        "stochastic",
        "scales",
        "tiles",
        "quantized",
        "hadamard",
        "products",
        "delayed",
        "recipe",
        "convert",
        "__init__",
    ],
    "minispore.amp": [
        "loss_scale",
        "lowbit policy",
        "build",
        "__init__",
    ],
}
APART = {"minispore.rewrite.parse", "minispore.rewrite.edit", "minispore.rewrite.generate"}  # never import one another


def name_of(path):
    parts = ("minispore", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


def statements(body):
    """Every statement of a body, those inside others too."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(statement, part, ()))


@functools.cache
def imports_of(module):
    """The package's modules that a module imports, and the outer packages, wherever in it the import stands."""
    package, found = module if MODULES[module].stem == "__init__" else module.rpartition(".")[0], []
    for node in statements(ast.parse(MODULES[module].read_text()).body):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*above, *filter(None, [node.module])])
            found += [f"{source}.{a.name}" if f"{source}.{a.name}" in MODULES else source for a in node.names]
    return found


def inner_imports(module):
    return [name for name in imports_of(module) if name.split(".")[0] == "minispore"]


def room_of(module, package):
    """What of a package a module stands in: a folder, a file, or the package's own ``__init__``."""
    return module[len(package) + 1 :].split(".")[0] or "__init__"


def is_in(module, package):
    return module == package or module.startswith(f"{package}.")


def open_to(module):
    """The rooms that a module of a room above the line may import from."""
    return ABOVE[: ABOVE.index(room_of(module, "minispore")) + 1]


def crossings():
    """``{importer: what it imports from a room that comes later}``, for the rooms above the line."""
    found = {}
    for module in (m for m in MODULES if room_of(m, "minispore") in ABOVE):
        wrong = {name for name in inner_imports(module) if room_of(name, "minispore") not in open_to(module)}
        if wrong:
            found[module.removeprefix("minispore.")] = {name.removeprefix("minispore.") for name in wrong}
    return found


def exceptions():
    lines = [line.split(": ") for line in EXCEPTIONS.split("\n") if line]
    return {importer: set(names.split()) for importer, names in lines}


def test_the_package_has_its_rooms_and_nothing_beside_them():
    there = {path.name for path in ROOT.iterdir() if not path.name.startswith("__pyc") and path.suffix != ".pyi"}
    with_code = {name for name in there if "." in name or any((ROOT / name).rglob("*.py"))}
    assert with_code == {*ABOVE, *BELOW, *BESIDE}


def test_a_room_imports_from_itself_and_those_before_it():
    new = {name: found - exceptions().get(name, set()) for name, found in crossings().items()}
    assert {name: found for name, found in new.items() if found} == {}, "let what is below attach itself from outside"


def test_an_exception_that_is_no_longer_needed_is_taken_out():
    gone = {name: names - crossings().get(name, set()) for name, names in exceptions().items()}
    assert {name: names for name, names in gone.items() if names} == {}


def test_no_string_above_the_line_names_a_module_below_it():
    """``importlib`` imports by such strings; what a docstring says is none."""
    named = re.compile(rf"^minispore\.(?:{'|'.join(BELOW)})(?:\.\w+)*$")
    found = [
        (module, node.value)
        for module, path in MODULES.items()
        if room_of(module, "minispore") in ABOVE
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and named.match(node.value)
    ]
    assert found == []


def test_core_imports_python_numpy_and_ml_dtypes_alone():
    outside = {name.partition(".")[0] for m in MODULES if is_in(m, "minispore.core") for name in imports_of(m)}
    assert outside - {"minispore", *NOT_OURS} - set(sys.stdlib_module_names) == set()


@pytest.mark.parametrize("package", FLOORS)
def test_modules_import_from_lower_floors_or_their_own(package):
    floor = {name: number for number, names in enumerate(FLOORS[package]) for name in names.split()}
    modules = [module for module in MODULES if is_in(module, package)]
    homeless = {room_of(module, package) for module in modules} - floor.keys()
    assert not homeless, f"{sorted(homeless)} have no floor in {package} yet: give them one in this test"
    above = [
        f"{module} on floor {floor[room_of(module, package)]} imports {name}"
        for module in modules
        for name in inner_imports(module)
        if is_in(name, package) and floor[room_of(name, package)] > floor[room_of(module, package)]
    ]
    assert above == []


def test_no_modules_import_one_another_in_a_circle():
    arrows = {m: {name for name in inner_imports(m) if name in MODULES and name != m} for m in MODULES}
    while arrows:
        leaves = {m for m, names in arrows.items() if not names & arrows.keys()}
        assert leaves, f"a circle of imports among {sorted(arrows)}"
        arrows = {m: names for m, names in arrows.items() if m not in leaves}


def test_only_the_backend_imports_cupy():
    importers = {m for m in MODULES for name in imports_of(m) if name.split(".")[0].startswith("cupy")}
    mentioning = {m for m, path in MODULES.items() if 'import_module("cupy")' in path.read_text()}
    assert importers | mentioning == {"minispore.devices.gpu"}


def test_amp_imports_rewrites_public_face_call_sites_and_resolve_only():
    imported = {name for m in MODULES if is_in(m, "minispore.amp") for name in inner_imports(m)}
    of_rewrite = {name for name in imported if is_in(name, "minispore.rewrite")}
    open_to_amp = {"minispore.rewrite", "minispore.rewrite.call_sites"}
    assert {name for name in of_rewrite if not is_in(name, "minispore.rewrite.resolve")} <= open_to_amp


def test_parse_edit_and_generate_never_import_one_another():
    room = {m: r for m in MODULES for r in APART if is_in(m, r)}
    crossing = [(m, name) for m in room for name in inner_imports(m) if room.get(name, room[m]) != room[m]]
    assert crossing == []
