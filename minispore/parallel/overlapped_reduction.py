"""OverlappedReduction: the gradients of all processes, reduced while the backward pass goes on.

Gradients travel in buckets, those of the last Parameters first, since they are complete first. A bucket begins its way
as soon as its gradients are complete, and is awaited after the pass.

Before the first bucket begins the processes agree on all of them, and each reports which Parameters its network uses.
From then on a process takes part in every bucket: one that fails sends zeros. The last bucket begins only when the pass
has ended. Beside the gradients it has a number, the count of the processes that have failed. A process that fails
reports its error in the next agreement of the others. That is the one on the buckets, that of a call in the pass, as of
SyncBatchNorm, or one after the sums.

The pass reports to the reduction by operations without results, so that a replay reports the same at the same points.
"""

import threading
from contextlib import suppress

import numpy as np

from minispore.core import backend
from minispore.core.dtype import NARROW_FLOATS
from minispore.core.errors import runtime_error
from minispore.core.primitive import Primitive
from minispore.core.tape import flatten, sweep
from minispore.core.tensor import Tensor, wrap
from minispore.parallel.communication.protocol import description

__all__ = []

REDUCER = "DistributedGradReducer"
_STRIDE = 32  # records of the backward pass between two looks at the buckets that travel


class _Now(threading.local):
    """The reduction of the step that this thread makes, or None."""

    reduction = None


now = _Now()


def travelling_type(array):
    """The type in which an array is summed: float32 for narrow floats."""
    return np.dtype(np.float32) if array.dtype in NARROW_FLOATS else array.dtype


def use_of(weights, first_uses):
    """A line for each Parameter: its name and form, with a remark if the network does not use it."""
    lines = [f"'{w.name}' {description(w.array)}" for w in weights]
    for i, first in enumerate(first_uses):
        if first is None:
            lines[i] += ", which the network does not use"
    return "\n".join(lines)


def first_uses(trace):
    """The number of the first record that reads each weight; None for one that no record reads."""
    first_reads = {}
    for number, (_, inputs, _) in enumerate(trace.records):
        for x in inputs:
            if isinstance(x, Tensor):
                first_reads.setdefault(x, number)
    outputs = {y: len(trace.records) for y in flatten(trace.out)}
    uses = [[first_reads.get(x, outputs.get(x)) for x in trace.named(w)] for w in trace.weights]
    return [min([n for n in found if n is not None], default=None) for found in uses]


class _Message(Primitive):
    """A message of the pass to the step's reduction, ``now.reduction``: a call of one of its methods."""

    differentiable = False
    autocast = False
    complex_numbers = "as written"

    def __init__(self, method, about):
        self.method, self.about = method, about

    def infer(self, *xs):
        return ()

    def compute(self, xp, *arrays):
        getattr(now.reduction, self.method)(self.about, arrays)
        return ()


class _Finish(Primitive):
    """The gradients of all processes, from this one's."""

    differentiable = False
    communicates = True
    autocast = False
    complex_numbers = "as written"

    def __init__(self):
        super().__init__(REDUCER)

    def infer(self, *xs):
        return xs

    def compute(self, xp, *arrays):
        return now.reduction.awaited()


_finish = _Finish()


