"""A pytest plugin: tests that choose no device compute on CuPy, where it can run, from their import on.

    python -m pytest -p cpucuda.everywhere -n 2 tests/{nn,amp,rewrite,train,insight,boost,graph,testing,serialization}

So for ``attacks``, ``dataset``, ``experimental``, ``mindrecord``, ``mint``, ``random_streams``, ``scipy``, ``support``.
Tests that choose a device are left out, and those of what is another way on a GPU skipped, with the reason. With
``--cpucuda-share N`` it is one in N of them.
"""

import zlib

import pytest

_CHOSEN = {"device", "other_device", "on_cupy", "cupy"}  # the fixtures by which a test chooses

_CPU = "it is about the CPU: what MindSpore refuses there, or what it recommends"
_INDICES = "a GPU does not look at indices and labels, which would take a wait: docs/reference/quirks.md"
_NARROW = "a normalization's kernel reads narrow numbers, and computes in float32: the record tells of what it reads"
_NUMPY = "it watches or replaces what computes on NumPy"
_HOST = "it measures the host's memory, into which a GPU's arrays are copied"
_ONE_GRAPH = "a pass is one CUDA graph, or one operation: it is reduced, interrupted and recorded as a whole"

_LATE = "in graph mode on a GPU the warning comes some steps late, since the host does not wait to learn of skips"
_WRITTEN_IN_PLACE = "a captured step writes in place: what it wrote is not known as it was before"

# Where in a test's name -> why it is skipped
ELSEWHERE = {
    "amp/loss_scale/test_skipped_steps.py::test_a_replay_that_is_interrupted": _NUMPY,
    "graph/test_mode.py::test_it_is_so_in_graph_mode": _ONE_GRAPH,
    "amp/loss_scale/test_train_step.py::test_a_step_of_ones_own_finds_the_operations": _CPU,
    "graph/test_recorder.py::test_without_such_a_device_the_host_decides": "its device has no kernels",
    "devices/test_overflow_register.py::test_on_the_emulated_ascend": "it chooses the Ascend",
    "amp/policy/test_bfloat16.py::test_a_step_with_a_loss_scale_skips": "where the variance of a batch is infinite, "
    "normalized numbers are 0, as PyTorch's are, and nan on NumPy: nothing overflows",
    "amp/policy/test_bfloat16.py::test_nan_stays_nan_with_its_sign": "CUDA's cast to bfloat16 knows one nan",
    "tools/test_hopeless_skips.py::test_a_drawn_run_is_told_of_once": _LATE,
    "training/train/test_model.py::test_a_model_on_nan_data_tells": _LATE,
    "tools/test_hopeless_skips.py::test_steps_of_every_kind_tell": _LATE,
    "amp/policy/test_levels.py::test_a_level_for_a_device_is_auto_there": _NARROW,
    "amp/policy/test_levels.py::test_a_type_that_is_asked_for_takes": _NARROW,
    "tools/test_added_levels.py::test_every_way_in_obeys": _NARROW,
    "amp/policy/test_levels.py::test_the_keywords_override": _NARROW,
    "amp/policy/test_receipt_of_a_run.py::test_drawn_networks_compute": _NARROW,
    "amp/test_build.py::test_each_row_of_the_table": _NARROW,
    "amp/test_build.py::test_on_the_cpu": _CPU,
    "amp/test_build_table.py::test_on_the_cpu": _CPU,
    "training/boost/test_boost_cell_wrapper.py::test_on_the_cpu": _CPU,
    "amp/test_documented_errors.py::test_each_documented_error_is_raised_with_its_text[_check_level: 'auto'": _CPU,
    "amp/test_documented_errors.py::test_each_documented_error_is_raised_with_its_text[build_train_network: on": _CPU,
    "amp/test_documented_errors.py::test_each_documented_error_is_raised_with_its_text[build_train_network: Fix": _CPU,
    "amp/test_documented_errors.py::test_the_list_has_every_raise": _CPU,
    "amp/test_documented_errors.py::test_what_is_refused_changes_nothing[<lambda>5]": _CPU,
    "graph/test_memory_ownership.py": _NUMPY,
    "graph/test_replay.py::test_a_step_with_a_loss_scale_is_replayed_in_two_halves": _ONE_GRAPH,
    "graph/test_replay.py::test_what_cannot_compute_into_memory": _NUMPY,
    "graph/test_replay_aliases.py::test_memory_that_a_primitive_of_the_users_hands_on": _NUMPY,
    "graph/test_replay_memory_reuse.py::test_into_an_inputs_memory": _NUMPY,
    "graph/test_same_runs_of_programs.py": "a number has an array of its own at its first use: first runs differ",
    "graph/test_stale_contents.py::test_contents_are_changed[a Parameter's form]": _NUMPY,
    "graph/test_stale_contents.py::test_contents_are_changed[a Tensor's form]": _NUMPY,
    "graph/test_unpacked_float16.py": _NUMPY,
    "tools/insight/test_reruns.py::test_a_training_without_a_loss_scale_has": _WRITTEN_IN_PLACE,
    "graph/test_recorder_arrays.py::test_a_recording_notices_what_is_written_through": "asnumpy copies from a GPU",
    "tools/insight/test_gallery.py::test_what_is_around_a_cell_of_the_black_list_is_taken_away": _NARROW,
    "tools/insight/test_overflow.py::test_the_line_is_the_users_own_where_the_packages_cells_call_"
    "one_another[O2": _NARROW,
    "tools/insight/test_planner.py::test_a_table_has_a_line_for_each_form_and_step": "a GPU has times and bytes too",
    "nn/layer/test_basic.py::test_an_input_that_does_not_fit_is_refused_by_name[For 'MatMul', the type]": _ONE_GRAPH,
    "nn/layer/test_max_unpooling.py::test_a_position_outside": _INDICES,
    "nn/layer/test_rnn_cells.py::test_frozen_weights_cost_no_product": _NUMPY,
    "nn/loss/test_loss.py::test_a_label_outside": _INDICES,
    "nn/loss/test_cross_entropy.py::test_the_label_to_ignore_may_lie_outside": _INDICES,
    "nn/optim/test_learning_rate_schedule.py::test_a_decay_follows_its_formula_by_epochs_in_a_list_and_"
    "by_steps_in_a_schedule[exponential]": "CuPy flushes subnormal numbers to 0",
    "dropin/test_optimizer_spellings.py::test_the_target": _CPU,
    "parallel/test_overlapped_reduction.py::test_a_bucket_begins_as_soon_as_its_gradients_are_complete[0-": _ONE_GRAPH,
    "parallel/test_overlapped_reduction.py::test_a_pass_that_reads_a_number": _ONE_GRAPH,
    "nn/test_quirks.py::test_an_index_out_of_the_table": _INDICES,
    "data/serialization/test_checkpoint.py::test_saving_and_loading_take_memory": _HOST,
    "training/train/test_model.py::test_auto_is_the_level_for_the_device": _CPU,
}


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    """Choose the GPU for all that follows."""
    from minispore.core import context

    context.set_context(device_target="GPU")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Leave out the tests that choose a device, and skip those that are about another."""
    share = config.getoption("cpucuda_share")
    left_out = {i for i in items if _CHOSEN & set(i.fixturenames) or zlib.crc32(i.nodeid.encode()) % share}
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
    for item in items:
        for name, reason in ELSEWHERE.items():
            if name in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=reason))
