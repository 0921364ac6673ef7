"""Gradients that vanish in float16, and that a loss scale brings back: a network trained in three ways, as a picture.

    python benchmarks/vanishing_gradients.py [--out docs/images/vanishing_gradients.png]

The network predicts 256 small numbers for each of 128 rows; its loss is their mean squared error. So the gradient of
each output is about 2e-8: half of float16's smallest number, and rounded to zero. About two seconds on one core; the
picture needs matplotlib.
"""

import argparse
from pathlib import Path

import numpy as np

import minispore as ms
from minispore import amp, nn

ROWS, INPUTS, OUTPUTS = 128, 8, 256
SIZE, RATE, STEPS = 3e-4, 3e-5, 300
SMALLEST = 2.0**-24  # of float16; what is below half of it becomes zero
RUNS = {
    "float32": ("O0", lambda: None),
    "float16": ("O3", lambda: None),
    "float16, scaled loss": ("O3", lambda: amp.DynamicLossScaleManager(2.0**24, 2, 50)),
}


def data(seed=0):
    """Rows, and the small numbers that belong to them."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((ROWS, INPUTS))
    y = SIZE * np.tanh(x @ rng.standard_normal((INPUTS, OUTPUTS)))
    return tuple(ms.Tensor(a.astype(np.float32)) for a in (x, y))


def network():
    """Two Dense cells, the last of which begins at zero."""
    ms.set_seed(0)
    return nn.SequentialCell(
        nn.Dense(INPUTS, 32), nn.Tanh(), nn.Dense(32, OUTPUTS, weight_init="zeros", bias_init="zeros")
    )


def losses(level, manager, steps=STEPS):
    """The loss at each step, in units of that of predicting zero."""
    trained, (x, y) = network(), data()
    optimizer = nn.Adam(trained.trainable_params(), learning_rate=RATE)
    step = amp.build_train_network(trained, optimizer, nn.MSELoss(), level, loss_scale_manager=manager)
    zero = float((y * y).mean())
    found = []
    for _ in range(steps):
        out = step(x, y)
        found.append(float(out[0] if isinstance(out, tuple) else out) / zero)
    return found


def gradients():
    """The magnitudes of the loss's gradient by the outputs, in float32, at the first step."""
    x, y = data()
    out = network()(x)
    return abs(ms.grad(nn.MSELoss())(out, y).asnumpy()).ravel()


def draw(curves, magnitudes, path):
    """The losses, and the gradients beside what float16 can tell from zero."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.4), layout="constrained", dpi=90)
    left, right = figure.subplots(1, 2)
    for (name, values), style in zip(curves.items(), ("-", "-", "--"), strict=True):
        left.semilogy(values, style, label=name)
    left.set(xlabel="step", ylabel="loss, predicting zero = 1", title="The same network, trained in three ways")
    left.legend()
    exponents = np.log2(np.maximum(magnitudes, 2.0**-60))
    right.hist(exponents, bins=np.arange(-40, 16), alpha=0.7, label="gradients")
    right.hist(exponents + 24, bins=np.arange(-40, 16), alpha=0.7, label="gradients x 2**24")
    right.axvspan(-40, np.log2(SMALLEST / 2), color="0.88", zorder=0, label="zero in float16")
    right.axvline(16, color="0.5", linestyle=":", label="inf in float16")
    right.set(
        xlabel="log2 of the magnitude", ylabel="how many", xlim=(-40, 17), title="What the outputs' gradients are"
    )
    right.set_ylim(top=1.45 * right.get_ylim()[1])  # room for the legend above the tallest bar
    right.legend(fontsize="small", loc="upper center", ncols=2)
    figure.savefig(path)


def main():
    """Train in all three ways, print the last losses, draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=Path("docs/images/vanishing_gradients.png"))
    options = parser.parse_args()
    ms.set_context(cpu_loss_scale=True)
    curves = {name: losses(level, make()) for name, (level, make) in RUNS.items()}
    for name, values in curves.items():
        print(f"{name:22} {values[0]:.4f} -> {values[-1]:.4f}")
    vanishing = (gradients() < SMALLEST / 2).mean()
    print(f"{100 * vanishing:.1f} % of the outputs' gradients are zero in float16")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    draw(curves, gradients(), options.out)


if __name__ == "__main__":
    main()
