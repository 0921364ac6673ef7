"""Record the arguments of MindSpore's operations and layers: run it under 2.0.0's Python for vectors/signatures.json."""

import json
from pathlib import Path

import mindspore
import signatures

path = Path(__file__).parent / "vectors" / "signatures.json"
path.write_text(json.dumps(signatures.of_package(mindspore), indent=0) + "\n")
