"""Texts name files that exist: none of the names before the families became folders, and none that is misspelt."""

import ast
import io
import json
import re
import tokenize
from pathlib import Path

import pytest

CLONE = Path(__file__).parents[2]

# Folder -> the files that stood in it before the move, and stand there no more.
MOVED = {
    "minispore": "parameter_loading safetensors_format serialization",
    "minispore/amp": """
        black_pass casts convert functional_forms levels lists loss_scale lowered managers micro_batches
        overflow receipt scalers train_step update_cells white_pass
    """,
    "minispore/data/mindrecord": "schemas",
    "minispore/dataset": "embedded",
    "minispore/devices/cuda": "homes shadows",
    "minispore/graph": "arguments calls comparing nests plan surroundings wide words",
    "minispore/nn": """
        activation adaptive_pooling attention attention_checks basic border_padding checks container conv
        conv_base conv_transpose dynamic_lr embedding group_normalization hard_activation hooks
        learning_rate_schedule likelihood loss normalization owner padding pooling recurrent recurrent_checks
        recurrent_directions recurrent_layers regularizing resizing soft_activation transformer
        transformer_stacks triangles volume_pooling
    """,
    "minispore/nn/optim": "adaptive decoupled momentum",
    "minispore/ops": """
        activation adaptive adaptive_pooling arithmetic array attention bases bitwise blends blocks categories
        comparison convolution cumulative elements extremes facts filling hard_activation indexing joining
        likelihood linear loss making math matrices methods methods_of_arrays normalization norms operations
        operators optimizer pairs pooling quotients random recurrent recurrent_steps reduction resizing rounding
        sampling scattering segments selecting sequences slicing soft_activation softmaxes sorting special state
        status transposed trigonometry updates
    """,
    "minispore/ops/functional": """
        activations arrays clipping contractions cutting dropouts einsum elementwise faces functions linear
        losses making matrices normalization ordering partials reductions resizing scattering statistics turning
        unfolding volumes windows
    """,
    "minispore/ops/kernels": """
        adaptive_pool aligned blocks cast conv conv3d conv_geometry conv_im2col conv_reference conv_rows
        conv_transposed conv_unroll grid half norm pieces pool product quiet recurrent recurrent_step spread
        sums
    """,
    "minispore/rewrite": """
        api attributes check edit faces forms header holding legality making meaning namer node pattern
        pattern_node python_code scopes site_finder sites staying tree uncollected values
    """,
    "minispore/rewrite/generate": "function module network text",
    "minispore/rewrite/parse": "control locals lookup private source",
    "minispore/rewrite/tree": "namer",
    "minispore/streams": "philox quantile stream",
    "minispore/tools/insight": "attempts places shadow sites speaker wide",
    "minispore/train": """
        checkpoint command course data evaluate job loop networks options plot precisions progress report
    """,
    "tests": """
        code_forms control_forms hidden_calls hidden_calls_outside loss_scale_oracle mixed_networks python_forms
        random_networks strict_cupy test_benchmarks test_examples test_explain test_main test_pages
        test_random_stream test_readme test_safetensors_format test_serialization test_strict_cupy
        tree_interpreter
    """,
    "tests/amp": """
        test_ascend test_build_train_network test_convert test_decision_table test_functional_forms test_ledger
        test_loss_scale test_micro_batches test_random_networks test_receipt test_scalers test_skipped_steps
        test_train_step test_vanishing_gradients test_white_pass
    """,
    "tests/conformance": """
        amp_facts amp_measuring amp_networks measured networks observed_models page record_amp record_amp_facts
        record_arrays record_convolutions record_initializers record_layers record_learning record_math
        record_models record_more_layers record_sequences record_signatures record_training sequence_cases
        signatures
    """,
    "tests/conformance/operations": """
        cases drawing explained judging observing reading record_operations rows rows_of_arrays rows_of_elements
        rows_of_layers rows_of_networks rows_of_reductions
    """,
    "tests/graph": "test_aliases test_into test_refusals test_surroundings test_wide test_words",
    "tests/nn": """
        test_attention test_container test_convolutions test_errors_of_more_layers test_hooks test_lars
        test_layers test_losses test_metrics test_more_layers test_optim test_optim_more test_pooling
        test_recurrent_cells test_recurrent_layers test_schedules test_to_float
    """,
    "tests/ops": """
        feeding lines lines_of_activations lines_of_arrays lines_of_attention lines_of_mathematics
        lines_of_matrices lines_of_normalization lines_of_random lines_of_recurrent_steps lines_of_resizing
        lines_of_sequences primitive_table test_arrays test_faces test_indexing_laws test_mathematics
        test_random test_special
    """,
    "tests/ops/kernels": """
        every_float32 test_blocks test_cast test_conv test_conv3d test_half test_images test_norm test_pool
        test_product test_recurrent test_shared_batches test_sums
    """,
    "tests/rewrite": """
        networks_beyond_calls networks_of_calls record_nodes test_bad_input test_edit test_edit_refusals
        test_files test_forms test_fusion test_generate test_nodes_of_mindspore test_odd_constructs test_parse
        test_pattern test_pattern_arguments test_pattern_bodies test_private_names test_sites test_state_machine
    """,
    "tests/train": "conftest test_command test_course test_data test_networks test_refusals test_report",
}
EXAMPLES = {"FILE.py", "net.py", "network_define.py", "beside.py", "train.py", "my_scaler.py"} | {
    "my_target.py",
    "tagger.py",
    "over.py",
    "apart.py",
}  # that a user might have
FOLDERS = ("minispore", "tests", "docs", "benchmarks", "examples")
FILES = sorted(p for folder in FOLDERS for p in (CLONE / folder).rglob("*") if p.suffix in (".py", ".md"))
PAGES = [CLONE / "README.md", CLONE / "CONTRIBUTING.md"]  # CHANGELOG tells of what was
GONE = {f"{folder}/{name}" for folder, names in MOVED.items() for name in names.split()}


