"""Record what the scripts of ``examples/mindspore`` print under the real MindSpore into ``vectors/scripts.json``.

Runs with MindSpore's Python, once for each release: ``python -m conformance.record.scripts [NAME ...]``. A script that
a release cannot run has the error in place of its lines; the test says why.
"""

import contextlib
import io
import json
import os
import pathlib
import runpy
import sys
import tempfile

import mindspore as ms

TESTS = pathlib.Path(__file__).parent.parent.parent
SCRIPTS = TESTS.parent / "examples" / "mindspore"
VECTORS = TESTS / "conformance" / "vectors" / "scripts.json"


def printed(path):
    """The lines that the script prints, run in an empty folder; the error where it fails."""
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
        os.chdir(folder)
        try:
            runpy.run_path(str(path), run_name="__main__")
        except Exception as error:
            return {"error": f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"}
        finally:
            os.chdir(TESTS)
    return out.getvalue().splitlines()


if __name__ == "__main__":
    sys.path.insert(0, str(SCRIPTS))
    known = json.loads(VECTORS.read_text()) if VECTORS.exists() else {}
    mine = known.setdefault(ms.__version__, {})
    for path in sorted(SCRIPTS.glob("*.py")):
        if path.stem != "tiny" and (not sys.argv[1:] or path.stem in sys.argv[1:]):
            mine[path.stem] = printed(path)
            print(path.stem, mine[path.stem] if "error" in mine[path.stem] else len(mine[path.stem]), flush=True)
            known[ms.__version__] = dict(sorted(mine.items()))
            VECTORS.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")
