"""Pass over a plan: one operation unscales the gradients and updates the Parameters by them.

An optimizer's new values are new arrays, which a skipped step does not keep. So the check for overflow need not come
before them.
"""

from minispore.core.primitive import Primitive
from minispore.graph.recorder import Guard, Step, values_of
from minispore.ops.operations.loss_scale import Unscale, UnscaleAndAdvance
from minispore.ops.operations.nn.apply_update import UpdateAll

__all__ = []


class UnscaledUpdate(Primitive):
    """An ``Unscale`` or ``UnscaleAndAdvance``, and the ``UpdateAll`` that takes its outputs as gradients.

    Inputs are those of the first, then those of the second without the gradients. The outputs are those of the first
    behind the gradients, then those of the second.

    Args:
        unscale (Primitive): The first.
        update (UpdateAll): The second.
        taken (int): The number of inputs of the first.
        places (tuple): For each gradient its place among the inputs of the second.
    """

    differentiable = False
    autocast = False

    def __init__(self, unscale, update, taken, places):
        self.unscale, self.update, self.taken, self.places = unscale, update, taken, places

    def infer(self, *specs):
        return self._both(specs, lambda primitive, inputs: primitive.infer(*inputs))

    def compute(self, xp, *arrays):
        return self._both(arrays, lambda primitive, inputs: primitive._computed(xp, *inputs))

    def _both(self, inputs, function):
        made = function(self.unscale, inputs[: self.taken])
        count = len(self.places)
        return *made[count:], *function(self.update, self.with_gradients(inputs, made[:count]))

    def with_gradients(self, inputs, gradients):
        """The inputs of the update."""
        flat, rest = dict(zip(self.places, gradients, strict=True)), iter(inputs[self.taken :])
        return [flat[i] if i in flat else next(rest) for i in range(self.update.starts[-1])]


def with_updates_unscaled(steps, kept, recording):
    """The steps, with gradients unscaled by the update where nothing else reads them.

    Args:
        steps (list): The steps of a plan.
        kept (set): The Values that are returned or written.
        recording (Recording): The record of the run.
    """
    steps = list(steps)
    for i, unscale in enumerate(steps):
        if isinstance(unscale, Guard) or type(unscale.primitive) not in (Unscale, UnscaleAndAdvance):
            continue
        gradients = unscale.results[: len(unscale.arguments) - (1 if type(unscale.primitive) is Unscale else 3)]
        at = _update_of(steps, i, gradients, kept)
        if at is not None:
            steps[i], steps[at] = None, _merged(unscale, steps[at], gradients)
    return [step for step in steps if step is not None]


def _update_of(steps, i, gradients, kept):
    """The index of the update that takes these gradients; None if it is not the first and only reader of them."""
    results = set(steps[i].results)
    readers = [j for j, step in enumerate(steps) if step is not None and not results.isdisjoint(values_of(step))]
    if not readers or not kept.isdisjoint(gradients):
        return None
    first, later = readers[0], {x for j in readers[1:] for x in values_of(steps[j])}
    if isinstance(steps[first], Guard) or type(steps[first].primitive) is not UpdateAll:
        return None
    taken = [x for x in steps[first].arguments if x in results]
    return first if sorted(taken) == sorted(gradients) and later.isdisjoint(gradients) else None


def _merged(unscale, update, gradients):
    places = tuple([update.arguments.index(v) for v in gradients])
    primitive = UnscaledUpdate(unscale.primitive, update.primitive, len(unscale.arguments), places)
    rest = [x for x in update.arguments if x not in gradients]
    results = *unscale.results[len(gradients) :], *update.results
    return Step(primitive, (*unscale.arguments, *rest), results, False, unscale.scalar or update.scalar)
