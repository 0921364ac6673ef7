"""The types of each operation of one network at O0, O1, O2 and O3, side by side, as a run has recorded them."""

from canvas import save_both

import minispore as ms
from minispore import amp, nn, ops
from minispore.autograd import Trace

LEVELS, WIDTH, ROW = ("O0", "O1", "O2", "O3"), 190, 34
TITLE = "The type of each operation of a network with a norm at O0, O1, O2 and O3; casts stand between the operations"


class Net(nn.Cell):
    """Two dense layers, and a norm between them."""

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.relu, self.last = nn.Dense(4, 8), nn.LayerNorm((8,)), nn.ReLU(), nn.Dense(8, 2)

    def construct(self, x):
        return self.last(self.relu(self.norm(self.first(x))))


def recorded(level):
    """The operations of a run and of its loss, ``(name, type, casts before it)``; a cast is the type that it gives."""
    ms.set_seed(0)
    network = amp.auto_mixed_precision(Net(), level)
    loss, x, y = nn.MSELoss(), ops.ones((2, 4)), ops.ones((2, 2))
    trace = Trace(lambda a: loss(network(a), y), (x,), positions=(0,), weights=network.trainable_params())
    found, casts = [], []
    for rule, _, out in trace.records:
        primitive = getattr(rule, "__self__", None)
        if primitive is None:
            continue
        kind = str((out[0] if isinstance(out, tuple) else out).dtype).lower()
        if isinstance(primitive, ops.Cast):
            casts.append(kind)
        else:
            found.append((type(primitive).__name__, kind, casts))
            casts = []
    return found


def draw_with(flows):
    """The function that draws these flows, a column each."""

    def draw(canvas):
        for column, level in enumerate(LEVELS):
            x = 20 + column * WIDTH
            canvas.text(x + 75, 28, level, 16, bold=True, at="middle")
            for row, (name, kind, casts) in enumerate(flows[level]):
                y = 44 + row * ROW
                for i, cast in enumerate(casts):
                    canvas.dot(x + 12 + 12 * i, y - 1, 4.5, cast)
                canvas.box(x, y + 6, 150, 20, kind)
                canvas.text(x + 75, y + 20, name, 12, "on", "middle")
        bottom = 44 + max(map(len, flows.values())) * ROW + 22
        legend = (("float32", "computes in float32"), ("float16", "computes in float16"))
        for i, (kind, text) in enumerate(legend):
            canvas.box(20 + 190 * i, bottom - 12, 16, 14, kind)
            canvas.text(42 + 190 * i, bottom, text, 12, "soft")
        canvas.dot(408, bottom - 5, 5, "float16")
        canvas.text(420, bottom, "a cast of one input, to float16 or (blue) to float32", 12, "soft")

    return draw


def main(folder):
    """Make the picture in ``folder``."""
    flows = {level: recorded(level) for level in LEVELS}
    height = 44 + max(map(len, flows.values())) * ROW + 40
    save_both("dtype_flow", (20 + WIDTH * len(LEVELS), height), TITLE, draw_with(flows), folder)
