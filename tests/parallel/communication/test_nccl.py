"""The engine NCCL on the installed CuPy: its signatures, and a world of one process, whose GPU the CPU may be."""

import importlib
import types
import warnings

import ml_dtypes
import numpy as np
import pytest

import minispore as ms
from minispore import communication, nn
from minispore.core import backend
from minispore.parallel.communication import nccl, world
from minispore.parallel.communication.protocol import Alone

CALLS = {  # the arguments that the engine gives, in CuPy's order
    "allReduce": "sendbuf recvbuf count datatype op stream",
    "allGather": "sendbuf recvbuf count datatype stream",
    "reduceScatter": "sendbuf recvbuf recvcount datatype op stream",
    "bcast": "buff count datatype root stream",
    "abort": "",
    "destroy": "",
}


@pytest.fixture
def library():
    pytest.importorskip("cupy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # CuPy warns where the library is missing
        found = importlib.import_module("cupy.cuda.nccl")
    if not found.available:
        pytest.skip("needs NCCL's library, libnccl.so.2")
    return found


@pytest.fixture
def group(library):
    before = ms.get_context("device_target")
    ms.set_context(device_target="GPU")
    one = nccl.over(Alone())
    yield one
    one.close()
    ms.set_context(device_target=before)


@pytest.mark.cpucuda
def test_the_calls_are_those_of_cupys_signatures(library):
    for name, expected in CALLS.items():
        signature = getattr(library.NcclCommunicator, name).__doc__.split("\n")[0].partition("(self")[2].strip(", )")
        assert [argument.split()[-1] for argument in signature.split(", ") if argument] == expected.split()
    assert library.NcclCommunicator.__doc__.startswith("NcclCommunicator(int ndev, bytes commId, int rank, ")
    assert all(hasattr(library, f"NCCL_{name.upper()}") for name in (*nccl._TYPES, "sum", "prod"))


@pytest.mark.cpucuda
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int64", "complex64"])
@pytest.mark.parametrize("shape", [(2, 3), (0, 3)])
def test_in_a_world_of_one_every_movement_gives_the_array_on_the_device(group, dtype, shape):
    x = np.arange(shape[0] * 3).reshape(shape).astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    array = backend.from_host(x)
    found = [
        group.all_reduce("AllReduce", array, op)
        for op in ("sum", "prod", "max", "min")
        if dtype != "complex64" or op < "m"
    ]
    found += [group.reduce_scatter("ReduceScatter", array), group.broadcast("Broadcast", [array], 0)[0]]
    found += [group.all_gather("AllGather", array)[0], *group.reduce_flat("reducer", [[array]], 1.0)[0]]
    for y in found:
        assert isinstance(y, backend.array_type) and y is not array and y.dtype == x.dtype
        assert y.get().tobytes() == x.tobytes()


@pytest.mark.cpucuda
def test_sums_begin_after_what_computes_and_are_awaited(group):
    x = backend.xp.ones(5, np.float32)
    x += 1
    waiting = group.start_sum("reducer", x)
    group.advance()
    assert waiting() is x and x.get().tolist() == [2.0] * 5
    assert group.split("create_group", "mine", [0]).all_reduce("AllReduce", x).get().tolist() == [2.0] * 5


class Twice(Alone):
    """One process that says all for another one too."""

    ranks, hosts = (0, 1), ("here", "here")

    def _start_exchange(self, operation, record):
        return lambda: [record, record]


@pytest.mark.cpucuda
def test_a_training_step_reduces_its_gradients_on_the_device(group, monkeypatch):
    """Sums of a communicator of one are those of two processes of which the other one has no gradient."""

    def trained():
        net = nn.SequentialCell(nn.Dense(3, 2, "ones", "zeros"), nn.Dense(2, 1, "ones", "zeros"))
        step = ms.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss())
        for _ in range(2):
            step(ms.ops.ones((4, 3)), ms.ops.zeros((4, 1)))
        return [p.asnumpy().tolist() for p in net.get_parameters()]

    alone = trained()
    monkeypatch.setattr(group, "ranks", (0, 1))
    monkeypatch.setattr(group, "_control", Twice())
    began = []
    monkeypatch.setattr(
        group, "start_sum", lambda name, x, begin=group.start_sum: began.append(type(x)) or begin(name, x)
    )
    monkeypatch.setitem(world._state, "world", group)
    ms.set_auto_parallel_context(parallel_mode="data_parallel", all_reduce_fusion_config=[1])
    assert trained() == alone and began == [backend.array_type] * 4
    ms.reset_auto_parallel_context()


@pytest.mark.cpucuda
def test_a_group_that_is_given_up_refuses_what_follows(group):
    group.give_up("reducer")
    with pytest.raises(RuntimeError, match="NCCL"):
        group.all_reduce("AllReduce", backend.xp.ones(5, np.float32))


def test_without_a_gpu_the_error_names_what_to_call():
    with pytest.raises(
        RuntimeError, match=r"NCCL needs set_context\(device_target='GPU'\) before; init\('mpi'\) is for"
    ):
        nccl.over(Alone())


def test_without_the_library_the_error_names_what_to_install(monkeypatch):
    monkeypatch.setitem(nccl.settings, "device_target", "GPU")
    monkeypatch.setattr(nccl.importlib, "import_module", lambda name: types.SimpleNamespace(available=False))
    with pytest.raises(RuntimeError, match=r'pip install "nvidia-nccl-cu12>=2.18.1,<3"'):
        nccl.over(Alone())


def test_a_job_of_one_process_needs_no_nccl():
    communication.init("nccl")
    assert communication.get_group_size() == 1 and communication.GlobalComm.BACKEND == "nccl"
    communication.release()