class OverlappedReduction:
    """The reduction of one backward pass, in a ``with`` block around the pass and :meth:`finish`.

    The pass calls :meth:`begin`, and :meth:`send` wherever that says.

    Args:
        members (Group): The processes.
        weights (tuple[Parameter]): The Parameters.
        buckets (list[list[int]]): The numbers of the Parameters whose gradients travel together, in the order in which
            the buckets travel. A Parameter in none of them keeps its own gradient.
        factor (float): What the sums are multiplied by.
        prepare (Callable): What is made of a tuple of gradients before they travel. Default: None, nothing.
    """

    def __init__(self, members, weights, buckets, factor, prepare=None):
        self._members, self._weights, self._buckets = members, weights, buckets
        self._factor, self._prepare = factor, prepare
        self._own = [None] * len(weights)  # this process's gradients, as arrays
        self._agreed = None  # the function that waits for the agreement, until it is reached
        self._sums = []  # for each bucket that has begun, the function that waits for it
        self._expected = None  # True if the others count on this process: None until the agreement begins

    def __enter__(self):
        self._before, now.reduction = now.reduction, self
        return self

    def __exit__(self, kind, error, trace):
        now.reduction = self._before
        if error is not None:
            self._abandon(error)

    def swept(self, trace, grads, narrow):
        """Sweep a trace's records, and meanwhile send the weights' gradients, in the buckets' order, once complete."""
        for first, sent in self.begin(first_uses(trace)):
            later = trace.records[first:]
            del trace.records[first:]
            sweep(later, grads)
            self.send(sent, [trace.gradient_of(self._weights[i], grads, narrow) for i in sent])
        sweep(trace.records, grads)
        return [], self.own()

    # Messages of the pass

    def begin(self, first_uses):
        """Begin to agree; returns the stops of the backward pass: ``(number of a record, numbers of weights)``.

        Once the pass has visited the records from that number on, it sends the gradients of those weights.
        ``first_uses`` are the numbers of the records that first read each weight, None for one that none reads.
        """
        self._report("start_agreement", tuple(first_uses))
        return self._stops(first_uses)

    def send(self, numbers, gradients):
        """Begin the reduction of these weights' gradients, and let the running ones proceed."""
        if self._prepare is not None and gradients:
            gradients = self._prepare(tuple(gradients))
        self._report("take", tuple(numbers), gradients)

    def _report(self, method, about, tensors=()):
        """Call a method, by an operation: if the pass is recorded, each replay calls it too."""
        _Message(method, about)(*tensors)

    def own(self):
        """This process's gradients, as a tuple of Tensors."""
        return tuple([wrap(array) for array in self._own])

    def _stops(self, first_uses):
        end = max((first for first in first_uses if first is not None), default=0)
        travelling = {i for bucket in self._buckets for i in bucket}
        staying = [i for i in range(len(self._weights)) if i not in travelling]
        for numbers in (*self._buckets, staying):
            complete = min([end, *(first_uses[i] for i in numbers if first_uses[i] is not None)])
            yield from self._looks(end, complete)
            yield complete, numbers
            end = complete
        yield from self._looks(end, 0)

    def _looks(self, end, stop):
        return ((i, ()) for i in range(end - _STRIDE, stop, -_STRIDE) if self._sums)

    # Their consequences

    def start_agreement(self, first_uses, arrays=()):
        """Begin to agree on the use of the Parameters, and on the buckets."""
        call = f"{use_of(self._weights, first_uses)}\nthe buckets {self._buckets}"
        self._agreed = self._members.start_agreement(REDUCER, call)
        self._expected = True

    def take(self, numbers, arrays):
        """Keep gradients, begin the buckets that are complete by them, and let those proceed that travel."""
        for i, array in zip(numbers, arrays, strict=True):
            self._own[i] = array
        while len(self._sums) < len(self._buckets) - 1 and self._is_complete(self._buckets[len(self._sums)]):
            self._start()
        self._members.advance()

    def _is_complete(self, numbers):
        return all(self._own[i] is not None for i in numbers)

    def _start(self, failed=False):
        """Begin the next bucket: its gradients, or zeros if the pass has failed, and in the last one whether it has."""
        self._agree()
        numbers = self._buckets[len(self._sums)]
        last, weights = numbers is self._buckets[-1], [self._weights[i].array for i in numbers]
        flat = self._members.xp.zeros(sum(w.size for w in weights) + last, travelling_type(weights[0]))
        end = 0
        for i in () if failed else numbers:
            array = self._members.taken(self._own[i]).reshape(-1)
            flat[end : end + array.size] = array
            end += array.size
        if last:
            flat[-1] = failed
        self._sums.append(self._members.start_sum(REDUCER, flat))

    def _agree(self):
        if self._agreed is not None:
            agreed, self._agreed, self._expected = self._agreed, None, False
            agreed()
            self._expected = True

    # The end

    def finish(self):
        """Wait for all buckets; returns the gradients, as a tuple of Tensors.

        Raises:
            RuntimeError: If the pass has failed in another process.
        """
        return _finish(*self.own())

    def awaited(self):
        """The gradients of all processes, as a tuple of arrays."""
        self._agree()
        if self._buckets:
            self._start()
        flats = self._sums_awaited()
        if flats and flats[-1][-1]:
            raise self._failed_elsewhere()
        out = list(self._own)
        for numbers, flat in zip(self._buckets, flats, strict=True):
            for i, array in zip(numbers, self._parts(numbers, flat), strict=True):
                out[i] = backend.xp.asarray(array.astype(self._own[i].dtype, copy=False))
        return tuple(out)

    def _sums_awaited(self):
        self._expected = False
        return [wait() for wait in self._sums]

    def _parts(self, numbers, flat):
        """The arrays of a bucket, times the factor."""
        if self._factor != 1.0:
            flat *= flat.dtype.type(self._factor)
        shapes = [self._weights[i].array.shape for i in numbers]
        ends = np.cumsum([self._weights[i].array.size for i in numbers]).tolist()
        parts = zip(self._members.xp.split(flat, ends), shapes, strict=False)  # the count of failures is left over
        return [part.reshape(shape) for part, shape in parts]

    def _failed_elsewhere(self):
        members = self._members
        failures = "; ".join(f"rank {rank}: {text}" for rank, text in members.failures(REDUCER).items())
        expected = f"the backward pass of all {members.size} ranks must end well"
        return runtime_error(REDUCER, expected, f"on rank {members.ranks[members.rank]} that it has not: {failures}")

    def _abandon(self, error):
        """Take part in the rest of a pass that has failed in this process, so that no other waits without end.

        Another error on the way, such as that a process does not come, does not matter: ``error`` came before it.
        """
        if not isinstance(error, Exception):  # an interrupt: it must not wait for anyone
            self._members.give_up(REDUCER)
        elif self._expected is None:
            self._members.fail(REDUCER, error)
        elif self._expected:
            with suppress(RuntimeError):
                self._take_part(error)

    def _take_part(self, error):
        """Send zeros, and report the error: others wait for the sums, or for a call that their passes make."""
        self._agree()
        while len(self._sums) < len(self._buckets):
            self._start(failed=True)
        if self._sums:
            self._members.fail(REDUCER, error)
        self._sums_awaited()
