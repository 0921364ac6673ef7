"""The groups of processes: that of all, under the names of the world, and those that the user has created."""

from minispore.core.checks import check_text
from minispore.core.context import changes
from minispore.core.errors import runtime_error, shown, value_error
from minispore.parallel.communication.protocol import Alone
from minispore.parallel.settings import ParallelMode, parallel_settings

__all__ = []

WORLDS = ("hccl_world_group", "nccl_world_group", "mccl_world_group", "mpi_world_group")
created = {}  # name -> Group, or None where this process is outside
_state = {"world": Alone()}


def world():
    """The group of all processes."""
    return _state["world"]


def shares_batches():
    """True if each process has a part of every batch: several processes in the mode "data_parallel"."""
    modes = ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL
    return world().size > 1 and parallel_settings["parallel_mode"] in modes


def parts_before():
    """The number of parts of a batch before this process's own; 0 for a process that has whole batches."""
    return world().rank if shares_batches() else 0


def enter(group):
    """Let ``group`` be that of all processes."""
    _state["world"] = group
    changes.count += 1


def leave():
    """Let this process be alone again."""
    for group in (*filter(None, created.values()), world()):
        group.close()
    created.clear()
    enter(Alone())


def check_known_group(operation, name):
    """Raise an error unless ``name`` is that of a world group or of a created one."""
    check_text(operation, "group", name)
    if name not in WORLDS and name not in created:
        raise value_error(operation, f"the 'group' must be one of {sorted([*WORLDS, *created])}", shown(name))


def group_of(operation, name):
    """The Group of this name.

    Raises:
        ValueError: If there is none.
        RuntimeError: If this process is none of its members.
    """
    check_known_group(operation, name)
    group = created.get(name, world()) if name not in WORLDS else world()
    if group is None:
        expected = f"the calling process must be a member of the group '{name}'"
        raise runtime_error(operation, expected, f"rank {world().rank}")
    return group
