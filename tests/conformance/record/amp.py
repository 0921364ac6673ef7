"""Record what MindSpore's mixed precision does to the networks of ``amp/networks.py`` into ``vectors/amp.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.amp [--out FILE]``. ``meta`` in the file holds for
each network and mode, as ``name/mode``, what ``amp/measure.py`` measures; outputs and gradients stand beside it as
arrays, unless ``--dtypes-only`` is given: so ``vectors/amp_2.7.0.npz`` was made, with MindSpore 2.7.0's Python.
"""

import argparse
import json
import pathlib

import mindspore as ms
import numpy as np
from conformance.amp import measure, networks


def main():
    """Record every network in every mode."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=pathlib.Path(__file__).parent.parent / "vectors" / "amp.npz")
    parser.add_argument("--dtypes-only", action="store_true")
    arguments = parser.parse_args()
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    meta, arrays = {"mindspore": ms.__version__}, {}
    for name in networks.NETWORKS:
        for mode in measure.MODES:
            found = measure.measured(name, mode)
            for part in ("out", "gradients"):
                if part in found:
                    arrays[f"{name}/{mode}/{part}"] = found.pop(part)
            meta[f"{name}/{mode}"] = found
    arrays = {} if arguments.dtypes_only else arrays
    np.savez_compressed(arguments.out, meta=np.array(json.dumps(meta)), **arrays)


if __name__ == "__main__":
    main()
