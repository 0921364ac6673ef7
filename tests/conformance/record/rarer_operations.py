"""Record what MindSpore gives for ``cases/rarer_operations.py`` into ``vectors/rarer_operations.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.rarer_operations [--out FILE]``.
"""

import argparse
import pathlib

import mindspore as ms
import numpy as np
from conformance.cases.rarer_operations import CALLS, observed


def main():
    """The command line."""
    vectors = pathlib.Path(__file__).parent.parent / "vectors"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=vectors / "rarer_operations.npz")
    path, out, failed = parser.parse_args().out, {}, []
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    for call, with_gradient in CALLS.items():
        try:
            found = observed(ms, call, with_gradient)
        except Exception as error:
            failed.append(f"{call}: {type(error).__name__}: {str(error).splitlines()[0]}")
            continue
        out.update({f"{call}|{key}": array for key, array in found.items()})
    if failed:
        raise SystemExit("\n".join(failed))
    np.savez_compressed(path, **out)
    print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB, {len(CALLS)} calls")


if __name__ == "__main__":
    main()
