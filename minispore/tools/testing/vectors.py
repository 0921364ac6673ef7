"""Golden vectors: a target's answers for drawn cases, in files that NumPy alone reads.

``NAME.json`` has the format's version, the target, and for each case its expression and the forms of its arrays;
``NAME.npz`` has the arrays; the checksum is the SHA-256 of all their bytes in order. :func:`load` needs this file and
NumPy; ``python -m minispore.testing.vectors record NAME --target TARGET`` writes them.

Arrays that others have recorded are read by :func:`recorded`: ``NAME.npz``, and beside it ``sources.json``, which tells
who made each of them.
"""

import argparse
import collections
import fnmatch
import hashlib
import importlib
import json
from pathlib import Path

import numpy as np

__all__ = ["VERSION", "load", "main", "record", "recorded"]

VERSION = 1


def load(name):
    """The cases of golden vectors: dicts of ``law``, ``expression``, ``inputs`` and ``outputs``.

    Args:
        name (str): The path of the two files, without ``.json`` and ``.npz``.

    Raises:
        ValueError: If the files have another version of the format, or the checksum does not fit the arrays.
    """
    told = json.loads(Path(f"{name}.json").read_text())
    if told["format"] != VERSION:
        raise ValueError(f"For 'load', the format must be {VERSION}, but got {told['format']}.")
    with np.load(f"{name}.npz", allow_pickle=False) as file:
        arrays = [file[f"a{i}"] for i in range(told["arrays"])]
    if _checksum(arrays) != told["sha256"]:
        raise ValueError(f"For 'load', the arrays of '{name}' must have the checksum of '{name}.json': they differ.")
    return [_filled(case, arrays) for case in told["cases"]]


def recorded(path):
    """The arrays of a file of recorded vectors: dicts of ``name``, ``source`` and ``array``.

    ``sources.json`` beside it has a table for each file, from patterns of names to the implementation and its version.
    The first pattern that fits counts.

    Args:
        path (Union[str, Path]): The path of the file, with ``.npz``.

    Raises:
        ValueError: If an array has no source.
    """
    path = Path(path)
    sources = json.loads((path.parent / "sources.json").read_text(encoding="utf-8")).get(path.stem, {})
    with np.load(path, allow_pickle=False) as file:
        return [{"name": name, "source": _source(path, name, sources), "array": file[name]} for name in file.files]


def _source(path, name, sources):
    """The source of an array, by the first pattern that fits its name."""
    found = next((source for pattern, source in sources.items() if fnmatch.fnmatchcase(name, pattern)), None)
    if found is None:
        raise ValueError(f"For 'recorded', each array of '{path.name}' must have a source, but got none for '{name}'.")
    return found


def _filled(case, arrays):
    """A case with its arrays in their places; plain values stand as they are."""
    parts = {part: [arrays[x["array"]] if isinstance(x, dict) else x for x in case[part]] for part in PARTS}
    return {**case, **parts}


PARTS = ("inputs", "outputs")


def _checksum(arrays):
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def record(name, target="minispore", python=None, only="", seeds=(1, 2)):
    """Write a target's answers for the primitives of the table, in float32 and float16; returns how many cases.

    Args:
        name (str): The path of the two files, without ``.json`` and ``.npz``.
        target (str): The target's name. Default: "minispore".
        python (str): The Python that has it. Default: None.
        only (str): Part of a label: only lines with it are recorded. Default: "", all.
        seeds (Sequence[int]): Of the inputs. Default: (1, 2).
    """
    # Loading needs NumPy alone, so the imports for drawing stand here
    calls = importlib.import_module("minispore.tools.testing.strategies.calls")
    made = importlib.import_module("minispore.tools.testing.targets").load(target, python)
    arrays, cases = [], []
    for label, line in calls.lines(lambda line: not line.primitive.random):
        for kind in (np.float32, np.float16):
            for seed in seeds if only in f"{label} " else ():
                case = _recorded(made, calls.Call(line, seed, kind), arrays)
                cases += [{"law": "formula", "label": label, **case}] if case else []
    told = {"format": VERSION, "target": made.name, "version": made.version, "arrays": len(arrays)}
    told |= {"sha256": _checksum(arrays), "cases": cases}
    np.savez_compressed(f"{name}.npz", **{f"a{i}": array for i, array in enumerate(arrays)})
    Path(f"{name}.json").write_text(json.dumps(told, indent=1) + "\n")
    return len(cases)


def _recorded(target, call, arrays):
    """A case with its arrays put aside; None for a case that the target's API cannot express, or that it refuses."""
    has = getattr(target, "has", lambda expression: True)
    if call.expression is None or not has(call.expression):
        return None
    try:
        outputs = target.compute(call.expression, call.inputs)
    except Exception:  # a target may refuse a dtype: then there is nothing to record
        return None
    return {
        "expression": call.expression,
        "inputs": [_put(x, arrays) for x in call.inputs],
        "outputs": [_put(np.asarray(y), arrays) for y in outputs],
    }


def _put(x, arrays):
    if not isinstance(x, np.ndarray):
        return x
    arrays.append(x)
    return {"array": len(arrays) - 1}


def main(arguments=None):
    """``record NAME [--target TARGET] [--python PATH] [--only TEXT]``, ``check NAME``, or ``check NAME.npz``."""
    parser = argparse.ArgumentParser(prog="python -m minispore.testing.vectors", description=main.__doc__)
    parser.add_argument("what", choices=["record", "check"])
    parser.add_argument("name")
    parser.add_argument("--target", default="minispore")
    parser.add_argument("--python")
    parser.add_argument("--only", default="")
    chosen = parser.parse_args(arguments)
    if chosen.what == "record":
        print(f"{record(chosen.name, chosen.target, chosen.python, chosen.only)} cases")
    elif chosen.name.endswith(".npz"):
        counts = collections.Counter(case["source"] for case in recorded(chosen.name))
        print(*[f"{count} arrays of {source}" for source, count in counts.items()], sep="\n")
    else:
        print(f"{len(load(chosen.name))} cases, and their checksum is right")


if __name__ == "__main__":
    main()
