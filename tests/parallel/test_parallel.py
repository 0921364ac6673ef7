"""How training is spread: what MindSpore's training cells ask, and the reducer of gradients."""

import numpy as np
import pytest

import minispore as ms
from minispore import ParallelMode, nn
from minispore.nn.wrap.grad_reducer import DistributedGradReducer
from minispore.parallel import _cell_wrapper, _cost_model_context, _ps_context, _utils
from minispore.parallel._auto_parallel_context import auto_parallel_context


@pytest.fixture(autouse=True)
def defaults():
    yield
    ms.reset_auto_parallel_context()


def test_the_settings_are_read_at_every_address():
    ms.set_auto_parallel_context(parallel_mode=ParallelMode.DATA_PARALLEL, gradients_mean=True, device_num=4)
    assert _utils._get_parallel_mode() == auto_parallel_context().get_parallel_mode() == "data_parallel"
    assert _utils._get_gradients_mean() and _utils._is_in_data_parallel_mode() and not _utils._is_sharding_propagation()
    assert _utils._get_device_num() == _utils._get_stage_device_num() == auto_parallel_context().get_device_num() == 4
    auto_parallel_context().set_global_rank(3)
    assert ms.get_auto_parallel_context("global_rank") == _utils._get_global_rank() == 3
    auto_parallel_context().reset()
    assert not auto_parallel_context().get_device_num_is_set()


def test_a_reducer_gives_the_gradients_of_the_one_process():
    assert DistributedGradReducer is nn.DistributedGradReducer
    gradients = (ms.Tensor(np.float32([2, 4])), ms.Tensor(np.float32(8)))
    reducer = DistributedGradReducer(nn.Dense(1, 1).trainable_params())
    assert reducer(gradients)[0] is gradients[0]
    halved = DistributedGradReducer([], mean=True, degree=2)(gradients)
    assert [g.asnumpy().tolist() for g in halved] == [[1, 2], 4]
    with pytest.raises(TypeError, match="the 'mean' must be a bool"):
        DistributedGradReducer([], mean=1)


def test_the_cost_model_keeps_legal_values_and_refuses_others():
    _cost_model_context.set_cost_model_context(device_memory_capacity=1024.0, run_phase=1)
    _cost_model_context._set_multi_subgraphs()
    assert _cost_model_context.get_cost_model_context("device_memory_capacity") == 1024.0
    assert _cost_model_context._get_multi_subgraphs() is True
    wrong = [("a", 1, ValueError), ("costmodel_alpha", 1, TypeError), ("costmodel_alpha", 0.0, RuntimeError)]
    for key, value, kind in [*wrong, ("costmodel_gamma", 2.0, RuntimeError), ("run_phase", 3, ValueError)]:
        with pytest.raises(kind, match=r"^For 'set_cost_model_context'"):
            _cost_model_context.set_cost_model_context(costmodel_beta=7.0, **{key: value})
    assert _cost_model_context.get_cost_model_context("costmodel_beta") == 400.0, "nothing is set if one is refused"
    _cost_model_context.reset_cost_model_context()
    assert _cost_model_context.get_cost_model_context("run_phase") == 0


def test_one_process_has_no_servers_and_no_spread_parameters():
    assert not _utils._is_pynative_parallel()
    assert not any(ask() for name, ask in vars(_ps_context).items() if name.startswith(("_is", "_cache", "_enable")))
    assert _cell_wrapper.destroy_allgather_cell() is None
