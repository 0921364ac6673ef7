"""Optimizers' steps: one launch for all Parameters, and for the narrow copies that the next step needs."""

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import loss_scale, multi_tensor
from minispore.devices.cuda.launch import all_float32, takes_or_empty
from minispore.graph.unscaled_update import UnscaledUpdate
from minispore.ops.operations.nn.apply_adaptive import AdamWeightDecay
from minispore.ops.operations.nn.apply_update import SGD, Adam, ApplyMomentum, Scale, ScaleEach, Update, UpdateAll

__all__ = []

_RULES = {  # class of an update -> its rule in CUDA, and the names of the attributes that the rule is given
    ApplyMomentum: (multi_tensor.MOMENTUM, ("gradient_scale", "use_nesterov")),
    SGD: (multi_tensor.SGD, ("dampening", "weight_decay", "nesterov")),
    Adam: (multi_tensor.ADAM, ("use_nesterov",)),
    AdamWeightDecay: (multi_tensor.ADAM_WEIGHT_DECAY, ()),
    Scale: (multi_tensor.SCALE, ()),
    ScaleEach: (multi_tensor.SCALE_EACH, ()),
}


@kernel_of(Update, "cuda")
def _update(op, xp, *arrays):
    found = _launched(op, xp, [arrays])
    return found if found is None else found[0]


@kernel_of(UpdateAll, "cuda")
def _update_all(op, xp, *flat):
    found = _launched(op.step, xp, [op.nth(k, flat) for k in range(op.count)])
    return found if found is None else op.in_order(found)


@kernel_of(UnscaledUpdate, "cuda")
def _unscaled_update(op, xp, *arrays):
    """One launch, where the gradients of the update's rule, and nothing else, are what is unscaled."""
    scale, *rest = arrays[: op.taken]
    state, gradients = rest[: -len(op.places)], rest[-len(op.places) :]
    unscaling, update = loss_scale.rule_of(xp, op.unscale, scale, state), op.update
    at = _gradient_of(update.step)
    if unscaling is None or at is None or sorted(op.places) != list(range(*update.starts[at : at + 2])):
        return None
    if not takes_or_empty(*gradients) or not any(x.size for x in gradients):
        return None
    flat = op.with_gradients(arrays, gradients)
    lists = [update.nth(k, flat) for k in range(update.count)]
    found = _launched(update.step, xp, lists, at, (*unscaling, (scale, *state)))
    return found if found is None else (*unscaling[1], *update.in_order(found))


def _launched(update, xp, lists, at=None, unscaling=None):
    """The new values for each list of inputs, by one launch; None without a fitting rule.

    ``unscaling`` is what unscales the inputs ``at``, if anything: a rule, its results, and the 0-d arrays it reads.
    """
    rule, names = _rule_of(type(update))
    if rule is None or not all(all_float32(*[x for i, x in enumerate(arrays) if i != at]) for arrays in lists):
        return None
    numbers, results = [lists[0][i] for i in update.numbers], ()
    if unscaling is not None:
        unscale, results, read = unscaling
        rule, numbers = multi_tensor.with_unscaling(rule, unscale), [*numbers, *read]
    outs = [tuple([xp.empty(arrays[i].shape, arrays[i].dtype) for i in update.writes]) for arrays in lists]
    tensors = [[x for i, x in enumerate(arrays) if i not in update.numbers] for arrays in lists]
    multi_tensor.update(xp, rule, [getattr(update, name) for name in names], tensors, outs, numbers, results)
    return outs


def _gradient_of(update):
    """The position of the gradient among an update's inputs; None without a rule that reads one."""
    rule, _ = _rule_of(type(update))
    if rule is None or "g" not in rule.tensors:
        return None
    tensors = [i for i in range(len(rule.tensors) + len(update.numbers)) if i not in update.numbers]
    return tensors[rule.tensors.index("g")]


def _rule_of(kind):
    """The rule of the nearest base class with one; None if a nearer class has another ``update``."""
    for base in kind.__mro__:
        if base in _RULES:
            return _RULES[base]
        if "update" in base.__dict__:
            break
    return None, ()
