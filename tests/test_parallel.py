"""How training is spread: what MindSpore's training cells ask, and the reducer of gradients."""

import numpy as np
import pytest

import minispore as ms
from minispore import ParallelMode, nn
from minispore.nn.wrap.grad_reducer import DistributedGradReducer
from minispore.parallel import _utils, set_algo_parameters
from minispore.parallel._auto_parallel_context import auto_parallel_context


@pytest.fixture(autouse=True)
def defaults():
    yield
    ms.reset_auto_parallel_context()
    ms.reset_algo_parameters()


def test_the_settings_are_read_at_every_address():
    ms.set_auto_parallel_context(parallel_mode=ParallelMode.DATA_PARALLEL, gradients_mean=True, device_num=4)
    assert _utils._get_parallel_mode() == auto_parallel_context().get_parallel_mode() == "data_parallel"
    assert _utils._get_gradients_mean() and _utils._is_in_data_parallel_mode() and not _utils._is_sharding_propagation()
    assert _utils._get_device_num() == _utils._get_stage_device_num() == auto_parallel_context().get_device_num() == 4
    auto_parallel_context().set_global_rank(3)
    assert ms.get_auto_parallel_context("global_rank") == _utils._get_global_rank() == 3
    auto_parallel_context().reset()
    assert not auto_parallel_context().get_device_num_is_set()


def test_options_of_the_search_are_kept():
    set_algo_parameters(fully_use_devices=False)
    assert ms.get_algo_parameters("fully_use_devices") is False
    with pytest.raises(ValueError, match="must be in"):
        set_algo_parameters(tensor_slice_align_size=0)


def test_a_reducer_gives_the_gradients_of_the_one_process():
    assert DistributedGradReducer is nn.DistributedGradReducer
    gradients = (ms.Tensor(np.float32([2, 4])), ms.Tensor(np.float32(8)))
    reducer = DistributedGradReducer(nn.Dense(1, 1).trainable_params())
    assert reducer(gradients)[0] is gradients[0]
    halved = DistributedGradReducer([], mean=True, degree=2)(gradients)
    assert [g.asnumpy().tolist() for g in halved] == [[1, 2], 4]
    with pytest.raises(TypeError, match="the 'mean' must be a bool"):
        DistributedGradReducer([], mean=1)
