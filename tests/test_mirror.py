"""Tests mirror the package, both ways.

Each test stands in the folder of the module or room that it tests, and bears its name. Each module has a test of its
name, or one of its room's name that speaks of it, or stands in a table with the tests that hold it, and the reason.
"""

import ast
import functools
import re
from pathlib import Path

import pytest
from test_rooms import ROOT

TESTS = Path(__file__).parent
FILES = sorted(path.relative_to(TESTS) for path in TESTS.rglob("test_*.py"))

# Folders of tests that mirror no folder of the package -> why
FOLDERS = {
    "attacks": "what hostile files, kills and interruptions do to the package as a whole",
    "conformance": "against vectors recorded from MindSpore, by subject",
    "cpucuda": "CuPy on a CUDA driver for the CPU, a tool of the tests",
    "docs": "the pages of docs/, README and the examples in docstrings",
    "examples": "the steps of examples/steps beside the package's own numbers",
    "support": "what tests share is tested beside it",
}
# Files that stand in the folder that they test, under a name that is no module's -> why
LAWS = {
    "test_docstring_beginnings": "the first words of all docstrings",
    "test_budgets": "the lines of code of rooms, functions and files",
    "test_calls": "the calls that small programs make",
    "test_rooms": "the rooms of all modules",
    "test_install_lines": "the commands of README, CONTRIBUTING and error messages that install",
    "test_installation": "the package as users install it",
    "test_long_signatures": "the number of arguments of all private functions",
    "test_mirror": "this law",
    "test_names": "the names of the modules in each room",
    "test_public_names": "every public path, name and signature of a former state",
    "test_reading_orders": "the reading orders of all packages",
    "test_stubs": "the stubs of all public modules",
    "test_wrong_calls": "wrong arguments to every public callable",
    "dropin/test_clear_errors": "newcomers' mistakes, each with its sentence",
    "amp/test_documented_errors": "the errors that docstrings of all amp name",
    "amp/test_readme": "amp/README.md",
    "amp/loss_scale/test_skipped_steps": "the whole step: what a skipped one leaves behind",
    "amp/lowbit/test_laws": "every file of the room, and mutations of its rules",
    "amp/lowbit/test_vectors": "every file of the room, against what other implementations make of fixed inputs",
    "amp/policy/test_bfloat16": "bfloat16 at every level",
    "amp/policy/test_outputs_in_nests": "outputs in tuples and dicts at every level",
    "amp/policy/test_random_networks": "drawn networks at every level",
    "dropin/test_seed_examples": "MindSpore's own examples of amp",
    "tools/test_added_levels": "a level that is added, by every way in",
    "tools/notebook/test_forms": "the forms of all families",
    "tools/cli/test_explain": "the command explain of __main__",
    "tools/cli/test_main": "the commands of __main__",
    "tools/cli/test_refusals": "what every command refuses",
    "graph/test_differential": "drawn programs, eager against graph mode",
    "graph/test_same_runs_of_programs": "drawn pairs of runs, of which equal ones alone are taken for the same",
    "graph/test_stale_contents": "state drawn, of collections, arrays and files, against eager mode",
    "graph/test_stale_objects": "state drawn, of objects and their classes, against eager mode",
    "graph/test_low_bits": "steps of low bits: the same bits replayed, resumed, skipped, in micro-batches",
    "graph/test_memory_ownership": "whose memory the results of primitives and replays are",
    "tools/insight/test_clean_networks": "watch and explain_overflow on drawn networks, most of which do not overflow",
    "tools/insight/test_planted_faults": "every part of insight on faults as they happen, and what it advises",
    "tools/insight/test_gallery": "explain_overflow on planted faults in networks of many kinds",
    "nn/test_quirks": "rows of docs/reference/quirks.md on layers",
    "nn/layer/test_attributes": "the attributes of many layers",
    "nn/layer/test_layer_errors": "the errors of many layers",
    "nn/layer/test_layer_laws": "the laws of many layers",
    "ops/test_every_primitive": "the laws of every primitive",
    "ops/test_quirks": "rows of docs/reference/quirks.md on operations",
    "rewrite/test_every_construct": "the whole way of each construct, from source to source",
    "rewrite/test_random_edits": "drawn edits, from source to source",
    "rewrite/api/test_bad_input": "what SymbolTree and Node refuse",
    "data/serialization/test_graph_cells": "nn.GraphCell on files that are written here",
    "data/serialization/test_former_files": "pickles and checkpoints that a former state of the package wrote",
    "tools/testing/test_subtly_wrong": "that the laws of the kit catch what a stranger planted",
    "tools/testing/test_testing_page": "the page docs/how-to/testing.md",
    "tools/testing/test_wrong_implementations": "that the laws of the kit catch what is wrong",
    "rewrite/api/test_fusion": "a whole example of patterns",
    "rewrite/api/test_pattern_arguments": "pattern_node and pattern_engine: arguments",
    "rewrite/api/test_pattern_bodies": "pattern_node and pattern_engine: bodies of control flow",
    "rewrite/parse/test_odd_constructs": "the room parse on rare syntax",
}

