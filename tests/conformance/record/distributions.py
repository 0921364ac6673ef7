"""Record the distributions of the real MindSpore into ``vectors/distributions.json``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.distributions [--out FILE]``. Each row has a
distribution's name, its parameters, another one's, values, and for each method the answer, or the error's kind.
"""

import argparse
import json
import pathlib

import numpy as np

np.float = float  # MindSpore 2.0.0 was written for an older NumPy
import mindspore as ms  # noqa: E402
from mindspore.nn.probability import distribution  # noqa: E402

OF_VALUES = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival")
ALONE = ("mean", "sd", "var", "mode", "entropy")
BETWEEN = ("kl_loss", "cross_entropy")
REALS = [0.0, 1.0, -3.5, 2.5]
ROWS = [
    *[(name, [0.5, 2.0], [-1.0, 0.5], REALS) for name in ("Normal", "Laplace", "Cauchy", "Logistic", "Gumbel")],
    ("Normal", [[0.5, 1.0], [[2.0], [0.25]]], [[-1.0, 0.0], [0.5, 2.0]], [0.0, 1.0]),
    ("LogNormal", [0.5, 2.0], [-1.0, 0.5], [0.5, 1.0, 3.5]),
    ("HalfNormal", [0.5, 2.0], [-1.0, 0.5], REALS),
    ("StudentT", [3.0, 0.5, 2.0], [4.0, -1.0, 0.5], REALS),
    ("Uniform", [0.5, 2.0], [-1.0, 3.0], REALS),
    ("Uniform", [[0.5, 1.0], 2.0], [0.75, 3.0], [0.0, 1.5]),
    ("Exponential", [0.5], [2.0], REALS),
    ("Exponential", [[0.5, 3.0]], [2.0], [0.25, 1.5]),
    ("Bernoulli", [0.3], [0.6], [0.0, 1.0, 0.5, 2.0, -1.0]),
    ("Bernoulli", [[0.3, 0.9]], [0.6], [0.0, 1.0]),
    ("Geometric", [0.3], [0.6], [0.0, 1.0, 3.0, 0.5, -1.0]),
    ("Categorical", [[0.2, 0.3, 0.5]], [[0.1, 0.6, 0.3]], [0.0, 1.0, 2.0]),
    ("Gamma", [[2.0, 0.5], [1.5]], [[1.0], [2.0]], [0.5, 2.0]),
    ("Beta", [[2.0, 0.5], [1.5]], [[1.0], [2.0]], [0.25, 0.75]),
    ("Poisson", [[0.5, 3.0]], [[1.0]], [0.0, 2.0]),
    ("Poisson", [[0.5, 3.0]], [[1.0]], [1.5, -1.0]),
    ("Categorical", [[[0.2, 0.8], [0.5, 0.5]]], [[[0.3, 0.7], [0.1, 0.9]]], [[0.0], [1.0]]),
]


def answer(ask):
    """What a method gives, as lists, or the name of its error's kind."""
    try:
        out = ask()
    except Exception as error:
        return type(error).__name__
    return [str(out.dtype), out.asnumpy().tolist()]


def observed(name, parameters, others, values):
    """All answers of one distribution."""
    made = getattr(distribution, name)(*parameters)
    x, b = tensor(values), [tensor(other) for other in others]
    found = {method: answer(lambda m=method: getattr(made, m)(x)) for method in OF_VALUES}
    found.update({method: answer(lambda m=method: getattr(made, m)()) for method in ALONE})
    found.update({method: answer(lambda m=method: getattr(made, m)(name, *b)) for method in BETWEEN})
    return found


def tensor(values):
    """Numbers as a float32 Tensor."""
    return ms.Tensor(np.array(values, np.float32))


def main():
    """Write the file."""
    parser = argparse.ArgumentParser()
    vectors = pathlib.Path(__file__).parent.parent / "vectors"
    parser.add_argument("--out", type=pathlib.Path, default=vectors / "distributions.json")
    out = parser.parse_args().out
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    rows = [[*row, observed(*row)] for row in ROWS]
    out.write_text(json.dumps({"mindspore": ms.__version__, "rows": rows}).replace("], [", "],\n["))


if __name__ == "__main__":
    main()
