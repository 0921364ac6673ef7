"""Record the dtypes of every operation in marked cells of the real MindSpore into ``vectors/half_cells_RELEASE.json``.

Runs with MindSpore's Python, 2.0.0's and 2.7.0's: ``python -m conformance.record.half_cells``. Of each case of
``cases/half_cells.py`` the file has the dtypes in a float16 cell and in a float32 cell; what MindSpore refuses in both
is left out.
"""

import json
import pathlib

import mindspore as ms
from conformance.cases.half_cells import cases, outcome

VECTORS = pathlib.Path(__file__).parent.parent / "vectors"


def main():
    """Record everything."""
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    found = {told: outcome(ms, *case) for told, case in cases().items()}
    taken = {told: both for told, both in found.items() if not all(one.startswith("raises") for one in both)}
    path = VECTORS / f"half_cells_{ms.__version__}.json"
    rows = ",\n".join(f"{json.dumps(told)}: {json.dumps(both)}" for told, both in taken.items())
    path.write_text("{\n" + rows + "\n}\n")
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {len(taken)} of {len(found)} cases")


if __name__ == "__main__":
    main()