# Modules without a test of their name -> where the tests stand that hold them, and why there
HELD = {
    "amp/loss_scale/overflow": ("amp/loss_scale/test_train_step.py", "its verdict is what a step and its rule go by"),
    "amp/policy/lists": ("amp/policy/test_white_pass.py amp/policy/test_black_pass.py", "the passes obey the lists"),
    "amp/policy/converted": ("amp/policy/test_convert.py", "the marks that a conversion leaves and asks for"),
    "amp/policy/self_casting": ("amp/policy/test_white_pass.py", "what the white pass asks of a cell"),
    "amp/policy/site_types": ("amp/policy/test_receipt_of_a_run.py", "a receipt says what it finds"),
    "amp/lowbit/*": (
        "amp/lowbit/test_laws.py amp/lowbit/test_vectors.py",
        "laws and recorded vectors go through them all",
    ),
    "core/*": ("core", "parts of a call: of grad, of a primitive, of a Tensor; its whole is what is tested"),
    "ops/kernels/random_streams/*": (
        "ops/kernels/random_streams/test_stream.py",
        "the bits and quantiles of a stream's numbers",
    ),
    "data/dataset/**": ("data/dataset conformance/test_pipelines.py", "a pipeline runs them all, as MindSpore's do"),
    "data/dataset/audio/*": (
        "conformance/test_audio.py data/dataset/audio",
        "MindSpore's own numbers are compared",
    ),
    "data/dataset/vision/*": (
        "conformance/test_vision.py data/dataset/vision",
        "MindSpore's own pictures are compared",
    ),
    "data/mindrecord/*": ("data/mindrecord", "parts of a file, which is written and read whole"),
    "data/serialization/mindir/*": (
        "data/serialization/test_mindir.py conformance/test_mindir.py",
        "parts of a file, which is written and read whole, here and by MindSpore",
    ),
    "data/serialization/places": (
        "data/serialization/test_export.py conformance/test_mindir.py",
        "what operations take, in files of both formats",
    ),
    "data/serialization/trace": (
        "data/serialization/test_export.py conformance/test_mindir.py",
        "what is recorded stands in files of both formats",
    ),
    "data/serialization/onnx/*": ("data/serialization/test_export.py", "a file is run by another program"),
    "devices/cuda/*": ("devices/cuda/test_operations.py devices/cuda/test_cuda.py", "one table of kernels"),
    "devices/cuda/operations/*": ("devices/cuda/test_operations.py", "one table of kernels beside ``compute``"),
    "devices/device_context/*": ("devices/test_device_context.py", "MindSpore's settings of each kind of device"),
    "dropin/*": ("dropin test_public_names.py", "addresses, which the finder and the table of all public names hold"),
    "dropin/mint/**": ("dropin/mint", "one table of functions beside those of ops"),
    "dropin/numpy/**": ("conformance/test_numpy_calls.py", "MindSpore's own answers to drawn calls"),
    "dropin/sparse/*": ("dropin/sparse", "checks that the sparse functions share"),
    "dropin/scipy/line_search": ("dropin/scipy/test_optimize.py", "a search along each step of minimize"),
    "graph/*": ("graph", "parts of a recording, its replay is what is tested"),
    "nn/*": ("nn", "parts of Cell and of the cells that wrap one"),
    "nn/initial_values/*": ("nn/test_initializer.py", "one table of distributions"),
    "nn/layer/*": ("nn/layer conformance/test_layers.py", "tables of layers: laws, errors, MindSpore's numbers"),
    "nn/loss/fit": ("nn/loss/test_loss.py dropin/test_clear_errors.py", "it writes the errors of losses"),
    "nn/optim/*": ("nn/optim/test_optimizer.py", "one table of optimizers beside formulas in float64"),
    "ops/*": ("ops/test_every_primitive.py ops/test_functional.py", "checks and bases that the primitives share"),
    "ops/functional/*": (
        "ops/test_functional.py conformance/test_operations.py",
        "a table: functions as their primitives",
    ),
    "ops/kernels/**": ("ops/kernels ops/operations", "parts of an algorithm, which the test of the whole runs"),
    "ops/operations/**": ("ops/test_every_primitive.py", "the laws of all primitives, a line of a table for each"),
    "ops/of_functions/*": ("ops/functional ops/test_every_primitive.py", "a primitive is a call of its function"),
    "ops/tensor_methods/*": ("ops/test_functional.py core/test_tensor.py", "methods as the functions that they call"),
    "parallel/**": ("parallel", "addresses, and the world that the protocol's tests enter"),
    "rewrite/**": ("rewrite", "parts of the way from source to source, which every construct and drawn edits go"),
    "tools/cli/**": ("tools/cli", "parts of a command, which is run whole"),
    "tools/course/**": ("tools/course", "parts of a check, to which right and wrong files are given"),
    "tools/insight/*": ("tools/insight", "parts of a report, which planted faults hold"),
    "tools/notebook/*": ("tools/notebook", "forms of a table, each tried by one line of a test"),
    "tools/testing/primitives/*": ("ops/test_every_primitive.py", "each line is what the laws run"),
    "tools/testing/**": ("tools/testing", "parts of the kit, which runs against right and planted wrong targets"),
    "training/train/callback/*": ("training/train/test_callback.py training/train/callback", "tables of callbacks"),
}


