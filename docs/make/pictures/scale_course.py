"""The loss scale's course in a training of LeNet-5 at O2 on the embedded images: each skipped step, and its reason."""

import logging
import math

from canvas import save_both

import minispore as ms
from minispore import amp, insight, nn
from minispore.dataset import embedded_fashion_mnist
from minispore.tools.cli.networks import LeNet5

STEPS, BATCH, WINDOW = 300, 32, 60
LEFT, RIGHT, TOP, BOTTOM = 56, 840, 40, 250
TITLE = "The loss scale over 300 steps of LeNet-5 at O2, with each skipped step; a scale too high is the reason of all"


def course():
    """``(scale, kind)`` of each step: the kind is a verdict's, or None for a step that was made."""
    ms.set_context(cpu_loss_scale=True)
    ms.set_seed(1)
    (images, labels), _ = embedded_fashion_mnist()
    net, loss = LeNet5(), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(net.trainable_params(), 0.02, 0.9)
    manager = amp.DynamicLossScaleManager(2.0**24, 2, WINDOW)
    step = amp.build_train_network(net, optimizer, loss, level="O2", loss_scale_manager=manager)
    logging.getLogger("minispore.log").setLevel(logging.ERROR)
    scales = []
    with insight.watch(step) as seen:
        for i in range(STEPS):
            part = slice(i * BATCH % 4992, i * BATCH % 4992 + BATCH)
            batch = ms.Tensor(images[part, None] / 255, ms.float32), ms.Tensor(labels[part], ms.int32)
            scales.append(float(step(*batch)[2]))
    reasons = {skipped.number - 1: skipped.verdict for skipped in seen.skipped}
    return [(scale, reasons.get(i)) for i, scale in enumerate(scales)]


def draw_with(steps):
    """The function that draws the course."""
    powers = [math.log2(scale) for scale, _ in steps]
    low, high = min(powers) - 1, max(powers) + 1

    def place(i, power):
        return LEFT + i / len(steps) * (RIGHT - LEFT), BOTTOM - (power - low) / (high - low) * (BOTTOM - TOP)

    def draw(canvas):
        canvas.text(LEFT, 22, "loss scale of LeNet-5 at O2: it begins at 2^24, and looks for its place", 14, bold=True)
        for power in range(math.ceil(low), math.floor(high) + 1, 2):
            y = place(0, power)[1]
            canvas.line((LEFT, y), (RIGHT, y), dash="2 4")
            canvas.text(LEFT - 8, y + 4, f"2^{power}", 11, "soft", "end")
        path = [place(i + side, power) for i, power in enumerate(powers) for side in (0, 1)]
        canvas.line(*path, colour="float32", width=2)
        for i, (_, verdict) in enumerate(steps):
            if verdict is not None:
                canvas.dot(*place(i, powers[i]))
        for i in range(0, len(steps) + 1, 50):
            canvas.text(place(i, low)[0], BOTTOM + 18, f"step {i}" if i else "step 1", 11, "soft", "middle")
        _tell(canvas, steps, place, powers)

    return draw


def groups_of(steps):
    """The skipped steps in groups: each one less than 20 steps after the one before it."""
    groups = []
    for i, (_, verdict) in enumerate(steps):
        if verdict is not None:
            near = groups and i - groups[-1][-1] < 20
            groups[-1].append(i) if near else groups.append([i])
    return groups


def reason(steps, first):
    """Why the scale is too high where a group of skips begins."""
    if first == 0:
        return "2^24 is too high"
    if steps[first][0] > steps[first - WINDOW][0]:
        return "the trial failed"
    return "the gradients have grown: the network learns"


def _tell(canvas, steps, place, powers):
    """The reason of each group of skips, their kinds, and why the scale settles."""
    for group in groups_of(steps):
        x, y = place(group[-1], powers[group[0]])
        many = f"{len(group)} skips" if len(group) > 1 else "a skip"
        canvas.text(x + 14, y + 4, f"{many}: {reason(steps, group[0])}", 12, "bad")
    skipped = [verdict for _, verdict in steps if verdict is not None]
    counts = ", ".join(f"{[v.kind for v in skipped].count(k)} of kind '{k}'" for k in sorted({v.kind for v in skipped}))
    canvas.dot(LEFT + 5, BOTTOM + 42)
    said = f"a skipped step: {counts}: a smaller scale works, nothing is wrong"
    canvas.text(LEFT + 16, BOTTOM + 46, said, 12, "soft")
    said = f"After {WINDOW} good steps the scale is doubled, as a trial. If that overflows, one step is skipped."
    canvas.text(LEFT, BOTTOM + 66, said, 12, "soft")


def main(folder):
    """Make the picture in ``folder``."""
    save_both("scale_course", (870, 330), TITLE, draw_with(course()), folder)
