"""The settings of how training is spread: what may be set, what is refused, and where they are found."""

import pytest
from nn.test_micro_batches import dense_with_loss

import minispore as ms
from minispore import amp, nn
from minispore.parallel import settings

pytestmark = pytest.mark.usefixtures("restored")


def test_the_defaults_are_mindspores():
    keys = ("parallel_mode", "gradients_mean", "device_num", "pipeline_stages", "global_rank")
    assert [ms.get_auto_parallel_context(k) for k in keys] == ["stand_alone", False, 1, 1, 0]


def test_parallel_settings_are_reset_to_their_defaults():
    ms.set_auto_parallel_context(parallel_mode="data_parallel", device_num=8, gradients_mean=True)
    assert ms.get_auto_parallel_context("device_num") == 8
    ms.reset_auto_parallel_context()
    assert [ms.get_auto_parallel_context(k) for k in ("parallel_mode", "device_num")] == ["stand_alone", 1]


@pytest.mark.parametrize(
    "call",
    [
        lambda: ms.get_auto_parallel_context("foo"),
        lambda: ms.set_auto_parallel_context(foo=1),
        lambda: ms.set_auto_parallel_context(parallel_mode="x"),
    ],
)
def test_unknown_names_are_refused(call):
    with pytest.raises(ValueError, match=r"^For '[gs]et_auto_parallel_context', .* must be one of \["):
        call()
    with pytest.raises(TypeError, match="'device_num' must be int"):
        ms.set_auto_parallel_context(device_num=1.5)


@pytest.mark.parametrize(
    "key, value", [("device_num", 0), ("pipeline_stages", 0), ("pipeline_stages", -3), ("global_rank", -1)]
)
def test_a_count_of_devices_out_of_its_range_is_refused_by_name(key, value):
    with pytest.raises(
        ValueError, match=f"^For 'set_auto_parallel_context', the '{key}' must be in .*, but got {value}"
    ):
        ms.set_auto_parallel_context(gradients_mean=True, **{key: value})
    assert ms.get_auto_parallel_context("gradients_mean") is False, "a refused call must change nothing"


@pytest.mark.parametrize(
    ("key", "legal", "illegal"),
    [
        ("all_reduce_fusion_config", [[1, 2]], ["x", 1]),
        ("dataset_strategy", ["full_batch", ((1, 8),)], ["x", 1]),
        ("strategy_ckpt_config", [{"load_file": "a.ckpt"}], [{"x": 1}, 1]),
        ("parallel_optimizer_config", [{"parallel_optimizer_threshold": 64}], [{"x": 1}, 1]),
        ("comm_fusion", [{"allreduce": {"mode": "auto", "config": None}}], [{"x": 1}, 1]),
        ("enable_parallel_optimizer", [True], [1]),
        ("auto_parallel_search_mode", ["recursive_programming"], []),
        ("grad_accumulation_step", [2], [0]),
    ],
)
def test_a_key_of_the_parallel_context_takes_mindspores_values(key, legal, illegal):
    for value in legal:
        ms.set_auto_parallel_context(**{key: value})
        assert ms.get_auto_parallel_context(key) == value
    for value in illegal:
        with pytest.raises((TypeError, ValueError), match=f"^For 'set_auto_parallel_context', the .*'{key}' must be "):
            ms.set_auto_parallel_context(**{key: value})
    ms.reset_auto_parallel_context()


def test_the_old_name_of_the_search_mode_is_the_same_setting():
    ms.set_auto_parallel_context(auto_parallel_search_mode="sharding_propagation")
    assert ms.get_auto_parallel_context("search_mode") == "sharding_propagation"
    ms.reset_auto_parallel_context()


def test_how_long_a_collective_operation_waits_is_set_beside_the_others():
    ms.set_context(op_timeout=900)
    assert ms.get_context("op_timeout") == 900
    for wrong in (-1, "x", 1.5):
        with pytest.raises((TypeError, ValueError), match=r"^For 'set_context', the 'op_timeout' must be "):
            ms.set_context(op_timeout=wrong)


def test_the_settings_are_found_where_mindspore_has_them():
    for name in settings.__all__:
        assert getattr(ms, name) is getattr(ms.context, name) is getattr(settings, name)
        assert name in ms.__all__ and name in ms.context.__all__


def test_pipeline_stages_select_the_accumulating_step():
    ms.set_auto_parallel_context(pipeline_stages=2)
    network = dense_with_loss()
    step = amp.build_train_network(network, nn.Momentum(network.trainable_params(), 0.1, 0.9))
    assert type(step).__name__ == "_TrainGradAccuStepCell"
