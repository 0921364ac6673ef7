"""Checkpoint files as a real MindSpore writes them: the bytes, and the arrays and the texts that it was given.

Runs with each release's Python, in ``tests``: ``python -m conformance.record.checkpoints OUT``, with OUT
``conformance/vectors/checkpoints_2.0.0.npz`` or 2.7.0's. With ``--read FILE OUT`` the release reads a checkpoint and
writes what it found.
"""

import json
import sys
import tempfile
from pathlib import Path

import mindspore as ms
import numpy as np

KINDS = ["bool", "float16", "float32", "float64"]
KINDS += [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
APPENDED = {"epoch": 3, "rate": 0.5, "done": True, "note": "naïve\U0001f600", "negative": -7}


def main(*arguments):
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")
    if arguments[0] == "--read":
        found = ms.load_checkpoint(arguments[1])
        np.savez(arguments[2], **{name: x if isinstance(x, str) else x.asnumpy() for name, x in found.items()})
        return
    arrays = {kind: np.arange(6).astype(kind).reshape(2, 3) for kind in KINDS}
    arrays |= {"0-d": np.array(3.5, np.float32), "layer.1.weight": np.full(1, -0.0, np.float32)}
    arrays = {name: array for name, array in arrays.items() if saves(name, array)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.ckpt")
        ms.save_checkpoint(items(arrays), str(path), append_dict=APPENDED)
        np.savez_compressed(
            arguments[0], written=np.frombuffer(path.read_bytes(), np.uint8), appended=json.dumps(APPENDED), **arrays
        )


def items(arrays):
    return [{"name": name, "data": ms.Tensor(array)} for name, array in arrays.items()]


def saves(name, array):
    return ms.Tensor(array).asnumpy().dtype == array.dtype


if __name__ == "__main__":
    main(*sys.argv[1:])
