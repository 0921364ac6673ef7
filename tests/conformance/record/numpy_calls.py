"""Record what calls of the real ``mindspore.numpy`` answer.

``python -m conformance.record.numpy_calls [--out FILE]`` writes ``numpy_calls.json``, with MindSpore 2.0.0's Python:
for each expression of ``cases/numpy_calls.py`` its answer, or the error's kind.
"""

import argparse
import json
import pathlib

import mindspore as ms
import mindspore.numpy
import numpy as np
from conformance.cases import numpy_calls

FILE = pathlib.Path(__file__).parent.parent / "vectors" / "numpy_calls.json"


def written(answer):
    """An answer as JSON: a Tensor as its dtype, shape and values, which read as text where JSON has no number."""
    if hasattr(answer, "asnumpy"):
        values = answer.asnumpy().ravel()
        values = [float(f"{v:.7g}") for v in values] if values.dtype.kind == "f" else values.tolist()
        return {"dtype": str(answer.dtype), "shape": list(answer.shape), "values": values}
    if isinstance(answer, (tuple, list)):
        return {type(answer).__name__: [written(x) for x in answer]}
    return str(answer) if isinstance(answer, (ms.common.dtype.typing.Type, np.generic)) else answer


def observe(call, environment):
    """What one expression answers, or the kind of its error."""
    try:
        return {"answer": written(eval(call, dict(environment)))}
    except Exception as error:  # any kind is an observation
        return {"error": type(error).__name__}


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=FILE)
    out = parser.parse_args().out
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    environment = numpy_calls.operands(ms)
    rows = {call: observe(call, environment) for call in numpy_calls.CALLS}
    lines = ",\n".join(f"{json.dumps(call)}: {json.dumps(row)}" for call, row in rows.items())
    out.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
