"""Record what the real MindSpore's initializers draw, as statistics, into ``vectors/initializers.npz``.

Runs with MindSpore 2.7.0's Python: ``python -m conformance.record.initializers [--out FILE]``; 2.0.0 draws the same
distributions, but takes no mean and no bounds. ``meta`` in the file holds the table as JSON: name, arguments and shape.
Of each row the file has the mean, the deviation, the smallest and the largest value, and the 1st to the 99th
percentile.
"""

import argparse
import importlib
import json
import pathlib

import mindspore as ms
import numpy as np

DENSE, KERNEL = [256, 400], [64, 32, 5, 5]
TABLE = [
    *(["Normal", {}, shape] for shape in (DENSE, KERNEL)),
    ["Normal", {"sigma": 0.5, "mean": 1.0}, DENSE],
    ["TruncatedNormal", {}, DENSE],
    ["TruncatedNormal", {"sigma": 0.5, "mean": 1.0, "a": 0.0, "b": 1.5}, DENSE],
    ["TruncatedNormal", {"sigma": 1.0, "a": -0.5, "b": 0.5}, DENSE],
    ["Uniform", {}, DENSE],
    ["Uniform", {"scale": 2.0}, KERNEL],
    *([name, {}, shape] for name in ("XavierUniform", "XavierNormal", "Orthogonal") for shape in (DENSE, KERNEL)),
    *([name, {"gain": 3}, KERNEL] for name in ("XavierUniform", "XavierNormal", "Orthogonal")),
    *([name, {}, shape] for name in ("HeUniform", "HeNormal") for shape in (DENSE, KERNEL)),
    *(
        [name, {"negative_slope": 2.0, "mode": "fan_out", "nonlinearity": kind}, KERNEL]
        for name in ("HeUniform", "HeNormal")
        for kind in ("leaky_relu", "relu")
    ),
]


def statistics(values):
    """Mean, deviation, smallest, largest, percentiles."""
    values = values.astype(np.float64).ravel()
    moments = [values.mean(), values.std(), values.min(), values.max()]
    return np.array([*moments, *np.percentile(values, range(1, 100))])


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    path = pathlib.Path(__file__).parent.parent / "vectors" / "initializers.npz"
    parser.add_argument("--out", type=pathlib.Path, default=path)
    path, source = parser.parse_args().out, importlib.import_module("mindspore.common.initializer")
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")
    ms.set_seed(1)
    out = {"meta": np.array(json.dumps({"mindspore": ms.__version__, "table": TABLE}))}
    for i, (name, arguments, shape) in enumerate(TABLE):
        out[str(i)] = statistics(source.initializer(getattr(source, name)(**arguments), shape).asnumpy())
    np.savez_compressed(path, **out)
    print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB, {len(TABLE)} rows")


if __name__ == "__main__":
    main()
