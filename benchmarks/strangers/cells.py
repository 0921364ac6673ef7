"""The code of a notebook as a script, so that it runs like any other."""

import json
import tempfile
from pathlib import Path


def as_script(path):
    """The path of a script: of a notebook, its code cells in a file of their own."""
    if path.suffix != ".ipynb":
        return str(path)
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    lines = "\n".join("".join(each["source"]) for each in cells if each["cell_type"] == "code").splitlines()
    script = Path(tempfile.mkdtemp()) / f"{path.stem}.py"
    kept = ("" if each.lstrip().startswith(("%", "!")) else each for each in lines)
    script.write_text("\n".join(kept), encoding="utf-8")
    return str(script)
