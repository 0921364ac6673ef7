"""Record the transforms of images and columns of the real MindSpore into ``vectors/vision.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.vision [--out FILE]``. For each row of
``cases/vision.py`` and each of its inputs the file has what the transform returns, part by part; ``meta`` has, as JSON,
their names, and the kinds of the errors of what is refused.
"""

import argparse
import json
import pathlib

import mindspore as ms
import mindspore.dataset.vision
import numpy as np
from conformance.cases.vision import CASES, COLUMNS, IMAGES, REFUSED, TRANSFORMS, parts_of


def record():
    """The arrays by ``expression|input|part``, and the kinds of errors by expression."""
    found, names = {}, {"ms": ms, "np": np, "T": ms.dataset.transforms, "V": ms.dataset.vision}
    for rows, inputs in ((CASES, IMAGES), (TRANSFORMS, COLUMNS)):
        for expression, keys in rows:
            for key in keys:
                for i, part in enumerate(parts_of(eval(expression, dict(names))(inputs[key]))):
                    found[f"{expression}|{key}|{i}"] = part
    errors = {}
    for expression in REFUSED:
        try:
            eval(expression, {**names, "x": IMAGES["u5x6x3"]})
        except Exception as error:
            errors[expression] = type(error).__name__
    return found, errors


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "vectors" / "vision.npz"
    )
    arguments = parser.parse_args()
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    found, errors = record()
    meta = json.dumps({"mindspore": ms.__version__, "names": list(found), "errors": errors})
    np.savez_compressed(arguments.out, meta=meta, **{str(i): part for i, part in enumerate(found.values())})


if __name__ == "__main__":
    main()
