"""``DistributedGradReducer``: the gradients of all processes, summed or averaged."""

from minispore import backend
from minispore.checks import check_bool, check_positive_int, check_text
from minispore.communication import GlobalComm, world
from minispore.context import ParallelMode, get_auto_parallel_context
from minispore.dtype import NARROW_FLOATS
from minispore.errors import shown, type_error, value_error
from minispore.nest import leaves, map_leaves, replace_leaves, select
from minispore.nn.cell import Cell
from minispore.ops.operations.collective import AllReduce
from minispore.ops.primitive import Primitive
from minispore.parameter import Parameter
from minispore.tensor import Tensor

__all__ = ["DistributedGradReducer"]

_BUCKET = 8 << 20  # bytes of gradients that travel together; more would leave the caches between the copies


def gradients_are_shared():
    """Whether training steps reduce their gradients: several processes in the mode "data_parallel".

    Raises:
        NotImplementedError: If there are several processes in a mode that divides the network itself.
    """
    mode = get_auto_parallel_context("parallel_mode")
    if world.world().size == 1 or mode == ParallelMode.STAND_ALONE:
        return False
    if mode in (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL):
        return _as_many_as_set(world.world().size)
    raise NotImplementedError(
        f"For 'set_auto_parallel_context', the parallel_mode '{mode}' is not supported in a job of several processes: "
        "use 'data_parallel'."
    )


def _as_many_as_set(size):
    """True; raises ValueError if ``device_num`` has been set to another number of processes."""
    if get_auto_parallel_context("device_num") not in (1, size):
        expected = f"the 'device_num' must be the number of processes, {size}"
        raise value_error("set_auto_parallel_context", expected, get_auto_parallel_context("device_num"))
    return True


def share(parameters):
    """Give every process the values that process 0 has in ``parameters``, except the ``layerwise_parallel`` ones.

    The values are set beside the journal: a step that fails afterwards leaves them equal.
    """
    common = [p for p in parameters if not p.layerwise_parallel]
    arrays, names = [backend.to_host(p.array) for p in common], [p.name for p in common]
    received = world.world().broadcast("parameter_broadcast", arrays, 0, names)
    for parameter, array in zip(common, received, strict=True):
        parameter.array = backend.from_host(array)


def overflow_anywhere(overflow):
    """Whether ``overflow``, a Tensor of one bool, is True in any process."""
    return _largest(overflow.astype("int32")).astype(overflow.dtype)


_largest = AllReduce("max")


class _ReduceBuckets(Primitive):
    """The sums of Tensors over the processes of a group times ``factor``; those of a bucket travel as one array."""

    differentiable = False
    variadic = True
    communicates = True
    autocast = False

    def __init__(self, members_name, factor, ends):
        self.members_name, self.factor, self.ends = members_name, factor, frozenset(ends)

    def infer(self, *xs):
        return xs

    def compute(self, xp, *xs):
        arrays = [backend.to_host(x) for x in xs]
        buckets = list(_buckets(arrays, self.ends))
        members = world.group_of("DistributedGradReducer", self.members_name)
        reduced = members.reduce_flat(
            "DistributedGradReducer", [[arrays[i] for i in bucket] for bucket in buckets], self.factor
        )
        out = [None] * len(arrays)
        for bucket, found in zip(buckets, reduced, strict=True):
            for i, array in zip(bucket, found, strict=True):
                out[i] = xp.asarray(array)
        return tuple(out)


def _buckets(arrays, ends):
    """The numbers of the arrays that travel together: neighbours of one type, up to a size, or those before an end."""
    bucket, size, kind = [], 0, None
    for i, array in enumerate(arrays):
        travels_as = "float32" if array.dtype in NARROW_FLOATS else array.dtype.name
        full = bucket[-1] in ends if ends and bucket else size >= _BUCKET
        if bucket and (full or travels_as != kind):
            yield bucket
            bucket, size = [], 0
        bucket, size, kind = [*bucket, i], size + array.nbytes, travels_as
    if bucket:
        yield bucket


class DistributedGradReducer(Cell):
    """The sum of the gradients over the processes, or their mean: in one process the gradients themselves.

    Several gradients travel as one array: up to 8 MiB of them, or as ``all_reduce_fusion_config`` of
    :func:`set_auto_parallel_context` says, which lists the last of each bucket by their numbers. Narrow floats are
    summed and divided in float32, and rounded once. Gradients of Parameters that are ``layerwise_parallel`` stay.

    Args:
        parameters (list[Parameter]): The Parameters that the gradients are of.
        mean (bool): Whether to divide by ``degree``. Default: None, the setting ``gradients_mean``.
        degree (int): The number of processes. Default: None, the size of the group.
        fusion_type (int): Accepted as in MindSpore. Default: 1.
        group (str): The group of processes. Default: the world group.

    Inputs:
        - **grads** (Union[Tensor, tuple[Tensor], list[Tensor]]) - The gradients.

    Raises:
        TypeError: If an argument or a gradient is of a wrong kind.
        ValueError: If ``degree`` is not positive, there is no such group, or in several processes the numbers of
            gradients and Parameters differ.
        RuntimeError: If the processes have gradients of other shapes or dtypes, or one does not come in time.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(1, 1)
        >>> reducer = ms.nn.DistributedGradReducer(net.trainable_params())
        >>> print(*reducer((ms.Tensor(2.0), ms.Tensor(4.0))))
        2.0 4.0
    """

    def __init__(self, parameters, mean=None, degree=None, fusion_type=1, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(auto_prefix=False)
        if not isinstance(parameters, (list, tuple)) or not all(isinstance(p, Parameter) for p in parameters):
            expected = "the 'parameters' must be a list or tuple of Parameters"
            raise type_error("DistributedGradReducer", expected, shown(parameters))
        check_positive_int("DistributedGradReducer", "fusion_type", fusion_type)
        check_text("DistributedGradReducer", "group", group)
        if mean is not None:
            check_bool("DistributedGradReducer", "mean", mean)
        members = world.group_of("DistributedGradReducer", group).size
        self.mean = get_auto_parallel_context("gradients_mean") if mean is None else mean
        self.degree = members if degree is None else check_positive_int("DistributedGradReducer", "degree", degree)
        self._several, self._stay = members > 1, [p.layerwise_parallel for p in parameters]
        self._reduce = _ReduceBuckets(group, self._factor(), get_auto_parallel_context("all_reduce_fusion_config"))

    def _factor(self):
        return 1.0 / self.degree if self.mean else 1.0

    def construct(self, grads):
        for grad in leaves(grads) if isinstance(grads, (tuple, list)) else [grads]:
            if not isinstance(grad, Tensor):
                expected = "the 'grads' must be a Tensor, or a tuple or list of Tensors"
                raise type_error("DistributedGradReducer", expected, shown(grad))
        if self._several:
            return self._reduced(grads)
        return grads if self._factor() == 1.0 else map_leaves(lambda grad: grad * self._factor(), grads)

    def _reduced(self, grads):
        found = select(Tensor, grads)
        if len(found) != len(self._stay):
            expected = f"the 'grads' must be {len(self._stay)}, one for each Parameter"
            raise value_error("DistributedGradReducer", expected, len(found))
        travelling = [g for g, stays in zip(found, self._stay, strict=True) if not stays]
        reduced = iter(self._reduce(*travelling) if travelling else ())
        out = [g if stays else next(reduced) for g, stays in zip(found, self._stay, strict=True)]
        return replace_leaves(Tensor, grads, out)
