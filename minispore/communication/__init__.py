"""MindSpore's collective communication in one process: the rank is 0 and the size of every group is 1.

A job of several processes is refused by :func:`init`.
"""

import os

from minispore.checks import check_text
from minispore.errors import runtime_error, shown, type_error, value_error

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

_WORLDS = (HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP)
_COUNTS = ("RANK_SIZE", "MS_WORKER_NUM", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE")  # what launchers tell of processes
_groups = set()  # the names of the groups that the user has created


class GlobalComm:
    """The state of the communication: ``BACKEND``, ``WORLD_COMM_GROUP``, and whether it is ``INITED``."""

    BACKEND = "hccl"
    WORLD_COMM_GROUP = HCCL_WORLD_COMM_GROUP
    INITED = False
    CHECK_ENVS = True


def init(backend_name=None):
    """Begin the communication of a job of one process.

    Args:
        backend_name (str): "hccl", "nccl", "mccl", or None for that of the device. Default: None.

    Raises:
        TypeError: If the name is no str.
        RuntimeError: If the name is another, or if the environment says that the job has several processes.
    """
    if backend_name is not None and not isinstance(backend_name, str):
        raise type_error("init", "the 'backend_name' must be a str", shown(backend_name))
    name = backend_name or "hccl"
    if f"{name}_world_group" not in _WORLDS:
        raise runtime_error("init", "the 'backend_name' must be one of ['hccl', 'nccl', 'mccl']", shown(backend_name))
    several = [key for key in _COUNTS if os.environ.get(key, "1") not in ("", "0", "1")]
    if several:
        expected = "the job must have one process, since minispore does not communicate between processes"
        raise runtime_error("init", expected, f"{several[0]}={os.environ[several[0]]}")
    GlobalComm.BACKEND, GlobalComm.WORLD_COMM_GROUP, GlobalComm.INITED = name, f"{name}_world_group", True


def release():
    """End the communication, and forget every group."""
    GlobalComm.INITED = False
    _groups.clear()


def _check_group(operation, group):
    check_text(operation, "group", group)
    if not GlobalComm.INITED:
        raise runtime_error(operation, "init() must be called before")
    check_known_group(operation, group)


def check_known_group(operation, group):
    """Raise an error unless ``group`` is the name of a world group or of a created one."""
    check_text(operation, "group", group)
    if group not in (*_WORLDS, *_groups):
        raise value_error(operation, f"the 'group' must be one of {sorted([*_WORLDS, *_groups])}", shown(group))


def get_rank(group=GlobalComm.WORLD_COMM_GROUP):
    """The number of this process in a group: 0.

    Args:
        group (str): A world group or the name of a created one.

    Raises:
        RuntimeError: If :func:`init` has not been called.
        ValueError: If there is no such group.
    """
    _check_group("get_rank", group)
    return 0


def get_group_size(group=GlobalComm.WORLD_COMM_GROUP):
    """The number of processes of a group: 1. Arguments and errors as :func:`get_rank`."""
    _check_group("get_group_size", group)
    return 1


def get_local_rank(group=GlobalComm.WORLD_COMM_GROUP):
    """The number of this process among those of this machine: 0. Arguments and errors as :func:`get_rank`."""
    _check_group("get_local_rank", group)
    return 0


def get_local_rank_size(group=GlobalComm.WORLD_COMM_GROUP):
    """The number of processes of this machine: 1. Arguments and errors as :func:`get_rank`."""
    _check_group("get_local_rank_size", group)
    return 1


def _check_rank(operation, argument, rank):
    if isinstance(rank, bool) or not isinstance(rank, int):
        raise type_error(operation, f"the '{argument}' must be an int", shown(rank))
    if rank != 0:
        raise value_error(operation, f"the '{argument}' must be 0, since there is one process", rank)
    return rank


def get_world_rank_from_group_rank(group, group_rank_id):
    """The number among all processes of the one with a number in a group: 0."""
    _check_group("get_world_rank_from_group_rank", group)
    return _check_rank("get_world_rank_from_group_rank", "group_rank_id", group_rank_id)


def get_group_rank_from_world_rank(world_rank_id, group):
    """The number in a group of the process with a number among all: 0."""
    _check_group("get_group_rank_from_world_rank", group)
    return _check_rank("get_group_rank_from_world_rank", "world_rank_id", world_rank_id)


def create_group(group, rank_ids):
    """Name a group of processes: ``rank_ids`` must be ``[0]``, since there is one.

    Raises:
        TypeError: If the name is no str or ``rank_ids`` is no list of ints.
        ValueError: If the list is empty or has another number than 0.
        RuntimeError: If :func:`init` has not been called.
    """
    check_text("create_group", "group", group)
    if not isinstance(rank_ids, list):
        raise type_error("create_group", "the 'rank_ids' must be a list", shown(rank_ids))
    if not GlobalComm.INITED:
        raise runtime_error("create_group", "init() must be called before")
    if len(rank_ids) != 1:
        raise value_error("create_group", "the 'rank_ids' must be [0], since there is one process", shown(rank_ids))
    _check_rank("create_group", "rank_ids", rank_ids[0])
    _groups.add(group)


def destroy_group(group):
    """Forget a group that :func:`create_group` has named.

    Raises:
        ValueError: If it is a world group, or no group.
    """
    _check_group("destroy_group", group)
    if group in _WORLDS:
        raise value_error("destroy_group", "the 'group' must be a created one", shown(group))
    _groups.remove(group)
