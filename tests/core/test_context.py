"""Context: what may be set, what is refused, that a refused call changes nothing, and devices that are not there."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import minispore as ms
from minispore.core import backend, context
from minispore.core.random_streams import next_stream

pytestmark = pytest.mark.usefixtures("restored")


def test_the_defaults_are_mindspores_for_eager_mode_on_the_cpu():
    assert [ms.get_context(k) for k in ("mode", "device_target", "device_id", "enable_ge")] == [1, "CPU", 0, False]
    assert (ms.GRAPH_MODE, ms.PYNATIVE_MODE) == (0, 1)
    keys = ("parallel_mode", "gradients_mean", "device_num", "pipeline_stages", "global_rank")
    assert [ms.get_auto_parallel_context(k) for k in keys] == ["stand_alone", False, 1, 1, 0]


@pytest.mark.parametrize(
    "key, value", [("mode", ms.GRAPH_MODE), ("enable_ge", True), ("cpu_loss_scale", True), ("save_graphs_path", "here")]
)
def test_what_is_set_is_what_is_got(key, value):
    ms.set_context(**{key: value})
    assert ms.get_context(key) == value


def test_parallel_settings_are_reset_to_their_defaults():
    ms.set_auto_parallel_context(parallel_mode="data_parallel", device_num=8, gradients_mean=True)
    assert ms.get_auto_parallel_context("device_num") == 8
    ms.reset_auto_parallel_context()
    assert [ms.get_auto_parallel_context(k) for k in ("parallel_mode", "device_num")] == ["stand_alone", 1]


REFUSED = [
    ({"foo": 1}, ValueError, "the keyword must be one of .*'device_target'.*, but got 'foo'"),
    ({"device_target": "TPU"}, ValueError, "'device_target' must be one of .*'CPU', 'GPU'.*, but got 'TPU'"),
    ({"mode": 7}, ValueError, r"'mode' must be one of \[0, 1\], but got 7"),
    ({"mode": "a"}, (ValueError, TypeError), "'mode' must be"),
    ({"mode": True}, ValueError, r"'mode' must be one of \[0, 1\], but got True"),
    ({"mode": 1.0}, ValueError, r"'mode' must be one of \[0, 1\], but got 1\.0"),
    ({"max_call_depth": -1}, ValueError, r"'max_call_depth' must be in .*, but got -1"),
    ({"device_target": 3}, (ValueError, TypeError), "'device_target' must be"),
    ({"device_id": "0"}, TypeError, "'device_id' must be int, but got '0' of type str"),
    ({"device_id": True}, TypeError, "'device_id' must be int"),
    ({"device_id": -1}, ValueError, "'device_id' must be"),
    ({"enable_ge": 1}, TypeError, "'enable_ge' must be bool"),
]


@pytest.mark.parametrize("wrong, kind, message", REFUSED)
def test_unknown_keys_and_illegal_values_are_refused_with_the_legal_ones(wrong, kind, message):
    with pytest.raises(kind, match=f"^For 'set_context', .*{message}"):
        ms.set_context(cpu_loss_scale=True, **wrong)
    assert ms.get_context("cpu_loss_scale") is False, "a refused call must change nothing"


@pytest.mark.parametrize(
    "call",
    [
        lambda: ms.get_context("foo"),
        lambda: ms.get_auto_parallel_context("foo"),
        lambda: ms.set_auto_parallel_context(foo=1),
        lambda: ms.set_auto_parallel_context(parallel_mode="x"),
    ],
)
def test_other_unknown_names_are_refused_alike(call):
    with pytest.raises(ValueError, match=r"^For '[gs]et_(auto_parallel_)?context', .* must be one of \["):
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


# Seeds


@pytest.mark.parametrize("value", [-1, 2**32, 2**70])
def test_a_seed_out_of_32_bits_is_refused_and_changes_nothing(value):
    ms.set_seed(2**32 - 1)
    with pytest.raises(ValueError, match=f"^For 'set_seed', the 'seed' must be .*, but got {value}"):
        ms.set_seed(value)
    assert ms.get_seed() == 2**32 - 1


def test_a_seed_starts_every_random_stream_anew():
    ms.set_seed(3)
    first, second = (next_stream().uniform((3,)) for _ in range(2))
    assert (first != second).all()
    ms.set_seed(3)
    np.testing.assert_array_equal(next_stream().uniform((3,)), first)
    assert ms.get_seed() == 3


def test_a_given_seed_gives_the_same_numbers_on_every_machine():
    ms.set_seed(1)
    recorded = [676901392144019, 8861238793152100, 8533542596894524, 6283840216722948]
    assert (next_stream().uniform((4,)) * 2**53).tolist() == recorded


@pytest.mark.parametrize("seed, kind", [(-1, ValueError), (1.5, TypeError), ("1", TypeError), (True, TypeError)])
def test_a_seed_is_an_int_of_at_least_zero(seed, kind):
    with pytest.raises(kind, match=r"^For 'set_seed', the 'seed' must be"):
        ms.set_seed(seed)


# Devices


class NoDriverError(RuntimeError):
    pass


def cupy_with(devices):
    """A module that looks like CuPy on a machine with so many devices; None is a machine without a driver."""

    def count():
        if devices is None:
            raise NoDriverError("cudaErrorNoDevice")
        return devices

    runtime = SimpleNamespace(getDeviceCount=count, CUDARuntimeError=NoDriverError)
    module = ModuleType("cupy")
    module.__spec__ = SimpleNamespace(name="cupy")
    nvrtc = SimpleNamespace(getVersion=lambda: (12, 9))
    module.cuda = SimpleNamespace(runtime=runtime, Device=lambda i: SimpleNamespace(use=lambda: None), nvrtc=nvrtc)
    module.ndarray = type("ndarray", (), {})
    return module


def test_a_gpu_without_cupy_is_refused_with_the_install_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(RuntimeError, match=r'needs CuPy.*not installed.*pip install "cupy-cuda12x\[ctk\]>='):
        ms.set_context(device_target="GPU")
    assert (ms.get_context("device_target"), backend.xp) == ("CPU", np)


@pytest.mark.parametrize("devices, message", [(None, "needs a CUDA device and its driver"), (1, "below the number of")])
def test_a_gpu_that_is_not_there_is_refused(monkeypatch, devices, message):
    monkeypatch.setitem(sys.modules, "cupy", cupy_with(devices))
    with pytest.raises(RuntimeError, match=message):
        ms.set_context(device_target="GPU", device_id=1)
    assert (ms.get_context("device_target"), ms.get_context("device_id"), backend.xp) == ("CPU", 0, np)


def test_a_gpu_that_is_there_is_computed_on(monkeypatch):
    module = cupy_with(2)
    monkeypatch.setitem(sys.modules, "cupy", module)
    ms.set_context(device_target="GPU", device_id=1)
    assert backend.xp is module
    ms.set_context(device_target="CPU")
    assert backend.xp is np


def test_no_device_at_all_is_refused_like_no_driver(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", cupy_with(0))
    with pytest.raises(RuntimeError, match="device"):
        ms.set_context(device_target="GPU")
    assert backend.xp is np


def test_what_a_with_block_changed_is_restored_after_a_failure():
    with context.under(cast=np.dtype(np.float16)), pytest.raises(KeyError), context.under(cast=None):
        raise KeyError
    assert context.running.cast is None


@pytest.mark.parametrize(
    "call",
    [
        lambda: ms.set_auto_parallel_context(device_num=0),
        lambda: ms.set_auto_parallel_context(pipeline_stages=-3),
        lambda: ms.set_context(max_call_depth=-1),
        lambda: ms.set_context(mode=7),
        lambda: ms.set_seed(2**32),
    ],
)
def test_settings_out_of_their_range_are_refused(call):
    with pytest.raises(ValueError, match="must be"):
        call()


# MindSpore's keys that mean nothing on one machine: what MindSpore 2.0.0 takes and refuses


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize(
    ("key", "legal", "illegal"),
    [
        ("enable_graph_kernel", [True], [1, "x"]),
        ("graph_kernel_flags", ["--x"], [1]),
        ("reserve_class_name_in_scope", [False], [0]),
        ("max_device_memory", ["3GB"], [3]),
        ("ascend_config", [{"precision_mode": "must_keep_origin_dtype"}], [1]),
        ("memory_optimize_level", ["O0", "O1"], ["O2", 1]),
        ("memory_offload", ["ON", "OFF"], ["x", True]),
        ("op_timeout", [900, 0], [-1, "x", 1.5]),
        ("inter_op_parallel_num", [1, 0], [-1, "x"]),
        ("jit_config", [{"jit_level": "O1"}], [1]),
    ],
)
def test_a_key_without_effect_takes_mindspores_values(key, legal, illegal):
    for value in legal:
        ms.set_context(**{key: value})
        assert ms.get_context(key) == value
    for value in illegal:
        with pytest.raises((TypeError, ValueError), match=f"^For 'set_context', the '{key}' must be "):
            ms.set_context(**{key: value})


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


def test_there_is_no_server_of_parameters():
    ms.set_ps_context(enable_ps=False, enable_ssl=True)
    assert ms.get_ps_context("enable_ssl") is True
    with pytest.raises(ValueError, match="'enable_ps' must be one of"):
        ms.set_ps_context(enable_ps=True)
    ms.reset_ps_context()


@pytest.mark.usefixtures("restored")
def test_set_device_chooses_the_device():
    ms.set_device("CPU", 1)
    assert (ms.get_context("device_target"), ms.get_context("device_id")) == ("CPU", 1)


def test_a_server_of_parameters_is_refused():
    with pytest.raises(ValueError, match="'enable_ps' must be one of"):
        ms.set_ps_context(enable_ps=True)
    assert ms.get_ps_context("enable_ps") is False
