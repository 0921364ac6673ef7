"""MindSpore's collective communication: between the processes that ``mpiexec`` has started, or in one process alone.

Reading order: ``protocol``, ``mpi``, ``nccl``, ``world``, ``_comm_helper``. Until :func:`init` has been called, and in
a job of one process, the rank is 0 and the size of every group is 1.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_int, check_text, is_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.parallel.communication import mpi, nccl, world
from minispore.parallel.communication.world import check_known_group

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"

__all__ = [
    "HCCL_WORLD_COMM_GROUP",
    "MCCL_WORLD_COMM_GROUP",
    "NCCL_WORLD_COMM_GROUP",
    "GlobalComm",
    "create_group",
    "destroy_group",
    "get_group_rank_from_world_rank",
    "get_group_size",
    "get_local_rank",
    "get_local_rank_size",
    "get_rank",
    "get_world_rank_from_group_rank",
    "init",
    "release",
]

_OTHER_LAUNCHERS = ("RANK_SIZE", "MS_WORKER_NUM")  # MindSpore's own, which start processes without MPI
_COUNTS = (*_OTHER_LAUNCHERS, *mpi.LAUNCHERS)
_BACKENDS = ("hccl", "nccl", "mccl", "mpi")
_OF_SEVERAL = ("mccl", "mpi", "nccl")  # "mccl" is MindSpore's name of the CPU's communication


class GlobalComm:
    """The state of the communication: ``BACKEND``, ``WORLD_COMM_GROUP``, and whether it is ``INITED``."""

    BACKEND = "hccl"
    WORLD_COMM_GROUP = HCCL_WORLD_COMM_GROUP
    INITED = False
    CHECK_ENVS = True


def init(backend_name: str | None = None) -> None:
    """Begin the communication of this job: over MPI where ``mpiexec`` has started it, else of one process.

    With "nccl" the processes agree over MPI, and the arrays travel from GPU to GPU. ``mpiexec`` starts the processes.
    Each takes the GPU of its number on its machine, unless ``set_context(device_id=...)`` names another.

    An error that nothing catches in one process then ends all of them. A wait for a process that does not come ends
    after ``set_context(op_timeout=...)`` seconds. A process that ``os._exit(0)`` ends runs no Python any more, and can
    report nothing. The launcher of MPICH then kills the others without a word, and may itself end with 0.

    Args:
        backend_name (str): "mpi", or MindSpore's "mccl", which is MPI where there are several processes; "nccl", for
            GPUs; "hccl", in a job of one process; or None for what the job needs. Default: None.

    Raises:
        TypeError: If the name is no str.
        RuntimeError: If the name is another, if mpi4py or a library of MPI or NCCL is missing, if the job has several
            processes that MPI does not connect, or if NCCL has no GPU for each.
    """
    if backend_name is not None and not isinstance(backend_name, str):
        raise type_error("init", "the 'backend_name' must be a str", shown(backend_name))
    several = [key for key in _COUNTS if os.environ.get(key, "1") not in ("", "0", "1")]
    name = backend_name or ("mpi" if several else "hccl")
    if name not in _BACKENDS:
        raise runtime_error("init", f"the 'backend_name' must be one of {list(_BACKENDS)}", shown(backend_name))
    if several and name not in _OF_SEVERAL:
        expected = "a job of several processes must communicate over MPI or NCCL: call init('mpi') or init('nccl')"
        raise runtime_error("init", expected, f"'{name}' and {several[0]}={os.environ[several[0]]}")
    if several and backend_name != "mpi" and several[0] in _OTHER_LAUNCHERS and several[-1] not in mpi.LAUNCHERS:
        raise _without_mpi(several)
    if world.world().size == 1 and (several or name == "mpi"):
        _enter(several, name)
    GlobalComm.BACKEND, GlobalComm.WORLD_COMM_GROUP, GlobalComm.INITED = name, f"{name}_world_group", True


def _enter(several, name):
    """Join the processes that MPI connects, which must be those of the job."""
    group = mpi.world()
    if several and group.size == 1:
        raise _without_mpi(several)
    world.enter(nccl.over(group) if name == "nccl" else group)


def _without_mpi(several):
    expected = "a job of several processes must be started by mpiexec"
    return runtime_error("init", expected, f"{several[0]}={os.environ[several[0]]} without it")


def release() -> None:
    """End the communication, and forget every group; all processes call it."""
    if world.world().size > 1:
        world.world().barrier("release")
    world.leave()
    GlobalComm.INITED = False


def _group(operation, name):
    """The Group of a name, after :func:`init`."""
    check_known_group(operation, name)
    if not GlobalComm.INITED:
        raise runtime_error(operation, "init() must be called before")
    return world.group_of(operation, name)


def get_rank(group: str = GlobalComm.WORLD_COMM_GROUP) -> Any:
    """The number of this process in a group, from 0.

    Args:
        group (str): A world group or the name of a created one.

    Raises:
        RuntimeError: If :func:`init` has not been called, or this process is none of the group's.
        ValueError: If there is no such group.
    """
    return _group("get_rank", group).rank


def get_group_size(group=GlobalComm.WORLD_COMM_GROUP) -> Any:
    """The number of processes of a group. Arguments and errors as :func:`get_rank`."""
    return _group("get_group_size", group).size


def get_local_rank(group=GlobalComm.WORLD_COMM_GROUP) -> Any:
    """The number of this process among those of the group on this machine. Arguments and errors as :func:`get_rank`."""
    return _group("get_local_rank", group).local()[0]


def get_local_rank_size(group=GlobalComm.WORLD_COMM_GROUP) -> Any:
    """The number of the group's processes on this machine. Arguments and errors as :func:`get_rank`."""
    return _group("get_local_rank_size", group).local()[1]


