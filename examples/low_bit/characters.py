"""Character models trained by every recipe from the same seeds: what do few bits cost?

A model sees eight characters and tells the next. "mlp" is four linear layers, "transformer" two blocks of attention.
The first linear layer and the last stay wide; those between take the recipe. Do not expect a large model's numbers.
At this size stochastic rounding and the Hadamard transform raise the loss, because they add noise. The bias that they
take away has no time to add up. In the rows "/ 4096" the loss is divided before the backward pass, and the optimizer
multiplies the gradients: too small for a format without a scale, they become zero.

    python examples/low_bit/characters.py docs/*.md                        all recipes, three seeds, 1,500 steps
    python examples/low_bit/characters.py docs/*.md --steps 300 --recipes mxfp8 nvfp4
    python examples/low_bit/characters.py docs/*.md --net transformer --steps 300 --seeds 1
"""

import argparse
import time
from pathlib import Path

import numpy as np

import minispore as ms
from minispore import amp, nn
from minispore.amp.lowbit.scales import Unscaled

CONTEXT, WIDTH, CHANNELS, BATCH, HEADS = 8, 128, 16, 256, 4
RECIPES = {
    "float32": None,
    "FP8 current": amp.CurrentFP8(),
    "FP8 delayed": amp.DelayedFP8(history=16),
    "FP8 without a scale": amp.CurrentFP8().replace(name="unscaled_fp8", scale=Unscaled()),
    "FP8 without a scale, / 4096": amp.CurrentFP8().replace(name="unscaled_fp8", scale=Unscaled()),
    "FP8 current, / 4096": amp.CurrentFP8(),
    "FP8 in blocks of 128": amp.BlockFP8(),
    "MXFP8": amp.MXFP8(),
    "MXFP8 floor": amp.MXFP8("floor"),
    "MXFP6": amp.MXFP8().replace(name="mxfp6", format="e3m2"),
    "MXFP4 rceil": amp.MXFP4("rceil").replace(rounding="even"),
    "MXFP4 rceil, stochastic": amp.MXFP4("rceil"),
    "NVFP4": amp.NVFP4(),
    "NVFP4 to nearest": amp.NVFP4(stochastic=False),
    "NVFP4 without Hadamard": amp.NVFP4(hadamard=False),
    "NVFP4 with rows of weights": amp.NVFP4(square_weights=False),
    "NVFP4 without all three": amp.NVFP4(False, False, False),
    "NVFP4, all stochastic": amp.NVFP4().replace(rounding="stochastic"),
}


class MLP(nn.Cell):
    """An embedding and four linear layers."""

    def __init__(self, count, rng):
        super().__init__()
        self.embedding = nn.Embedding(count, CHANNELS, embedding_table=ms.Tensor(normal(rng, (count, CHANNELS))))
        sizes = [(WIDTH, CONTEXT * CHANNELS), (WIDTH, WIDTH), (WIDTH, WIDTH), (count, WIDTH)]
        weights = [normal(rng, size) * np.float32(np.sqrt(2 / size[1])) for size in sizes]
        weights[-1] *= np.float32(0.1)
        self.fc1, self.fc2, self.fc3, self.fc4 = (linear(w) for w in weights)
        self.relu = nn.ReLU()

    def construct(self, ids):
        """The scores of the next character."""
        x = self.embedding(ids).reshape(-1, CONTEXT * CHANNELS)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        x = self.relu(self.fc3(x))
        return self.fc4(x)


class Block(nn.Cell):
    """One block of a transformer: attention of four heads, and two linear layers, each beside a residual sum."""

    def __init__(self, rng):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm((WIDTH,)), nn.LayerNorm((WIDTH,))
        scale = np.float32(WIDTH**-0.5)
        self.query, self.key, self.value, self.out = (linear(normal(rng, (WIDTH, WIDTH)) * scale) for _ in range(4))
        self.up = linear(normal(rng, (2 * WIDTH, WIDTH)) * scale)
        self.down = linear(normal(rng, (WIDTH, 2 * WIDTH)) * scale)
        self.relu, self.softmax = nn.ReLU(), nn.Softmax()

    def construct(self, x):
        """Attention, and the layers after it. The products of two activations take no recipe."""
        y = self.norm1(x)
        q, k, v = heads(self.query(y)), heads(self.key(y)), heads(self.value(y))
        weights = self.softmax(ms.ops.matmul(q, k.swapaxes(2, 3)) * (HEADS / WIDTH) ** 0.5)
        mixed = ms.ops.matmul(weights, v).swapaxes(1, 2).reshape(-1, CONTEXT, WIDTH)
        x = x + self.out(mixed)
        return x + self.down(self.relu(self.up(self.norm2(x))))


