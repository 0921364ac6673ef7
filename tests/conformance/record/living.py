"""Record the public attributes of living objects of the real MindSpore.

``python -m conformance.record.living [--out FILE]`` writes ``living.json.gz``, with MindSpore 2.0.0's Python: for each
object of ``cases/living.py`` what ``dir`` lists, with the kind of what stands there.
"""

import argparse
import gzip
import json
import pathlib

import mindspore as ms
from conformance.cases import living

FILE = pathlib.Path(__file__).parent.parent / "vectors" / "living.json.gz"


def attributes(expression):
    """The public attributes of an object with their kinds."""
    found = eval(expression, living.environment(ms))
    return {name: living.shown(ms, found, name) for name in sorted(dir(found)) if name[0] != "_"}


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=FILE)
    out = parser.parse_args().out
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    rows = {name: attributes(expression) for name, expression in living.OBJECTS.items()}
    out.write_bytes(gzip.compress(json.dumps(rows, indent=0).encode(), mtime=0))
    print(f"{len(rows)} objects, {sum(map(len, rows.values()))} attributes, {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
