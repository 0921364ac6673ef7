"""``python stubs [FOLDER]``: write the stubs into the package's folder, or into a copy of it elsewhere."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the package in this folder, whatever else is installed

from stubs.stub import HEAD, path_of, stubs  # noqa: E402


def write(path, text):
    """Write a file in one step, so that a reader beside it never sees half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def write_all(folder):
    """Write every stub below a folder, and remove those that an earlier run left of what is gone; their paths."""
    made = {folder / path_of(place): text for place, text in stubs().items()}
    for path, text in made.items():
        write(path, text)
    for path in set(folder.rglob("*.pyi")) - made.keys():
        if path.read_text(encoding="utf-8").startswith(HEAD):
            path.unlink()
    return made


if __name__ == "__main__":
    made = write_all(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "minispore")
    print(f"{len(made)} stubs of {sum(text.count(chr(10)) for text in made.values())} lines")
