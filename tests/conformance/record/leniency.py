"""Record what the real MindSpore takes in place of usual arguments: None for a flag, an array for a tuple, and so on.

``python -m conformance.record.leniency --list``, in ``tests/`` and with this package, writes the calls that
``cases/leniency.py`` makes of the public callables into ``leniency.json.gz``. With the Python of a MindSpore,
``python -m conformance.record.leniency VERSION`` then writes what each call gives there. A process is started anew
after a call that ends it. ``--keep`` leaves those that all recorded versions take.
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys

FILE = pathlib.Path(__file__).parent.parent / "vectors" / "leniency.json.gz"


def read():
    """The recorded rows: ``{call: {version: outcome}}``."""
    return json.loads(gzip.decompress(FILE.read_bytes()))


def write(rows):
    """Write the rows."""
    FILE.write_bytes(gzip.compress(json.dumps(rows, indent=0, sort_keys=True).encode(), mtime=0))


def child(first):
    """Print the outcome of each call from a place on, one a line."""
    import mindspore as ms
    from conformance.cases import leniency

    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    for call in sorted(read())[first:]:
        print("@", flush=True)
        print(leniency.outcome(ms, call), flush=True)


def outcomes(count):
    """The outcomes of all calls; "ends the process" where one does."""
    found = []
    while len(found) < count:
        command = [sys.executable, "-m", "conformance.record.leniency", "--from", str(len(found))]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        parts = done.stdout.decode(errors="replace").split("@\n")[1:]
        if not parts:
            raise RuntimeError(f"no call could be made from the place {len(found)} on")
        found += [part.strip().splitlines()[-1] if part.strip() else "ends the process" for part in parts]
        print(len(found), "of", count, file=sys.stderr, flush=True)
    return found


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("version", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--from", type=int, dest="first")
    given = parser.parse_args()
    if given.first is not None:
        child(given.first)
    elif given.list:
        from conformance.cases import leniency

        write({call: {} for call in leniency.calls()})
    elif given.keep:
        write({call: row for call, row in read().items() if all(x.startswith("takes") for x in row.values())})
    else:
        rows = read()
        for call, outcome in zip(sorted(rows), outcomes(len(rows))):  # noqa: B905 - MindSpore's Python
            rows[call][given.version] = outcome
        write(rows)


if __name__ == "__main__":
    main()