def mirrors(path):
    """Whether a test bears the name of a module or room of the folder that it mirrors, alone or as first words.

    ``test_receipt_of_a_run`` tests ``receipt``, ``test_rnn`` tests ``rnn_step`` and ``rnn_sequence``; in the folder of
    a room, the room's own name stands for all of it.
    """
    folder, name = ROOT / path.parent, path.stem.removeprefix("test_")
    inner = (
        {p.stem.lstrip("_") for p in folder.iterdir() if p.is_dir() or p.suffix == ".py"} if folder.is_dir() else set()
    )
    words = {f"{inside}_" for inside in inner}
    return (
        name in inner
        or any(f"{name}_".startswith(word) for word in words)
        or any(word.startswith(f"{name}_") for word in words)
        or (folder.is_dir() and name == folder.name)
    )


MODULES = sorted(
    path.relative_to(ROOT).with_suffix("") for path in ROOT.rglob("*.py") if path.stem not in ("__init__", "__main__")
)


@functools.cache
def words_of(path):
    return set(re.findall(r"\w+", path.read_text()))


def speaks_of(path, module):
    """Whether a file has a name that the module defines."""
    nodes = ast.parse((ROOT / module).with_suffix(".py").read_text()).body
    return bool({node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))} & words_of(path))


def has_test_of_its_name(module):
    """Whether a module has a test of its name, alone or as first words, or its room has one that speaks of it."""
    folder, name = module.parent, module.name.lstrip("_")
    of_room = (folder / f"test_{folder.name}.py", folder.parent / f"test_{folder.name}.py")
    return any(f"{path.stem}_".startswith(f"test_{name}_") for path in FILES if path.parent == folder) or any(
        path in FILES and speaks_of(TESTS / path, module) for path in of_room
    )


def row_of(module):
    """The row of HELD for a module: its own, its folder's (``/*``), or that of a folder above it (``/**``)."""
    patterns = [str(module), f"{module.parent}/*", *(f"{folder}/**" for folder in module.parents)]
    return next((pattern for pattern in patterns if pattern in HELD), None)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_has_a_test_of_its_name_or_a_reason(module):
    assert has_test_of_its_name(module) or row_of(module), "give it a test, or a line with its reason in this file"


def test_every_row_of_modules_is_needed_and_its_tests_are_there():
    needed = {row_of(module) for module in MODULES if not has_test_of_its_name(module)}
    assert HELD.keys() - needed == set()
    assert {path for paths, _ in HELD.values() for path in paths.split() if not (TESTS / path).exists()} == set()


def is_exempt(path):
    return path.parts[0] in FOLDERS or str(path.with_suffix("")) in LAWS


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_test_stands_where_what_it_tests_stands(path):
    assert mirrors(path) or is_exempt(path), "move or rename it, or give it a line with its reason in this file"


def test_every_exception_is_needed_and_there():
    assert {name for name in LAWS if not (TESTS / f"{name}.py").exists()} == set()
    assert {name for name in LAWS if mirrors(Path(f"{name}.py"))} == set()
    assert {name for name in FOLDERS if not (TESTS / name).is_dir() or (ROOT / name).exists()} == set()


@pytest.mark.parametrize(
    "path", ["nn/test_conv.py", "test_receipt.py", "rewrite/test_edit_refusals_elsewhere/test_x.py"]
)
def test_a_test_in_another_folder_does_not_mirror(path):
    assert not mirrors(Path(path))