class Transformer(nn.Cell):
    """An embedding with places, two blocks, and the scores of the next character from the last place."""

    def __init__(self, count, rng):
        super().__init__()
        self.embedding = nn.Embedding(count, CHANNELS, embedding_table=ms.Tensor(normal(rng, (count, CHANNELS))))
        self.places = ms.Parameter(normal(rng, (CONTEXT, WIDTH)) * np.float32(0.1), name="places")
        self.widen = linear(normal(rng, (WIDTH, CHANNELS)) * np.float32(CHANNELS**-0.5))
        self.block1, self.block2 = Block(rng), Block(rng)
        self.norm = nn.LayerNorm((WIDTH,))
        self.scores = linear(normal(rng, (count, WIDTH)) * np.float32(0.1 * WIDTH**-0.5))

    def construct(self, ids):
        """The scores of the next character."""
        x = self.widen(self.embedding(ids)) + self.places
        x = self.block2(self.block1(x))
        return self.scores(self.norm(x)[:, -1])


def heads(x):
    """The heads of a sequence of vectors, on an axis of their own."""
    return x.reshape(-1, CONTEXT, HEADS, WIDTH // HEADS).swapaxes(1, 2)


def normal(rng, size):
    """Normal float32 numbers."""
    return rng.standard_normal(size).astype(np.float32)


def linear(weight):
    """A linear layer without a bias."""
    return nn.Dense(weight.shape[1], weight.shape[0], weight_init=ms.Tensor(weight), has_bias=False)


def train(kind, recipe, text, steps, seed, divisor=1):
    """The mean loss of the last tenth of the steps; the loss is divided before the backward pass."""
    ms.set_seed(seed)
    rng = np.random.default_rng(seed)
    known, ids = np.unique(text, return_inverse=True)
    net = NETS[kind](len(known), rng)
    rates = [3e-3 * min(1, step / 20) * (1 - step / steps * 0.9) for step in range(1, steps + 1)]
    optimizer = nn.Adam(net.trainable_params(), rates, beta2=0.95, loss_scale=1 / divisor)
    low = amp.auto_mixed_precision(net, recipe=recipe and recipe.replace(keep=("first", "last")))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(low, loss), optimizer, sens=1 / divisor).set_train()
    losses = []
    for _ in range(steps):
        at = rng.integers(0, len(ids) - CONTEXT - 1, BATCH)
        window = ids[at[:, None] + np.arange(CONTEXT + 1)].astype(np.int32)
        losses.append(float(step(ms.Tensor(window[:, :-1]), ms.Tensor(window[:, -1]))))
    return np.mean(losses[-max(1, steps // 10) :])


NETS = {"mlp": MLP, "transformer": Transformer}


def picture(results, path):
    """Draw each recipe's loss less that of float32, with the seeds as points; nothing without matplotlib."""
    try:
        from matplotlib import pyplot
    except ImportError:
        return
    figure, axes = pyplot.subplots(figsize=(8, 0.35 * len(results) + 1))
    for row, found in enumerate(results.values()):
        axes.plot(found - results["float32"], [row] * len(found), "o", color="C0", alpha=0.4)
        axes.plot(np.mean(found - results["float32"]), row, "|", color="C3", markersize=16)
    axes.set_yticks(range(len(results)), results)
    axes.invert_yaxis()
    axes.set_xlabel("loss less that of float32 from the same seed")
    figure.savefig(path, bbox_inches="tight", dpi=150)


def main():
    """Train, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", nargs="+", type=Path, help="files whose bytes are the characters")
    parser.add_argument("--net", choices=NETS, default="mlp")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--recipes", nargs="*", help="names of the table, or texts of recipes; default: all")
    parser.add_argument("--picture", type=Path, help="a file for the picture")
    options = parser.parse_args()
    text = np.frombuffer(b"".join(path.read_bytes() for path in sorted(options.text)), np.uint8)
    chosen = {name: RECIPES.get(name) or amp.Recipe.parse(name) for name in options.recipes or () if name != "float32"}
    results = {}
    print(f"{'recipe':28} {'loss':>7} {'less float32':>13} {'seconds':>8}")
    for name, recipe in {"float32": None, **(chosen or RECIPES)}.items():
        began = time.process_time()
        divisor = int(name.partition(" / ")[2] or 1)
        results[name] = np.array(
            [train(options.net, recipe, text, options.steps, seed, divisor) for seed in range(options.seeds)]
        )
        more = np.mean(results[name] - results["float32"])
        print(f"{name:28} {results[name].mean():7.4f} {more:+13.4f} {time.process_time() - began:8.0f}", flush=True)
    if options.picture:
        picture(results, options.picture)


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    main()
