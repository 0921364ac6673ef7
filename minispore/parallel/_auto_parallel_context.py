"""The settings of ``set_auto_parallel_context`` as methods, as training cells written for MindSpore read them."""

from minispore.parallel import settings

__all__ = ["auto_parallel_context"]


class _AutoParallelContext:
    """``get_KEY()`` and ``set_KEY(value)`` for every key of ``set_auto_parallel_context``, and ``reset()``."""

    def __getattr__(self, name):
        prefix, _, key = name.partition("_")
        if prefix not in ("get", "set") or key not in settings.parallel_settings:
            raise AttributeError(f"the auto-parallel context has no attribute '{name}'")
        if prefix == "get":
            return lambda: settings.get_auto_parallel_context(key)
        return lambda value: settings.set_auto_parallel_context(**{key: value})

    def get_device_num_is_set(self):
        """True if another number of devices than 1 has been set."""
        return settings.parallel_settings["device_num"] != 1

    def get_global_rank_is_set(self):
        """True if another rank than 0 has been set."""
        return settings.parallel_settings["global_rank"] != 0

    def get_parameter_broadcast_is_set(self):
        """True if Parameters are to be broadcast."""
        return settings.parallel_settings["parameter_broadcast"]

    def reset(self):
        """Set every key back to its default."""
        settings.reset_auto_parallel_context()


_CONTEXT = _AutoParallelContext()


def auto_parallel_context():
    """The settings of ``set_auto_parallel_context`` as an object with a getter and a setter for each key."""
    return _CONTEXT
