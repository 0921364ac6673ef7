"""MindSpore's inner functions of communication, for one process."""

from minispore.communication import GlobalComm, check_known_group

__all__ = []


class Backend:
    """The names of the libraries of communication."""

    UNDEFINED = "undefined"
    HCCL = "hccl"
    NCCL = "nccl"
    MCCL = "mccl"


DEFAULT_BACKEND = Backend.HCCL


def _is_initialized():
    """Whether ``init()`` has been called."""
    return GlobalComm.INITED


def _get_group_ranks(group):
    """The numbers of the processes of a group: ``[0]``."""
    check_known_group("_get_group_ranks", group)
    return [0]
