"""The replay of a recorded step: which operations the two regions hold, in order, and where the host decides."""

import re

from canvas import save_both

import minispore as ms
from minispore import amp, nn, ops
from minispore.graph.mode import recordings_of

WIDTH, TALL, ACROSS = 92, 24, 8
TITLE = (
    "A training step in graph mode: calls one to three are recorded, later ones replay two straight lines of operations"
)


def regions():
    """The operations of each replayed region of a training step, by its name."""
    ms.set_context(mode=ms.GRAPH_MODE, cpu_loss_scale=True)
    ms.set_seed(0)
    net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    manager = amp.DynamicLossScaleManager(2.0**8)
    step = amp.build_train_network(net, optimizer, nn.MSELoss(), level="O2", loss_scale_manager=manager)
    x, y = ops.ones((3, 4)), ops.ones((3, 2))
    for _ in range(4):
        step(x, y)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    found = {name: recorded for name, recorded in recordings_of(step).items() if recorded.sources}
    return {name: re.findall(r"# (\w+)", recorded.sources[0]) for name, recorded in found.items()}


def draw_operations(canvas, x, y, names, split):
    """The operations in rows; from ``split`` on they are the backward pass."""
    for i, name in enumerate(names):
        left, top = x + i % ACROSS * (WIDTH + 8), y + i // ACROSS * (TALL + 10)
        kind = "bfloat16" if name == "Unscale" else "float16" if i >= split else "float32"
        canvas.box(left, top, WIDTH, TALL, "box", kind)
        canvas.text(left + WIDTH / 2, top + 16, name, 11, "ink", "middle")
        if i + 1 < len(names) and (i + 1) % ACROSS:
            canvas.line((left + WIDTH, top + 12), (left + WIDTH + 7, top + 12), colour="soft", arrow=True)
    return y + (-(-len(names) // ACROSS)) * (TALL + 10)


def draw_with(found):
    """The function that draws the calls, and the regions of a replay."""
    first, second = found["unscaled_and_checked"], found["_update"]
    split = first.index("ReduceMean") + 1

    def draw(canvas):
        canvas.text(20, 26, "the calls of one step", 14, bold=True)
        calls = ("1: runs, on trial", "2: runs, recorded", "3: runs, compared", "4: replay", "5: replay", "...")
        for i, text in enumerate(calls):
            canvas.box(20 + 134 * i, 38, 124, 28, "float32" if i >= 3 else "box")
            canvas.text(82 + 134 * i, 56, text, 12, "on" if i >= 3 else "ink", "middle")
        canvas.text(20, 100, f"a replay, region 1: loss, gradients, unscale ({len(first)} operations)", 14, bold=True)
        y = draw_operations(canvas, 20, 112, first, split)
        canvas.text(
            20, y + 22, "on the host: finite?  no: the scale is halved, and the step ends here", 13, "bad", bold=True
        )
        canvas.text(20, y + 54, f"yes, region 2: the optimizer ({len(second)} operation)", 14, bold=True)
        y = draw_operations(canvas, 20, y + 66, second, len(second))
        canvas.text(
            20,
            y + 20,
            "blue: forward pass and update. orange: gradients. green: unscale and check, as one.",
            12,
            "soft",
        )

    return draw


def main(folder):
    """Make the picture in ``folder``."""
    found = regions()
    rows = -(-len(found["unscaled_and_checked"]) // ACROSS) + 1
    save_both("replay", (20 + ACROSS * (WIDTH + 8) + 20, 112 + rows * 34 + 100), TITLE, draw_with(found), folder)
