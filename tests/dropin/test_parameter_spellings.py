"""What MindSpore's Parameters show about servers, caches and devices."""

import pytest

import minispore as ms
from minispore import nn


def test_settings_without_effect_have_mindspores_defaults_and_may_be_set():
    p, other = ms.Parameter([1.0], name="p"), ms.Parameter([1.0], name="q")
    assert (p.cache_enable, p.cache_shape, p.comm_fusion, p.is_param_ps, p.requires_aggr) == (False, [], 1, False, True)
    p.cache_enable, p.comm_fusion = True, 2
    p.cache_shape.append(3)
    assert (p.cache_enable, p.comm_fusion, p.cache_shape) == (True, 2, [3])
    assert (other.cache_enable, other.comm_fusion, other.cache_shape) == (False, 1, [])


def test_param_info_reads_and_sets_the_parameter_itself():
    p = ms.Parameter([1.0], name="p")
    assert (p.param_info.name, p.param_info.requires_grad, p.param_info.obj) == ("p", True, p)
    p.param_info.requires_grad, p.param_info.name = False, "new"
    assert (p.requires_grad, p.name) == (False, "new") and "obj" in dir(p.param_info)
    with pytest.raises(AttributeError, match="For 'param_info', the attribute must be one of"):
        p.param_info.nonsense = 1


def test_servers_of_parameters_are_refused_as_mindspore_refuses_them():
    with pytest.raises(RuntimeError, match=r"enable_ps=True\) must hold, but there are no servers of Parameters"):
        nn.Dense(2, 3).set_param_ps()
    net = nn.Dense(2, 3)
    net.set_param_fl(push_to_server=True)
    assert net.weight.push_weight_to_server and net.weight.requires_aggr
    net.weight.add_pipeline_stage(1)
    with pytest.raises(TypeError, match="For 'add_pipeline_stage', the 'stage' must be an int"):
        net.weight.add_pipeline_stage("1")


def test_set_data_takes_integers_of_another_type_if_all_fit():
    p = ms.Parameter(ms.Tensor([1, 2], ms.int32), name="p")
    p.set_data(ms.Tensor([3, 4], ms.int64))
    assert (p.dtype, p.asnumpy().tolist()) == (ms.int32, [3, 4])
    narrow = ms.Parameter(ms.Tensor([1, 2], ms.int8), name="n")
    for data in (ms.Tensor([1, 300]), ms.Tensor([1.0, 2.0])):
        with pytest.raises(TypeError, match="can take without loss"):
            narrow.set_data(data)
    assert narrow.asnumpy().tolist() == [1, 2]
