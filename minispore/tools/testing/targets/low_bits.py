"""The verbs of few bits, over minispore's own recipes."""

import contextlib
import tempfile
from pathlib import Path

import numpy as np

import minispore as ms
from minispore import amp, nn
from minispore.amp.lowbit import formats, hadamard, stochastic
from minispore.amp.lowbit.products import DGrad, FProp, Linear, WGrad
from minispore.amp.lowbit.quantized import quantize
from minispore.amp.lowbit.recipe import Recipe
from minispore.core import context, seeds

__all__ = ["LowBits"]

KINDS = {"fprop": FProp, "dgrad": DGrad, "wgrad": WGrad}
SCALE = 2.0**10
FLOAT32 = np.dtype(np.float32)


class LowBits:
    """The verbs of few bits."""

    def decoded(self, format, codes):
        """The values of codes of a format."""
        return formats.decode(codes, format)

    def encoded(self, format, numbers):
        """The codes of numbers within a format's range."""
        return formats.encode(numbers, format)

    def rounded(self, format, numbers):
        """The numbers of a format of few bits that numbers become."""
        return formats.decode(formats.encode(numbers, format), format)

    def rounded_by(self, format, numbers, bits, count):
        """The numbers of a format that numbers become by chance, with these random bits, ``count`` a number."""
        near = stochastic.stochastic(numbers, format, bits, count)
        return formats.decode(formats.encode(near, format), format)

    def quantized(self, operand, matrix):
        """A matrix, quantized along its rows as an operand of a recipe is."""
        return self.quantized_along(operand, matrix, 1)

    def quantized_along(self, operand, matrix, axis):
        """A matrix, quantized along an axis."""
        return quantize(matrix, _recipe(operand, operand).x, axis).value()

    def quantized_by_chance(self, operand, matrix, times, seed):
        """A matrix, quantized several times in one step from a seed."""
        value, draws = seeds.seed.value, seeds.seed.draws
        try:
            ms.set_seed(seed)
            return [self.quantized(operand, matrix) for _ in range(times)]
        finally:
            seeds.seed.value, seeds.seed.draws = value, draws

    def low_bit_product(self, kind, first, second, a, b):
        """One of a layer's three products, of arrays that are quantized as these operands."""
        shape = {"dgrad": (len(a), b.shape[-1]), "wgrad": (a.shape[-1], b.shape[-1])}.get(kind)
        recipe = _recipe(
            *{"fprop": (first, second), "dgrad": (second, second, first), "wgrad": (second, second, first)}[kind]
        )
        more = (shape, FLOAT32) if shape else ()
        return KINDS[kind](recipe, Linear())(ms.Tensor(a), ms.Tensor(b), *more).asnumpy()

    def hadamard(self, matrix):
        """A matrix whose columns are transformed, 16 numbers at a time."""
        return hadamard.transformed(matrix)

    def delayed_scales(self, operand, amaxes):
        """The scale after each of some steps, whose largest magnitudes are given."""
        given = _recipe(operand, operand).x
        rule, format = given.scale, formats.format_of(given.format)
        scale, history, found = np.ones(1, np.float32), np.zeros(rule.history, np.float32), []
        for amax in amaxes:
            scale, history = rule.after(np, scale, history, amax, format)
            found.append(float(scale[0]))
        return found

    def low_bit_state(self, recipe, level, events, rows, way):
        """All state after a training run by a recipe; "" for none.

        An event is "step", "skip" (a step on infinite data), "evaluate" or "resume" (save a checkpoint, make all anew,
        load it). A way is "eager", "graph", "recomputed" (the forward pass is computed anew for the backward pass),
        "parts" or "parts in graph" (a batch in two parts).
        """
        with _context(way):
            step, net = _step(recipe, level, way)
            for event, row in zip(events, rows, strict=True):
                x, y = map(ms.Tensor, row)
                if event == "resume":
                    step, net = _resumed(step, recipe, level, way)
                elif event == "evaluate":
                    net.set_train(False)(x)
                    net.set_train()
                else:
                    step(x, y)
            found = {p.name: p.asnumpy() for p in step.get_parameters()}
            return {**found, "streams": np.array(seeds.seed.draws)}


def _recipe(x, w, dy=None):
    return Recipe.parse(f"law(x={x}; w={w}; dy={dy or w})")


@contextlib.contextmanager
def _context(way):
    """Graph mode where the way says so, and overflow checks on the CPU; the settings and the seed are put back."""
    settings, seed, draws = dict(context.settings), seeds.seed.value, seeds.seed.draws
    mode = ms.get_context("mode")
    try:
        context.set_context(cpu_loss_scale=True, mode=ms.GRAPH_MODE if "graph" in way else ms.PYNATIVE_MODE)
        yield
    finally:
        context.set_context(mode=mode)
        context.settings.update(settings)
        seeds.seed.value, seeds.seed.draws = seed, draws


def _step(recipe, level, way):
    """A training step of two layers with a loss scale that stays, and the network."""
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Dense(40, 24), nn.ReLU(), nn.Dense(24, 8))
    optimizer, loss = nn.Momentum(net.trainable_params(), 0.1, 0.9), nn.MSELoss()
    manager = amp.FixedLossScaleManager(SCALE, drop_overflow_update=True)
    if way == "recomputed":
        net.recompute()
    whole = (
        (amp.GradAccumulationCell(nn.WithLossCell(net, loss), 2), optimizer)
        if "parts" in way
        else (net, optimizer, loss)
    )
    return amp.build_train_network(*whole, level=level, recipe=recipe or None, loss_scale_manager=manager), net


def _resumed(step, *how):
    """A new step and its network, with the state of another from its checkpoint; the random streams go on."""
    with tempfile.TemporaryDirectory() as folder:
        path, draws = str(Path(folder) / "step.ckpt"), seeds.seed.draws
        ms.save_checkpoint(step, path)
        again, net = _step(*how)
        ms.load_param_into_net(again, ms.load_checkpoint(path), strict_load=True)
        seeds.seed.draws = draws
        return again, net
