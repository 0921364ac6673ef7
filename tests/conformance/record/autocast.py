"""Record the level "auto" and bfloat16 of MindSpore 2.7.0 into ``vectors/autocast.json``.

Runs with MindSpore 2.7.0's Python: ``python -m conformance.record.autocast``. "auto" holds the outcomes of
``cases/autocast.py``, without errors, "bfloat16" what ``cases/bfloat16.py`` finds. Each runs in a process of its own,
because after an error at "auto" MindSpore goes on casting.
"""

import json
import os
import pathlib

import mindspore as ms
from conformance.cases import autocast, bfloat16

PATH = pathlib.Path(__file__).parent.parent / "vectors" / "autocast.json"


def apart(function, *arguments):
    """What a function returns in a process forked for it, through JSON."""
    reader, writer = os.pipe()
    if not os.fork():
        os.write(writer, json.dumps(function(*arguments)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        return json.loads(file.read())


def main():
    """Record everything."""
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    outcomes = {name: {} for name in autocast.CASES}
    for name, found in outcomes.items():
        for kinds in autocast.kinds_of(name):
            outcome = apart(autocast.outcome, name, kinds)
            found |= {} if outcome.startswith("raises") else {kinds: outcome}
    facts = {name: apart(bfloat16.fact, name) for name in bfloat16.FACTS}
    record = {"mindspore": ms.__version__, "auto": outcomes, "bfloat16": facts}
    text = json.dumps(record, indent=1)
    PATH.write_text(text + "\n")


if __name__ == "__main__":
    main()
