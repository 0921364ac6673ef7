"""The floor plan: a module imports only from lower floors or its own, inside functions too, and so do inner rooms."""

import ast
import functools
from pathlib import Path

import pytest

import minispore

ROOT = Path(minispore.__file__).parent

# Package -> its floors, lowest first; what stands on one floor may import one another, but for the rooms in APART.
FLOORS = {
    "minispore": [
        "_startup _exports _checkparam _extends absent addresses atomic_file errors tracebacks slips checks nest log "
        "process dtype refused version cuda_check device_memory device_numbers kernel_progress",
        "context",
        "backend random_streams workers",
        "layers overflow_register",
        "runtime device_context",
        "communication parallel",
        "autograd journal late tensor parameter initializer initializer_parts writes",
        "ops",
        "devices",
        "later",
        "numpy scipy",
        "nn",
        "graph",
        "rewrite mint experimental observer",
        "amp",
        "compat mindrecord insight",
        "boost train cli dataset serialization profiler",
        "__main__ __init__",
        "testing",
    ],
    "minispore.testing": [
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
    "minispore.devices": [
        "cuda",
        "__init__",
    ],
    "minispore.devices.cuda": [
        "launch",
        "activation batch_norm conv2d_groups cross_entropy cublas dropout layer_norm pool2d shadows softmax",
        "gemm multi_tensor reduction",
        "conv2d_columns conv2d_implicit copies loss_scale recurrent recurrent_sequence",
        "conv2d",
        "operations",
        "__init__",
    ],
    "minispore.ops": [
        "kernels",
        "attribute_checks autocast kernel_table",
        "primitive",
        "common fast_call",
        "elementwise windows",
        "operations",
        "functional",
        "sparse",
        "composite tensor_methods transforms derivatives _primitive_cache",
        "__init__",
    ],
    "minispore.ops.operations": [
        "collective math random state overflow_status output summary custom registration",
        "array",
        "linalg reduce",
        "nn",
        "old_names",
        "__init__",
    ],
    "minispore.numpy": [
        "utils",
        "array_ops logic_ops",
        "math_ops",
        "array_creations",
        "__init__",
    ],
    "minispore.graph": [
        "outputs opcodes bytecode visible_state reach state_checks",
        "recorder signature guards",
        "unpacked_float16 same_run optimize one_launch",
        "replay",
        "homes device_draws",
        "capture",
        "jit_function",
        "jit mode values",
        "__init__",
    ],
    "minispore.nn": [
        "metrics cell_tree",
        "cell_hooks error_location one_process",
        "cell",
        "layer unreached_parameters gradient_hooks overlapped_reduction",
        "wrap grad custom_vjp grad_reducer graph_cell virtual_dataset probability",
        "loss optim",
        "__init__",
    ],
    "minispore.rewrite": [
        "gc_paused",
        "resolve",
        "tree",
        "parse edit generate call_site call_site_names call_site_visitor",
        "show graphviz call_sites",
        "api",
        "__init__",
    ],
    "minispore.dataset": [
        "draws idx fashion_mnist core",
        "config",
        "engine transforms",
        "text vision to_mindrecord",
        "__init__",
    ],
    "minispore.dataset.engine": [
        "user_code schema",
        "samplers workers iterators",
        "dataset",
        "operations",
        "sources",
        "datasets resident",
        "validators",
        "__init__",
    ],
    "minispore.boost": [
        "adasum base dim_reduce grad_accumulation group_loss_scale_manager less_batch_normalization "
        "principal_components",
        "grad_freeze",
        "boost",
        "boost_cell_wrapper",
        "__init__",
    ],
    "minispore.amp": [
        "loss_scale",
        "policy",
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
    assert importers | mentioning == {"minispore.backend"}


ABOVE_DEVICES = "ops", "nn", "amp", "rewrite", "autograd", "tensor", "parameter", "layers", "journal", "writes"


@pytest.mark.parametrize("room", ABOVE_DEVICES)
def test_the_mathematics_knows_of_no_device(room):
    modules = [m for m in MODULES if is_in(m, f"minispore.{room}")]
    importing = [m for m in modules if any(is_in(name, "minispore.devices") for name in inner_imports(m))]
    assert modules and importing == []
    assert [m for m in modules if "RawKernel" in MODULES[m].read_text()] == []


def test_amp_imports_rewrites_public_face_call_sites_and_resolve_only():
    imported = {name for m in MODULES if is_in(m, "minispore.amp") for name in inner_imports(m)}
    of_rewrite = {name for name in imported if is_in(name, "minispore.rewrite")}
    open_to_amp = {"minispore.rewrite", "minispore.rewrite.call_sites"}
    assert {name for name in of_rewrite if not is_in(name, "minispore.rewrite.resolve")} <= open_to_amp


def test_parse_edit_and_generate_never_import_one_another():
    room = {m: r for m in MODULES for r in APART if is_in(m, r)}
    crossing = [(m, name) for m in room for name in inner_imports(m) if room.get(name, room[m]) != room[m]]
    assert crossing == []
