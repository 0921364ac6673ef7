"""Tests mirror the package: each stands in the folder of the module or room that it tests, and bears its name."""

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
    "amp/test_quirks_page": "the ledger docs/quirks.md",
    "amp/test_readme": "amp/README.md",
    "amp/test_seed_examples": "MindSpore's own examples of amp",
    "amp/loss_scale/test_ascend_status": "the whole step on the emulated Ascend",
    "amp/loss_scale/test_skipped_steps": "the whole step: what a skipped one leaves behind",
    "amp/loss_scale/test_vanishing_gradients": "the whole step: what the scale is for",
    "amp/policy/test_bfloat16": "bfloat16 at every level",
    "amp/policy/test_outputs_in_nests": "outputs in tuples and dicts at every level",
    "amp/policy/test_random_networks": "drawn networks at every level",
    "tools/cli/test_explain": "the command explain of __main__",
    "tools/cli/test_main": "the commands of __main__",
    "tools/cli/test_refusals": "what every command refuses",
    "graph/test_differential": "drawn programs, eager against graph mode",
    "graph/test_same_runs_of_programs": "drawn pairs of runs, of which equal ones alone are taken for the same",
    "graph/test_stale_contents": "state drawn, of collections, arrays and files, against eager mode",
    "graph/test_stale_objects": "state drawn, of objects and their classes, against eager mode",
    "graph/test_memory_ownership": "whose memory the results of primitives and replays are",
    "tools/insight/test_clean_networks": "watch and explain_overflow on drawn networks, most of which do not overflow",
    "tools/insight/test_planted_faults": "every part of insight on faults as they happen, and what it advises",
    "tools/insight/test_gallery": "explain_overflow on planted faults in networks of many kinds",
    "nn/test_quirks": "rows of docs/quirks.md on layers",
    "nn/layer/test_attributes": "the attributes of many layers",
    "nn/layer/test_layer_errors": "the errors of many layers",
    "nn/layer/test_layer_laws": "the laws of many layers",
    "ops/test_every_primitive": "the laws of every primitive",
    "ops/test_quirks": "rows of docs/quirks.md on operations",
    "rewrite/test_every_construct": "the whole way of each construct, from source to source",
    "rewrite/test_random_edits": "drawn edits, from source to source",
    "rewrite/api/test_bad_input": "what SymbolTree and Node refuse",
    "data/serialization/test_former_files": "pickles and checkpoints that a former state of the package wrote",
    "tools/testing/test_subtly_wrong": "that the laws of the kit catch what a stranger planted",
    "tools/testing/test_testing_page": "the page docs/testing.md",
    "tools/testing/test_wrong_implementations": "that the laws of the kit catch what is wrong",
    "rewrite/api/test_fusion": "a whole example of patterns",
    "rewrite/api/test_pattern_arguments": "pattern_node and pattern_engine: arguments",
    "rewrite/api/test_pattern_bodies": "pattern_node and pattern_engine: bodies of control flow",
    "rewrite/parse/test_odd_constructs": "the room parse on rare syntax",
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
