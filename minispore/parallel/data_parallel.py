"""Data-parallel steps: each process has a part of the batch, and all apply the gradients of all.

:class:`SeveralProcesses` is the job that training steps ask; it stands in ``core/process.py`` once this is imported.
"""

from minispore.core import backend, process
from minispore.core.errors import value_error
from minispore.core.journal import noted
from minispore.core.observation import alone
from minispore.core.running import running
from minispore.core.writes import write
from minispore.parallel.collective import AllReduce
from minispore.parallel.communication import GlobalComm, world
from minispore.parallel.grad_reducer import DistributedGradReducer
from minispore.parallel.overlapped_reduction import REDUCER, first_uses, now, use_of
from minispore.parallel.settings import ParallelMode, get_auto_parallel_context

__all__ = []


def _as_set(everyone):
    """True; ValueError if a ``device_num`` or ``global_rank`` has been set that does not fit the processes."""
    settings = {
        "device_num": ("the number of processes", 1, everyone.size),
        "global_rank": ("the number of this process", 0, everyone.rank),
    }
    for key, (what, unset, own) in settings.items():
        if get_auto_parallel_context(key) not in (unset, own):
            expected = f"the '{key}' must be {what}, {own}"
            raise value_error("set_auto_parallel_context", expected, get_auto_parallel_context(key))
    return True


def reporting_errors(reducer):
    """A ``with`` block before ``reducer`` reduces: the other processes get to know of an error in it."""
    name = reducer._group if isinstance(reducer, DistributedGradReducer) else GlobalComm.WORLD_COMM_GROUP
    return world.group_of(REDUCER, name).reporting_errors(REDUCER)


_largest = AllReduce("max")


class SeveralProcesses(process.OneProcess):
    """The job of all processes that ``communication.init`` has found; before that it is of one."""

    def rank(self):
        """The number of this process among all."""
        return world.world().rank

    def parts_before(self):
        """The number of parts of a batch before this process's own; 0 for a process that has whole batches."""
        return world.parts_before()

    def shares_gradients(self):
        """True if training steps apply the gradients of all: several processes in the mode "data_parallel".

        Raises:
            NotImplementedError: If there are several processes in a mode that divides the network itself.
        """
        mode = get_auto_parallel_context("parallel_mode")
        if world.world().size == 1 or mode == ParallelMode.STAND_ALONE:
            return False
        if world.shares_batches():
            return _as_set(world.world())
        raise NotImplementedError(
            f"For 'set_auto_parallel_context', the parallel_mode '{mode}' is not supported in a job of several "
            "processes: use 'data_parallel'."
        )

    def pipeline_stages(self):
        """The number of parts that a batch is computed in, as ``set_auto_parallel_context`` has it."""
        return get_auto_parallel_context("pipeline_stages")

    def reducer(self, weights):
        """The cell that sums the gradients of ``weights`` over all processes."""
        return DistributedGradReducer(weights)

    def equalize(self, parameters):
        """Give every process the values that process 0 has in ``parameters``, except the ``layerwise_parallel`` ones.

        The values are set beside the journal: a step that fails afterwards leaves them equal.
        """
        common = [p for p in parameters if not p.layerwise_parallel]
        members, names = world.world(), [p.name for p in common]
        arrays = [members.taken(p.array) for p in common]
        received = members.broadcast("parameter_broadcast", arrays, 0, names)
        with alone():
            for parameter, array in zip(common, received, strict=True):
                write(parameter, backend.from_host(array))
                parameter._common = True

    def agree_on_use(self, trace):
        """Raise RuntimeError in every process unless the traced networks of all use the same Parameters."""
        world.world().agree(REDUCER, use_of(trace.weights, first_uses(trace)))

    def overflow_anywhere(self, overflow):
        """True if ``overflow``, a Tensor of one bool, is True in any process."""
        return _largest(overflow.astype("int32")).astype(overflow.dtype)

    def largest(self, x):
        """The largest of all processes' numbers, number by number."""
        return _largest(x)

    def reduced(self, step, method, arguments, prepare=None):
        """The tuple that a step's ``method`` returns, with the gradients at its second place summed over all processes.

        They travel during the backward pass, or after it where that is one CUDA graph, or the user's own reducer sums.
        ``prepare`` is what is made of a tuple of gradients before they travel.
        """
        reducer = step._reducer_of_step()
        if not _reduces_meanwhile(reducer):
            with reporting_errors(reducer):
                (loss, gradients, *more), _ = noted(step._region, method, *arguments)  # what follows may raise
            return loss, reducer(gradients), *more
        reduction = reducer.during_backward(step._weights_of_step(), prepare)
        with reduction:
            loss, _, *more = step._region(method, *arguments)
            return loss, reduction.finish(), *more

    def visit(self):
        """The way in which a backward pass visits its records while gradients travel, or None."""
        return None if now.reduction is None else now.reduction.swept


def _reduces_meanwhile(reducer):
    """True if the gradients are reduced during the backward pass, not after it and not by the user."""
    captured = any(layer.captures() for layer in running.layers if hasattr(layer, "captures"))
    return type(reducer) is DistributedGradReducer and not captured


process.job = SeveralProcesses()
