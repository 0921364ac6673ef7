"""One training step as a timeline, with the numbers of two real steps: one that is made, and one that is skipped."""

from canvas import save_both

import minispore as ms
from minispore import amp, nn
from minispore.dataset import embedded_fashion_mnist

PARTS = ("loss", "start", "gradients", "unscale", "check", "rule")
WIDTH, GAP, TALL = 118, 14, 62
TITLE = "A training step: loss, start of the check, gradients, unscale, check, rule; then the update, or the skip"


def steps():
    """What each part of two steps gives: at a scale that works, and at one that is too high."""
    ms.set_context(cpu_loss_scale=True)
    (images, labels), _ = embedded_fashion_mnist()
    batch = ms.Tensor(images[:64].reshape(64, -1) / 255, ms.float32), ms.Tensor(labels[:64], ms.int32)
    return [_numbers(power, batch) for power in (12, 24)]


def _numbers(power, batch):
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(784, 64), nn.LayerNorm((64,)), nn.ReLU(), nn.Dense(64, 10))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    manager = amp.DynamicLossScaleManager(2.0**power, 2, 1)
    step = amp.build_train_network(
        net, nn.SGD(net.trainable_params(), 0.1), loss, level="O2", loss_scale_manager=manager
    )
    before = net[3].weight.asnumpy().copy()
    trace = step.trace(batch)
    _, scaled = trace.gradients([(trace.out, step.scale_sense.value())])
    largest = max(float(abs(g.astype(ms.float32)).max()) for g in scaled)
    unscaled = max(float(abs(g).max()) for g in step.unscaled(scaled))
    value, overflow, scale = step(*batch)
    moved = float(abs(net[3].weight.asnumpy() - before).max())
    after = float(step.scale_sense)
    return float(value), float(scale), largest, unscaled, bool(overflow), after, moved


def texts(numbers):
    """Two lines for each part, and for the end."""
    value, scale, largest, unscaled, overflow, after, moved = numbers
    power = f"2^{scale.hex().split('p')[1].lstrip('+')}"
    rule = f"scale to 2^{after.hex().split('p')[1].lstrip('+')}"
    lines = [("float32", f"{value:.4f}"), ("clear", "the status"), (f"seed {power}", f"largest {largest:.4g}")]
    lines += [(f"times 1/{power}", f"largest {unscaled:.3g}"), ("all finite?", "no" if overflow else "yes")]
    lines.append((rule, "halved" if overflow else "doubled"))
    end = ("skip", "moved by 0") if overflow else ("update", f"moved by {moved:.2g}")
    assert (moved == 0) == overflow
    return lines, end


def draw_step(canvas, top, numbers):
    """The parts of one step, a box each."""
    lines, (end, said) = texts(numbers)
    skipped = numbers[4]
    for i, (part, (first, second)) in enumerate(zip(PARTS, lines, strict=False)):
        x, bad = 20 + i * (WIDTH + GAP), skipped and i >= 2
        kind = "float16" if part == "gradients" else "float32"
        canvas.box(x, top, WIDTH, TALL, "box", "bad" if bad else kind)
        canvas.text(x + WIDTH / 2, top + 18, part, 13, "ink", "middle", bold=True)
        canvas.text(x + WIDTH / 2, top + 36, first, 11, "soft", "middle")
        canvas.text(x + WIDTH / 2, top + 52, second, 11, "bad" if bad else "ink", "middle")
        canvas.line((x + WIDTH, top + TALL / 2), (x + WIDTH + GAP - 1, top + TALL / 2), colour="soft", arrow=True)
    x = 20 + len(PARTS) * (WIDTH + GAP)
    canvas.box(x, top, WIDTH, TALL, "bad" if skipped else "bfloat16")
    canvas.text(x + WIDTH / 2, top + 26, end, 14, "on", "middle", bold=True)
    canvas.text(x + WIDTH / 2, top + 46, said, 11, "on", "middle")


def draw_with(both):
    """The function that draws both steps."""

    def draw(canvas):
        for top, name, numbers in zip((44, 164), ("a step that is made", "a step that is skipped"), both, strict=False):
            canvas.text(20, top - 14, name, 14, bold=True)
            draw_step(canvas, top, numbers)
        said = "blue: float32. orange: the backward pass, float16 where the forward pass was. red: an inf or a nan."
        canvas.text(20, 256, said, 12, "soft")

    return draw


def main(folder):
    """Make the picture in ``folder``."""
    width = 40 + (len(PARTS) + 1) * (WIDTH + GAP)
    save_both("step_timeline", (width, 272), TITLE, draw_with(steps()), folder)
