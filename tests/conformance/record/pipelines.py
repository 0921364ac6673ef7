"""Record drawn pipelines: ``python -m conformance.record.pipelines`` writes ``pipelines.npz``."""

import argparse
import json
import pathlib

import numpy as np
from conformance.cases import pipelines

TARGET = pathlib.Path(__file__).parent.parent / "vectors" / "pipelines.npz"


def record(first, count):
    """What MindSpore gives for some pipelines: their specifications, what is told of them, and their values."""
    from mindspore import dataset

    told, arrays = [], {}
    for number in range(first, first + count):
        spec = pipelines.drawn(number)
        facts, values = pipelines.rows_of(dataset, spec)
        told.append({"spec": spec, "shapes": [value.shape for value in values], **facts})
        for kind in {value.dtype.str for value in values}:
            chosen = [value.ravel() for value in values if value.dtype.str == kind]
            arrays.setdefault(kind, []).append(np.concatenate(chosen))
        told[-1]["types"] = [value.dtype.str for value in values]
    return told, {kind: np.concatenate(parts) for kind, parts in arrays.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--out", default=TARGET)
    asked = parser.parse_args()
    told, arrays = record(asked.first, asked.count)
    np.savez_compressed(asked.out, told=np.array(json.dumps(told)), **arrays)
