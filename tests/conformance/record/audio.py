"""Record the transforms of sound of the real MindSpore into ``vectors/audio.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.audio [--out FILE]``. For each row of
``cases/audio.py`` and each of its columns the file has what the transform returns, part by part; ``meta`` has, as JSON,
their names, and the kinds of the errors of what is refused. Each call has a process of its own, as some end theirs.
"""

import argparse
import json
import os
import pathlib
import pickle

import mindspore.dataset.audio
import numpy as np
from conformance.cases.audio import CASES, COLUMNS, REFUSED, parts_of


def value_of(expression, column):
    """The parts of a call's result, or the kind of its error; None if the process ended."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reader)
        names = {"A": mindspore.dataset.audio, "np": np, "x": COLUMNS[column]}
        try:
            found = eval(expression, names)
            found = parts_of(found(COLUMNS[column])) if callable(found) else None
        except Exception as error:
            found = type(error).__name__
        with os.fdopen(writer, "wb") as file:
            pickle.dump(found, file)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        data = file.read()
    os.waitpid(process, 0)
    return pickle.loads(data) if data else None


def record():
    """The arrays by ``expression|column|part``, and the kinds of errors by expression and column."""
    found, errors = {}, {}
    for expression, columns in CASES:
        for column in columns:
            for i, part in enumerate(value_of(expression, column)):
                found[f"{expression}|{column}|{i}"] = part
    for expression, column in REFUSED:
        errors[f"{expression}|{column}"] = value_of(expression, column)
    return found, errors


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "vectors/audio.npz")
    arguments = parser.parse_args()
    found, errors = record()
    meta = json.dumps({"mindspore": mindspore.__version__, "names": list(found), "errors": errors})
    np.savez_compressed(arguments.out, meta=meta, **{str(i): part for i, part in enumerate(found.values())})


if __name__ == "__main__":
    main()