def get_world_rank_from_group_rank(group, group_rank_id) -> Any:
    """The number among all processes of the one with a number in a group."""
    name = "get_world_rank_from_group_rank"
    ranks = _group(name, group).ranks
    return ranks[check_int(name, "group_rank_id", group_rank_id, 0, len(ranks))]


def get_group_rank_from_world_rank(world_rank_id, group) -> Any:
    """The number in a group of the process with a number among all."""
    name = "get_group_rank_from_world_rank"
    ranks = _group(name, group).ranks
    if check_int(name, "world_rank_id", world_rank_id, 0) not in ranks:
        raise value_error(name, f"the 'world_rank_id' must be one of the group's {list(ranks)}", world_rank_id)
    return ranks.index(world_rank_id)


def create_group(group: str, rank_ids: Sequence[int]) -> None:
    """Name a group of processes; all processes of the job call it, those outside the group too.

    Args:
        group (str): The name, which is not yet one.
        rank_ids (list[int]): The numbers of the members, each once.

    Raises:
        TypeError: If the name is no str or ``rank_ids`` is no list of ints.
        ValueError: If the list is empty, or has a number twice or one that no process has.
        RuntimeError: If :func:`init` has not been called, or the processes call it with other members.
    """
    name = "create_group"
    check_text(name, "group", group)
    if not isinstance(rank_ids, list) or not all(map(is_int, rank_ids)):
        raise type_error(name, "the 'rank_ids' must be a list of ints", shown(rank_ids))
    if not GlobalComm.INITED:
        raise runtime_error(name, "init() must be called before")
    size = world.world().size
    if not rank_ids or len(set(rank_ids)) < len(rank_ids) or not set(rank_ids) <= set(range(size)):
        expected = f"the 'rank_ids' must be different numbers of the job's processes, {list(range(size))}"
        raise value_error(name, expected, shown(rank_ids))
    if group in (*world.WORLDS, *world.created):
        raise value_error(name, "the 'group' must be a new name", shown(group))
    world.created[group] = world.world().split(name, group, rank_ids)


def destroy_group(group) -> None:
    """Forget a group that :func:`create_group` has named.

    Raises:
        ValueError: If it is a world group, or no group.
    """
    check_known_group("destroy_group", group)
    if not GlobalComm.INITED:
        raise runtime_error("destroy_group", "init() must be called before")
    if group in world.WORLDS:
        raise value_error("destroy_group", "the 'group' must be a created one", shown(group))
    found = world.created.pop(group)
    if found is not None:
        found.close()
