"""MindSpore's inner functions of communication."""

from minispore.parallel.communication import GlobalComm, world

__all__ = []


class Backend:
    """The names of the libraries of communication."""

    UNDEFINED = "undefined"
    HCCL = "hccl"
    NCCL = "nccl"
    MCCL = "mccl"
    MPI = "mpi"


DEFAULT_BACKEND = Backend.HCCL


def _is_initialized():
    """True if ``init()`` has been called."""
    return GlobalComm.INITED


def _get_group_ranks(group):
    """The numbers of the processes of a group, as a list."""
    return list(world.group_of("_get_group_ranks", group).ranks)
