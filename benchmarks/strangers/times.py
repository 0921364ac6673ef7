"""Time the programs of strangers: the seconds between two numbers that they print, beside MindSpore in graph mode.

::

    python benchmarks/strangers/times.py FOLDER --mindspore-python PATH [--only NAME ...] [--seconds 120]

A program runs as it is under minispore. MindSpore runs it in graph mode, and as it is where that ends in an error. Both
print as many numbers, so that the time from the end of the first quarter of them to the last is that of the same
steps, without what is compiled before the first. Data are read, and pictures drawn, in both.
"""

import argparse
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from run import HERE, NUMBER, read, surroundings, title, write_data


def stamps(command, root, program, env, seconds):
    """The times at which a program had printed its first, second, ... number, and how it ended."""
    script = (root / program["path"]).resolve()
    folder = root / program["folder"] if "folder" in program else script.parent
    whole = [*command, str(HERE.resolve() / "prelude.py"), str(script), *program["arguments"].split()]
    end, found, text = time.perf_counter() + seconds, [], ""
    number, other = (re.compile(program["pattern"]), subprocess.STDOUT) if "pattern" in program else (NUMBER, None)
    with subprocess.Popen(
        whole, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=other or subprocess.DEVNULL
    ) as process:
        while select.select([process.stdout], [], [], max(end - time.perf_counter(), 0))[0]:
            part = os.read(process.stdout.fileno(), 65536)
            if not part:
                return found, process.wait()
            text += part.decode(errors="replace")
            found += [time.perf_counter()] * (len(number.findall(text)) - len(found))
        process.kill()
    return found, "time"


def per_number(found, count):
    """The seconds from one number to the next, of the numbers from the first quarter of ``count`` to the last.

    Not a number where they come in fewer than four pieces: such a program prints what it had long before.
    """
    part = found[count // 4 : count]
    return (part[-1] - part[0]) / (len(part) - 1) if len({*part}) > 3 else float("nan")


def timed(root, peer, repository, program, seconds):
    """One row: milliseconds for a number under minispore, under MindSpore, the mode of the latter."""
    env = {**surroundings(root, repository), "PYTHONUNBUFFERED": "1", "GLOG_v": "4"}
    runs = {}
    for name, command in (
        ("ours", [sys.executable, "-m", "minispore", "run"]),
        ("graph", [peer]),
        ("as it is", [peer]),
    ):
        if name == "as it is" and len(runs["graph"]) > 0.5 * len(runs["ours"]):
            continue
        write_data(root, repository.get("data", {}), program.get("data", {}))
        runs[name], _ = stamps(command, root, program, {**env, "STRANGERS_TIMED": name}, seconds)
    mode = "as it is" if "as it is" in runs else "graph"
    count = min(len(runs["ours"]), len(runs[mode]))
    return 1e3 * per_number(runs["ours"], count), 1e3 * per_number(runs[mode], count), mode, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mindspore-python", required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=120)
    given, ratios = parser.parse_args(), []
    for name, repository in read("programs").items():
        for program in repository["programs"]:
            full = f"{name}/{title(program)}"
            if (given.folder / name / program["path"]).exists() and any(word in full for word in given.only or [""]):
                ours, theirs, mode, count = timed(
                    given.folder / name, given.mindspore_python, repository, program, given.seconds
                )
                ratios += [ours / theirs] * bool(ours > 0 and theirs > 0)
                print(
                    f"{full}: {ours:.2f} / {theirs:.2f} ms = {ours / theirs:.2f} ({mode}, {count} numbers)", flush=True
                )
    if ratios:
        print(f"{len(ratios)} programs: median {np.median(ratios):.2f}, largest {max(ratios):.2f}")


if __name__ == "__main__":
    main()
