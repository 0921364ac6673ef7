"""Record recurrent layers, attention and Transformers of the real MindSpore into ``vectors/sequences.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.sequences [--out FILE]``. For each case of
``cases/sequences.py`` and both precisions the file has outputs, and gradients by inputs and Parameters, one after
another in one array. ``meta`` has, as JSON, their names, shapes and dtypes, and the errors of what this MindSpore
cannot run; with ``--add``, run with 2.7.0's Python, that is added to the file. Transformers are left to 2.7.0: the
gradient of LayerNorm leaves epsilon out in 2.0.0 on CPU.
"""

import argparse
import json
import pathlib

import mindspore as ms
import numpy as np
from conformance.cases.sequences import CASES, found


def record(keys):
    """The values and the index of each ``number/precision`` that runs, and the errors of those that do not."""
    out, index, errors = {}, {}, {}
    for key in keys:
        number, precision = key.split("/")
        if ms.__version__ == "2.0.0" and CASES[int(number)]["layer"].startswith("Transformer"):
            errors[key] = "the gradient of LayerNorm leaves epsilon out"
            continue
        try:
            arrays = found(ms, int(number), precision)
        except (TypeError, ValueError, RuntimeError) as error:
            errors[key] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
            continue
        out[key] = np.concatenate([y.astype(np.float32).ravel() for y in arrays.values()])
        index[key] = [[name, y.shape, str(y.dtype)] for name, y in arrays.items()]
    return out, index, errors


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "vectors" / "sequences.npz"
    )
    parser.add_argument("--add", action="store_true", help="add what the file's MindSpore could not run")
    arguments = parser.parse_args()
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    before, meta = {}, {"mindspore": ms.__version__, "index": {}}
    keys = [f"{i}/{kind}" for i in range(len(CASES)) for kind in ("float32", "float16")]
    if arguments.add:
        with np.load(arguments.out) as file:
            before = {name: file[name] for name in file.files}
        meta = json.loads(str(before.pop("meta")))
        keys = list(meta["errors"])
    out, index, meta["errors"] = record(keys)
    meta["index"].update(index)
    if arguments.add:
        meta.update(later=ms.__version__, added=list(index))
    np.savez_compressed(arguments.out, **before, **out, meta=np.array(json.dumps(meta)))
    print(f"{arguments.out.name}: {arguments.out.stat().st_size / 1e6:.2f} MB", *meta["errors"].items(), sep="\n")


if __name__ == "__main__":
    main()
