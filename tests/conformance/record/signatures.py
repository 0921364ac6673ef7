"""Record the arguments of MindSpore's operations and layers into vectors/signatures.json, under 2.0.0's Python."""

import json
from pathlib import Path

import mindspore
from conformance.cases import signatures

tables = signatures.of_package(mindspore)
rows = {
    kind: ",\n".join(f"  {json.dumps(n)}: {json.dumps(a)}" for n, a in rows.items()) for kind, rows in tables.items()
}
text = ",\n".join(f' "{kind}": {{\n{lines}\n }}' for kind, lines in rows.items())
(Path(__file__).parent.parent / "vectors" / "signatures.json").write_text(f"{{\n{text}\n}}\n")
