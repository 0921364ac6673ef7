"""Optimizers' steps: one launch for all Parameters, and for the narrow copies that the next step needs."""

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import multi_tensor
from minispore.devices.cuda.launch import all_float32
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


def _launched(update, xp, lists):
    """The new values for each list of inputs, by one launch; None without a fitting rule."""
    rule, names = _rule_of(type(update))
    if rule is None or not all(all_float32(*arrays) for arrays in lists):
        return None
    numbers = [lists[0][i] for i in update.numbers]
    outs = [tuple([xp.empty(arrays[i].shape, arrays[i].dtype) for i in update.writes]) for arrays in lists]
    tensors = [[x for i, x in enumerate(arrays) if i not in update.numbers] for arrays in lists]
    multi_tensor.update(xp, rule, [getattr(update, name) for name in names], tensors, outs, numbers)
    return outs


def _rule_of(kind):
    """The rule of the nearest base class with one; None if a nearer class has another ``update``."""
    for base in kind.__mro__:
        if base in _RULES:
            return _RULES[base]
        if "update" in base.__dict__:
            break
    return None, ()