def prose(path):
    """What a file tells its reader: a page as a whole; of code the docstrings and comments."""
    text = path.read_text()
    if path.suffix == ".md":
        return text
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, documented)]
    comments = [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.COMMENT]
    return "\n".join([*filter(None, map(ast.get_docstring, nodes)), *comments])


def endings(path):
    """The ends of a path from each of its folders on: ``a/b/c``, ``b/c``, ``c``."""
    return {"/".join(path.split("/")[i:]) for i in range(path.count("/") + 1)}


def names_of(path):
    """What a file may be called: its path, without ``.py`` too, and a package's ``__init__.py`` by its folder."""
    name = str(path.relative_to(CLONE))
    return {name, name.removesuffix(".py"), name.removesuffix("/__init__.py")}


STRANGERS = [json.loads(path.read_text()) for path in (CLONE / "benchmarks" / "strangers" / "programs").glob("*.json")]
EXAMPLES = EXAMPLES | {Path(program["path"]).name for each in STRANGERS for program in each["programs"]}
THERE = {end for path in [*FILES, *PAGES] for name in names_of(path) for end in endings(name)}
OLD = {end for name in GONE for end in endings(name) if "/" in end} - THERE


def wrong_names(text):
    """Files that are not there, and paths of old ones, written with dots or slashes."""
    files = {name.removeprefix("./") for name in re.findall(r"(?:\./)?\b[\w/]+\.py\b", text)} - EXAMPLES
    slashed = {name.replace(".", "/") for name in re.findall(r"\b(?:minispore|conformance)(?:\.[a-z_]\w*)+", text)}
    slashed |= set(re.findall(r"\b\w+(?:/\w+)+", text))
    return (files - THERE) | {name for name in slashed if endings(name) & OLD}


def test_every_file_that_a_text_names_is_there():
    suspects = [path for path in [*FILES, *PAGES] if wrong_names(path.read_text())]
    wrong = {str(path.relative_to(CLONE)): wrong_names(prose(path)) for path in suspects}
    assert {path: names for path, names in wrong.items() if names} == {}


@pytest.mark.parametrize(
    "text", ["see ``kernels/half.py``", "`ops/functional/cutting`", "minispore.graph.wide", "no_such.py"]
)
def test_an_old_name_is_found(text):
    assert wrong_names(text)


def test_what_moved_is_gone_from_its_old_place():
    assert {name for name in GONE - {"tests/train/conftest"} if (CLONE / f"{name}.py").exists()} == set()
