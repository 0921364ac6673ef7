"""Record the real MindSpore's metrics into ``vectors/metrics.json``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.metrics``.
"""

import json
import pathlib

import mindspore as ms
from conformance.cases.metrics import rows, value

if __name__ == "__main__":
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    values = [value(ms, *row) for row in rows()]
    path = pathlib.Path(__file__).parent.parent / "vectors" / "metrics.json"
    path.write_text(json.dumps({"mindspore": ms.__version__, "values": values}) + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes, {len(values)} values")
