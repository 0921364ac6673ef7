"""Record the level "auto" and bfloat16 of MindSpore 2.7.0 into ``vectors/autocast.json``.

Runs with MindSpore 2.7.0's Python: ``python -m conformance.record.autocast``. "lists" holds the names of the classes on
the lists of "auto", as ``mindspore.train.amp`` shows them, "auto" the outcomes of
``cases/autocast.py``, without errors, "bfloat16" what ``cases/bfloat16.py`` finds. They run in processes
that end with the first error, because after one at "auto" MindSpore goes on casting.
"""

import json
import os
import pathlib

import mindspore as ms
from conformance.cases import autocast, bfloat16
from mindspore.train import amp as train_amp

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


def until_an_error(name, pending):
    """The outcomes for the kinds of inputs in their order, up to the first error."""
    found = {}
    for kinds in pending:
        found[kinds] = autocast.outcome(name, kinds)
        if found[kinds].startswith("raises"):
            break
    return found


def outcomes(name):
    """The outcomes of a case, without errors."""
    found, pending = {}, autocast.kinds_of(name)
    while pending:
        some = apart(until_an_error, name, pending)
        found, pending = found | some, pending[len(some) :]
    return {kinds: outcome for kinds, outcome in found.items() if not outcome.startswith("raises")}


def main():
    """Record everything."""
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    auto = {name: outcomes(name) for name in autocast.CASES}
    facts = {name: apart(bfloat16.fact, name) for name in bfloat16.FACTS}
    shown = {"white": train_amp.AMP_AUTO_WHITE_LIST, "black": train_amp.AMP_AUTO_BLACK_LIST}
    lists = {color: sorted(kind.__name__ for kind in kinds) for color, kinds in shown.items()}
    record = {"mindspore": ms.__version__, "lists": lists, "auto": auto, "bfloat16": facts}
    PATH.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
