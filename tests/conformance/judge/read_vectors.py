"""The recorded cases: arrays by row, expression and number."""

import functools
import json
import pathlib

import numpy as np

VECTORS = pathlib.Path(__file__).parent.parent / "vectors" / "operations.npz"


@functools.cache
def record(path=VECTORS):
    """``{row: {(expression, number): what MindSpore gave}}``, and the other metadata."""
    with np.load(path) as file:
        stock = {key: file[key] for key in file.files}
    meta = json.loads(str(stock.pop("meta")))
    taken, rows = dict.fromkeys(stock, 0), {}
    for key, expression, number, told, words in meta.pop("cases"):
        found = dict(words)
        for name, dtype, shape in told:
            count = int(np.prod(shape))
            found[name] = stock[dtype][taken[dtype] : taken[dtype] + count].reshape(shape)
            taken[dtype] += count
        rows.setdefault(key, {})[expression, number] = found
    return rows, meta
