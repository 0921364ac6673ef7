"""Record what MindSpore's sources read: ``python -m conformance.record.sources`` writes ``sources.json``."""

import argparse
import json
import pathlib
import tempfile

import mindspore.dataset
from conformance.cases import sources
from conformance.cases.source_folders import FOLDERS

TARGET = pathlib.Path(__file__).parent.parent / "vectors" / "sources.json"


def record():
    """What each case gives, by folder and expression; the texts of errors are MindSpore's and left out."""
    found = {}
    for name, write in FOLDERS.items():
        with tempfile.TemporaryDirectory() as folder:
            write(folder)
            for kind, expression in sources.CASES:
                if kind == name:
                    facts = sources.read(mindspore.dataset, expression, folder)
                    found[f"{name}|{expression}"] = {key: facts[key] for key in facts if key != "text"}
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=TARGET)
    asked = parser.parse_args()
    asked.out.write_text(json.dumps(record(), ensure_ascii=False, sort_keys=True), encoding="utf-8")
