"""Record the facts of ``amp_facts.py`` into ``vectors/amp_facts.json``: ``python record_amp_facts.py``.

Runs with the Python of MindSpore 2.0.0 and with that of 2.7.0; each writes its own part of the file.
"""

import json
import pathlib

import amp_facts
import mindspore as ms

PATH = pathlib.Path(__file__).parent / "vectors" / "amp_facts.json"

ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
record = json.loads(PATH.read_text()) if PATH.exists() else {}
record[ms.__version__] = {name: amp_facts.fact(name) for name in amp_facts.FACTS}
PATH.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
