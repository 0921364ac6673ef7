"""Record twenty steps of every optimizer of the real MindSpore into ``vectors/optimizer_steps.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.optimizer_steps [--out FILE]``. Of each row of
``cases/optimizer_steps.py`` the file has the Parameters after the steps that are told, and what the optimizer holds in
the end, but for Parameters without a name; ``meta`` has the names and shapes of the latter as JSON.
"""

import argparse
import json
import pathlib

import mindspore as ms
import numpy as np
from conformance.cases.optimizer_steps import ROWS, flat, key, steps

PATH = pathlib.Path(__file__).parent.parent / "vectors" / "optimizer_steps.npz"


def main():
    """Record everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=PATH)
    path = parser.parse_args().out
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    out, meta = {}, {"mindspore": ms.__version__, "state": {}}
    for row in ROWS:
        told, state = steps(ms, row)
        state = {name: x for name, x in state.items() if not name.startswith("Parameter$")}
        out[key(row)], out[key(row) + "/state"] = told, flat(state).astype(np.float32)
        meta["state"][key(row)] = {name: list(state[name].shape) for name in sorted(state)}
    np.savez_compressed(path, meta=np.array(json.dumps(meta)), **out)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {len(meta['state'])} rows")


if __name__ == "__main__":
    main()
