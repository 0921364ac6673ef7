"""Record the facts of ``amp_facts.py`` into ``vectors/amp_facts.json``: ``python -m conformance.record.amp_facts``.

Runs with the Python of MindSpore 2.0.0 and with that of 2.7.0; each writes its own part of the file.
"""

import json
import pathlib

import mindspore as ms
from conformance.amp import facts

PATH = pathlib.Path(__file__).parent.parent / "vectors" / "amp_facts.json"

ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
record = json.loads(PATH.read_text()) if PATH.exists() else {}
record[ms.__version__] = {name: facts.fact(name) for name in facts.FACTS}
PATH.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
