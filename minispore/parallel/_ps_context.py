"""MindSpore's questions about servers of Parameters: one process has none, so that every answer is False."""

__all__ = []


def _is_ps_mode():
    return False


def _is_role_worker():
    return False


def _is_role_pserver():
    return False


def _is_role_sched():
    return False


def _cache_enable():
    return False


def _enable_distributed_mindrt():
    return False
