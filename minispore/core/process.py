"""This process among those of its job: alone, until the room ``parallel`` puts its own :data:`job` here."""

__all__ = []


class OneProcess:
    """The job of one process: it has every batch, every gradient and every overflow by itself."""

    def rank(self):
        """The number of this process among all."""
        return 0

    def parts_before(self):
        """The number of parts of a batch before this process's own; 0 for a process that has whole batches."""
        return 0

    def shares_gradients(self):
        """True if training steps apply the gradients of all processes."""
        return False

    def pipeline_stages(self):
        """The number of parts that a batch is computed in, one after the other; 1 for a batch as a whole."""
        return 1


job = OneProcess()


def rank():
    """The number of this process among all; 0 for one that is alone."""
    return job.rank()


def parts_before():
    """The number of parts of a batch before this process's own; 0 for a process that has whole batches."""
    return job.parts_before()
