"""MindSpore's settings that nothing here reads: what MindSpore 2.0.0 takes and refuses, and where they are found."""

import pytest

import minispore as ms
from minispore.dropin import unread_settings
from minispore.tools import log

pytestmark = pytest.mark.usefixtures("restored")


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
        ("max_call_depth", [7], [-1, 0, "x"]),
        ("save_graphs", [True, 2], ["x"]),
        ("save_graphs_path", ["here"], [1]),
        ("deterministic", ["ON"], ["on", True]),
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


def test_there_is_no_server_of_parameters():
    ms.set_ps_context(enable_ps=False, enable_ssl=True)
    assert ms.get_ps_context("enable_ssl") is True
    with pytest.raises(ValueError, match="'enable_ps' must be one of"):
        ms.set_ps_context(enable_ps=True)
    ms.reset_ps_context()


def test_a_server_of_parameters_is_refused():
    with pytest.raises(ValueError, match="'enable_ps' must be one of"):
        ms.set_ps_context(enable_ps=True)
    assert ms.get_ps_context("enable_ps") is False


@pytest.fixture
def at_debug_level(monkeypatch):
    log._lowest.cache_clear()
    monkeypatch.setenv("GLOG_v", "0")
    yield
    log._lowest.cache_clear()


@pytest.mark.usefixtures("at_debug_level")
def test_a_key_without_effect_is_told_once_at_debug_level(capsys):
    unread_settings._reported.clear()
    for _ in range(2):
        ms.set_context(enable_graph_kernel=True)
    assert capsys.readouterr().err.count("enable_graph_kernel") == 1


def test_the_settings_are_found_where_mindspore_has_them():
    for name in unread_settings.__all__:
        assert getattr(ms, name) is getattr(ms.context, name) is getattr(unread_settings, name)
        assert name in ms.__all__ and name in ms.context.__all__


def test_settings_of_offloading_are_kept_and_given_back():
    before = ms.get_offload_context()
    try:
        ms.set_offload_context({"offload_path": "./o", "auto_offload": True, "offload_cpu_size": "10GB"})
        assert {**before, "offload_path": "./o", "auto_offload": True, "offload_cpu_size": "10GB"} == (
            ms.get_offload_context()
        )
        for config, kind in (({"x": 1}, ValueError), (3, TypeError), ({"auto_offload": 1}, TypeError)):
            with pytest.raises(kind, match=r"^For 'set_offload_context'"):
                ms.set_offload_context(config)
    finally:
        ms.set_offload_context(before)
