"""Record what runs of the real MindSpore's Model print into ``vectors/model_runs.json``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.model_runs``.
"""

import json
import pathlib

import mindspore as ms
from conformance.cases.model_runs import Runs

if __name__ == "__main__":
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    lines = {"mindspore": ms.__version__, "runs": Runs(ms).lines()}
    path = pathlib.Path(__file__).parent.parent / "vectors" / "model_runs.json"
    path.write_text(json.dumps(lines, indent=1) + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes")
