"""Record what the real MindSpore takes in place of usual arguments: None for a flag, an array for a tuple, and so on.

``python -m conformance.record.leniency --list``, in ``tests/`` and with this package, writes the calls that
``cases/leniency.py`` makes of the public callables into ``leniency.json.gz``. With the Python of a MindSpore,
``python -m conformance.record.leniency VERSION`` then writes what each call gives there, in a process of its own: what
MindSpore takes depends on the calls before it. ``--keep`` leaves those that all recorded versions take.
"""

import argparse
import gzip
import json
import os
import pathlib
import select
import signal

from conformance.cases import leniency

FILE = pathlib.Path(__file__).parent.parent / "vectors" / "leniency.json.gz"


def read():
    """The recorded rows: ``{call: {version: outcome}}``."""
    return json.loads(gzip.decompress(FILE.read_bytes()))


def write(rows):
    """Write the rows."""
    FILE.write_bytes(gzip.compress(json.dumps(rows, indent=0, sort_keys=True).encode(), mtime=0))


def in_a_fork(ms, call, seconds=60):
    """What a call gives in a process of its own, which has run nothing before it."""
    read_end, write_end = os.pipe()
    process = os.fork()
    if not process:
        try:
            ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
            os.write(write_end, leniency.outcome(ms, call).encode())
        finally:
            os._exit(0)
    os.close(write_end)
    ended, _, _ = select.select([read_end], [], [], seconds)
    said = os.read(read_end, 1000).decode() if ended else "hangs"
    os.close(read_end)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return said or "ends the process"


def record(version):
    """Write what each call gives in this MindSpore."""
    import mindspore as ms

    leniency.environment(ms)  # imports what the calls use
    rows = read()
    for call, row in rows.items():
        row[version] = in_a_fork(ms, call)
    write(rows)


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("version", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    if given.list:
        write({call: {} for call in leniency.calls()})
    elif given.keep:
        write({call: row for call, row in read().items() if all(x.startswith("takes") for x in row.values())})
    else:
        record(given.version)


if __name__ == "__main__":
    main()
