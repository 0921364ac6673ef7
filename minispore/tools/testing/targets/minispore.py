"""minispore as a target: MindSpore's adapter in this process, with what minispore alone has."""

import contextlib
from types import MappingProxyType

import numpy as np

import minispore
from minispore.core import context, seeds
from minispore.core.primitive import Spec
from minispore.tools.hopeless_skips import trial
from minispore.tools.testing.targets.low_bits import LowBits
from minispore.tools.testing.targets.of_mindspore import MindSpore
from minispore.tools.testing.users_code import made

__all__ = ["Minispore"]

FACES = dict.fromkeys(("manager", "update cell", "scaler"), "minispore")


class Minispore(LowBits, MindSpore):
    """minispore, in this process; its settings of the context are taken back."""

    faces = FACES
    scales_losses = keeps_streams = True
    lacks = MappingProxyType({})

    def __init__(self):
        super().__init__(minispore, "minispore")

    def _tensors(self, inputs):
        return [minispore.Tensor.from_numpy(x.copy()) if isinstance(x, np.ndarray) else x for x in inputs]

    def _grad(self, function, positions):
        return minispore.grad(function, positions)

    def compute(self, call, inputs):
        """As MindSpore's; a line of the table makes Parameters where its primitive writes."""
        made = call.fed(inputs) if hasattr(call, "fed") else self._tensors(inputs)
        return [y.asnumpy() if _is_tensor(y) else np.asarray(y) for y in self._run(call, made)]

    def _run(self, call, xs):
        seeds.seed.draws = 0  # a random operation takes the same random stream at every call
        return super()._run(call, xs)

    def _made(self, source):
        return made(source)

    def scale_course(self, face, start, factor, window, word):
        """As MindSpore's; overflows that are only tried are not logged."""
        with trial:
            return super().scale_course(face, start, factor, window, word)

    def infer(self, call, inputs):
        """The outputs that a primitive's ``infer`` announces, and the outputs of its ``compute``."""
        primitive, seen = call.primitive, {}

        class Spy:
            """Stands in for the primitive, so that a line's own call is spied on as well."""

            def __call__(self, *xs):
                xs = primitive.adapt(*xs) if primitive.adapt else xs
                seen["infer"] = primitive.infer(*[Spec(x.shape, x.array.dtype) if _is_tensor(x) else x for x in xs])
                with np.errstate(all="ignore"):
                    seen["compute"] = primitive.compute(np, *(x.array if _is_tensor(x) else x for x in xs))

            def __getattr__(self, name):
                return getattr(primitive, name)

        (call.call or Spy.__call__)(Spy(), *call.fed(inputs))
        said, given = ([*x] if type(x) is tuple else [x] for x in (seen["infer"], seen["compute"]))
        return [(spec.shape, spec.dtype) for spec in said], [np.asarray(x) for x in given]

    def train(self, *case):
        """As MindSpore's, with overflow checks on the CPU."""
        with restored():
            context.set_context(cpu_loss_scale=True)
            return super().train(*case)

    def convert(self, *case, **more):
        """As MindSpore's; the seed is put back."""
        with restored():
            return super().convert(*case, **more)

    def forward(self, *case):
        """As MindSpore's; the seed is put back."""
        with restored():
            return super().forward(*case)

    def backward(self, *case):
        """As MindSpore's; the seed is put back."""
        with restored():
            return super().backward(*case)

    def accumulate(self, *case):
        """As MindSpore's; the seed is put back."""
        with restored():
            return super().accumulate(*case)

    def in_graph(self, *case):
        """As MindSpore's; the seed is put back."""
        with restored():
            return super().in_graph(*case)

    def ran_in(self, *case):
        """As MindSpore's; the seed is put back."""
        with restored():
            return super().ran_in(*case)

    def edit(self, *case):
        """As MindSpore's; the seed is put back."""
        with restored():
            return super().edit(*case)

    def _streams(self):
        return seeds.seed.draws

    def _continue(self, streams):
        seeds.seed.draws = streams


def _is_tensor(x):
    return isinstance(x, minispore.Tensor)


@contextlib.contextmanager
def restored():
    """Take back the settings of the context at the end of a ``with`` block."""
    settings, seed, draws = dict(context.settings), seeds.seed.value, seeds.seed.draws
    try:
        yield
    finally:
        context.settings.update(settings)
        seeds.seed.value, seeds.seed.draws = seed, draws
