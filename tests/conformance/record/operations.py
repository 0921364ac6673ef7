"""Record the drawn cases of every operation of the real MindSpore into ``vectors/operations.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.operations [--out FILE] [--first N] [--new]``;
``--first`` starts the numbers that cases are drawn from elsewhere, at a multiple of ``row.CASES``; ``--new`` keeps
what the file has and records only the cases that it lacks, those of new rows. Of a case the file has what
``observe.py`` says, not the inputs, which are drawn again; ``meta`` has the names of MindSpore's operations, methods
and layers too. A kernel that kills the process is noted as the refusal "Crash", and the next process goes on behind it;
empty Tensors do that to most, and are not tried.
"""

import argparse
import json
import pathlib
import pickle
import subprocess
import sys
import tempfile

import numpy as np
from conformance.cases.operations import keyed
from conformance.judge import read_vectors
from conformance.record import observe


def every():
    """``(key of the row, expression, number)`` of every case."""
    return [(key, e, n) for key, row in keyed.keyed().items() for e, n in row.cases()]


def work(path, first):
    """Observe the cases that the file of pickles does not have yet; each is announced before it is run."""
    import mindspore as ms

    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    ms.set_seed(1)
    rows, done = keyed.keyed(), {entry[0] for entry in entries(path)}
    with path.open("ab") as file:
        _write(file, ("names", names(ms)))
        for key, expression, n in every():
            case = (key, expression, n)
            if case not in done:
                inputs, dtype = rows[key].draw(n + first)
                _write(file, (case, {"refused": "Empty" if keyed.is_empty(inputs) else "Crash"}))
                if keyed.is_empty(inputs):
                    continue
                weigh_as = np.float64 if dtype == "float64" else np.float32
                grad = rows[key].grad and rows[key].kind(n) != "edges"
                _write(file, (case, observe.observe(ms, rows[key], expression, inputs, weigh_as, grad)))
                _settle(ms)


def names(ms):
    """What MindSpore has."""
    spaces = {"ops": ms.ops, "operations": ms.ops.operations, "Tensor": ms.Tensor, "nn": ms.nn}
    return {name: [n for n in dir(space) if not n.startswith("_")] for name, space in spaces.items()}


def _write(file, entry):
    pickle.dump(entry, file)
    file.flush()


def _settle(ms):
    """Differentiate until it is right again: MindSpore's gradient after an error may be the one before."""
    x = ms.Tensor(np.array([3.0], np.float32))
    for _ in range(5):
        try:
            if ms.grad(lambda x: x * x)(x).asnumpy() == 6:
                return
        except Exception:
            continue
    sys.exit(1)


def entries(path):
    """What the workers have written."""
    found = []
    if path.exists():
        with path.open("rb") as file:
            while True:
                try:
                    found.append(pickle.load(file))
                except EOFError:
                    return found
    return found


def kept(path):
    """The entries of an earlier record that still have a row: names, then cases."""
    rows, meta = read_vectors.record(path)
    wanted = set(every())
    yield "names", meta["names"]
    for key, cases in rows.items():
        yield from (((key, *case), given) for case, given in cases.items() if (key, *case) in wanted)


def supervise(path, first):
    """Start workers until one comes to the end."""
    for _ in range(200):
        command = [sys.executable, "-m", "conformance.record.operations", "--worker", str(path), "--first", str(first)]
        if subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0:
            return
    raise RuntimeError("the worker dies again and again")


def packed(found, first):
    """The arrays of all cases end to end, by dtype, with an index that says what they are."""
    index, parts, names = [], {}, found.pop("names")
    for (key, expression, n), given in found.items():
        told = []
        for name, array in given.items():
            if isinstance(array, np.ndarray):
                parts.setdefault(str(array.dtype), []).append(array.ravel())
                told.append([name, str(array.dtype), list(array.shape)])
        index.append(
            [key, expression, n, told, {k: v for k, v in given.items() if isinstance(v, str) and k != "message"}]
        )
    arrays = {dtype: np.concatenate(values) for dtype, values in parts.items()}
    return {**arrays, "meta": np.array(json.dumps({"first": first, "names": names, "cases": index}))}


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=read_vectors.VECTORS)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--new", action="store_true", help="record only the cases that the file lacks")
    parser.add_argument("--worker", type=pathlib.Path)
    parser.add_argument("--log", type=pathlib.Path, help="where the refusals' messages go")
    told = parser.parse_args()
    if told.worker:
        return work(told.worker, told.first)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "entries"
        if told.new:
            path.write_bytes(b"".join(pickle.dumps(entry) for entry in kept(told.out)))
        supervise(path, told.first)
        found = dict(entries(path))
    np.savez_compressed(told.out, **packed(found, told.first))
    if told.log:
        told.log.write_text("".join(f"{c}: {g}\n" for c, g in found.items() if "message" in g))
    print(f"{told.out.name}: {told.out.stat().st_size / 1e6:.2f} MB, {len(found)} cases")


if __name__ == "__main__":
    main()
