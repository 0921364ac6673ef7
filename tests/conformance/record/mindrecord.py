"""Record small MindRecord files of MindSpore 2.0.0 and the rows that its own reader finds in them.

Run with MindSpore's Python: ``python tests/conformance/record/mindrecord.py``.
"""

import json
import os
import tempfile
from pathlib import Path

import numpy as np
from mindspore.mindrecord import FileReader, FileWriter

VECTORS = Path(__file__).parents[1] / "vectors" / "mindrecord.npz"
LARGE = b"z" * 20000
CASES = {  # name -> schema, the rows of each call, the number of files
    "plain": (
        {"id": {"type": "int64"}, "f": {"type": "float64"}, "g": {"type": "float32"}, "s": {"type": "string"}},
        [[{"id": i * 10**i - 3, "f": i / 3, "g": i / 4, "s": "é" * i * 20} for i in range(4)]],
        1,
    ),
    "bytes": ({"data": {"type": "bytes"}}, [[{"data": b"q" * (i + 1)} for i in range(3)]], 1),
    "ints": (
        {"a": {"type": "int32", "shape": [-1]}, "b": {"type": "int64", "shape": [2, 1]}},
        [
            [
                {"a": np.array([1, 300, -70000, 2, -200][: i + 1], np.int32), "b": np.array([[i], [-(2**40)]])}
                for i in range(5)
            ]
        ],
        1,
    ),
    "mixed": (
        {"x": {"type": "float32", "shape": [2]}, "y": {"type": "bytes"}, "z": {"type": "string"}},
        [[{"x": np.array([i, 0.5], np.float32), "y": b"y" * i, "z": f"z{i}"} for i in range(3)]],
        1,
    ),
    "pages": (
        {"id": {"type": "int32"}, "data": {"type": "bytes"}},
        [
            [{"id": 1, "data": LARGE}, {"id": -5, "data": b"a"}],
            [{"id": 70000, "data": b"b"}, {"id": 300, "data": LARGE}],
        ],
        1,
    ),
    "shards": ({"id": {"type": "int32"}}, [[{"id": i} for i in range(7)]], 3),
}


def plain(value):
    """A value as json has it."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.decode("latin-1") if isinstance(value, bytes) else value


def main():
    """Write the files, read them, and pack both into one file of vectors."""
    vectors, rows = {}, {}
    os.chdir(tempfile.mkdtemp())
    for name, (schema, calls, shards) in CASES.items():
        writer = FileWriter(name, shards)
        writer.set_header_size(2**14)
        writer.set_page_size(2**15)
        writer.add_schema(schema, "recorded")
        for call in calls:
            writer.write_raw_data(call)
        writer.commit()
        for path in sorted(Path().glob(f"{name}*")):
            vectors[str(path)] = np.frombuffer(path.read_bytes(), np.uint8)
        reader = FileReader(name if shards == 1 else f"{name}0")
        rows[name] = [{key: plain(value) for key, value in row.items()} for row in reader.get_next()]
        reader.close()
    np.savez_compressed(VECTORS, rows=json.dumps(rows), **vectors)


if __name__ == "__main__":
    main()
