"""Collective communication of one process."""

import pytest

import minispore.communication as communication
from minispore.communication import management


@pytest.fixture(autouse=True)
def one_process(monkeypatch):
    for key in communication._COUNTS:
        monkeypatch.delenv(key, raising=False)
    yield
    communication.release()
    communication.GlobalComm.BACKEND = "hccl"
    communication.GlobalComm.WORLD_COMM_GROUP = "hccl_world_group"


def test_the_one_process_has_rank_0_of_1():
    assert management is communication
    communication.init("nccl")
    assert communication.get_rank() == communication.get_local_rank("nccl_world_group") == 0
    assert communication.get_group_size() == communication.get_local_rank_size() == 1
    assert communication.GlobalComm.INITED and communication.GlobalComm.BACKEND == "nccl"
    assert communication.get_world_rank_from_group_rank("hccl_world_group", 0) == 0
    assert communication.get_group_rank_from_world_rank(0, "hccl_world_group") == 0


@pytest.mark.parametrize("call", ["get_rank", "get_group_size", "get_local_rank", "get_local_rank_size"])
def test_nothing_is_known_before_init(call):
    with pytest.raises(RuntimeError, match=rf"^For '{call}', init\(\) must be called before"):
        getattr(communication, call)()


def test_a_group_is_created_used_and_destroyed():
    communication.init()
    communication.create_group("mine", [0])
    assert communication.get_group_size("mine") == 1
    communication.destroy_group("mine")
    with pytest.raises(ValueError, match="the 'group' must be one of"):
        communication.get_rank("mine")


@pytest.mark.parametrize(
    ("call", "args", "kind"),
    [
        ("init", (1,), TypeError),
        ("init", ("x",), RuntimeError),
        ("get_rank", (1,), TypeError),
        ("get_rank", ("x",), ValueError),
        ("create_group", (1, [0]), TypeError),
        ("create_group", ("g", (0,)), TypeError),
        ("create_group", ("g", [0, 1]), ValueError),
        ("create_group", ("g", [1]), ValueError),
        ("create_group", ("g", ["0"]), TypeError),
        ("destroy_group", ("hccl_world_group",), ValueError),
        ("get_world_rank_from_group_rank", ("hccl_world_group", 1), ValueError),
    ],
)
def test_wrong_arguments_are_refused(call, args, kind):
    communication.init()
    with pytest.raises(kind, match=f"^For '{call}', "):
        getattr(communication, call)(*args)


def test_a_job_of_several_processes_that_mpi_does_not_connect_is_refused(monkeypatch):
    monkeypatch.setenv("RANK_SIZE", "8")
    with pytest.raises(RuntimeError, match=r"started by mpiexec, but got RANK_SIZE=8"):
        communication.init()
    with pytest.raises(RuntimeError, match=r"call init\('mpi'\) or init\('nccl'\), but got 'hccl' and RANK_SIZE=8"):
        communication.init("hccl")


def test_the_helper_knows_the_state_and_the_members_of_a_group():
    from minispore.parallel.communication import _comm_helper

    assert not _comm_helper._is_initialized() and _comm_helper.Backend.HCCL == "hccl"
    communication.init()
    assert _comm_helper._is_initialized() and _comm_helper._get_group_ranks("hccl_world_group") == [0]
    with pytest.raises(ValueError, match="the 'group' must be one of"):
        _comm_helper._get_group_ranks("x")
