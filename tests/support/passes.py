"""Plans of functions on the host, with a pass for a device; what they compute is compared with the plain function."""

from minispore.core import backend
from minispore.core.tensor import wrap
from minispore.graph.recorder import Guard, Recorder
from minispore.graph.replay import Replay


def recorded(function, *inputs):
    """The record of one run."""
    recorder = Recorder(list(inputs))
    with recorder:
        out = function(*inputs)
    return recorder.finished(out)


def replayed(function, passes, *inputs):
    """The names of the steps that are left after the passes, and what they compute, beside what the function does."""
    kind, seen = type("WithPasses", (Replay,), {"passes": (*passes, lambda steps, *_: seen.extend(steps) or steps)}), []
    replay = kind(recorded(function, *inputs), recorded(function, *inputs))
    names = [type(step).__name__ if isinstance(step, Guard) else step.primitive.name for step in seen]
    again = [wrap(x.array.copy()) for x in inputs]
    return names, bits(replay(again)), bits(function(*inputs))


def bits(out):
    """The bytes, shapes and dtypes of a Tensor, or of a tuple of them."""
    arrays = [backend.to_host(y.array) for y in (out if isinstance(out, tuple) else (out,))]
    return [(y.dtype, y.shape, y.tobytes()) for y in arrays]
