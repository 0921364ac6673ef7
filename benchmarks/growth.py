"""Time and memory of a training step as a layer, a network or its input grows, beside PyTorch: a table and curves.

    python benchmarks/growth.py --write docs/reference/growth.md      # about ten minutes on an idle machine
    python benchmarks/growth.py lstm mlp                              # some kinds, printed
    python benchmarks/growth.py --quick                               # every row with two rounds: that it runs

One interpreter must have both and, for the curves, matplotlib. Each row is a fresh process on one thread. There
minispore and PyTorch take a step in turn, eager and then recorded, for a bounded number of rounds. Times are of the
processor, so that a busy machine tells the same ratios. Memory is measured in processes of its own.
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import machine
import memory
from tables import table

HERE = Path(__file__).resolve().parent
WARM_UP = 3  # steps before the timed ones: a recorded step records two
SECONDS, MOST = 1.5, 60  # of timed steps of both, eager or recorded, and the most rounds
PEAK_STEPS = 4
EAGER_MUST, RECORDED_MUST = 1.5, 1.3  # the largest ratios to PyTorch
IMAGES = HERE.parent / "docs" / "images"


class Kind(NamedTuple):
    """What grows: its sizes, the module of the workloads and the argument that has the size."""

    about: str
    sizes: tuple
    argument: str | None
    module: str
    others: dict = {}  # the module's other arguments  # noqa: RUF012
    memory: bool = False


KINDS = {
    "embedding": Kind("Embedding of 64, batch 64 x 32: words", (1_000, 10_000, 100_000), None, "embedding"),
    "lstm": Kind("LSTM of 128, batch 16: steps", (16, 128, 1024), None, "lstm", memory=True),
    "convolution": Kind(
        "Conv2d, batch 16: channels, pixels, kernel",
        ((16, 64, 3), (16, 64, 7), (64, 32, 3), (64, 56, 1)),
        None,
        "convolution",
    ),
    "mlp": Kind("MLP 784-512-512-10, Adam: batch", (1, 8, 64, 512), "batch", "mlp"),
    "depth": Kind("Dense layers of 256, batch 64: layers", (2, 8, 32), None, "depth", memory=True),
    "width": Kind("Three Dense layers, batch 64: width", (64, 256, 1024), None, "width", memory=True),
    "batch": Kind("LeNet-5: batch", (8, 64, 256), "batch", "lenet5", memory=True),
    "sequence": Kind("Transformer encoder block, batch 16: positions", (16, 64, 256), "length", "encoder", memory=True),
    "image": Kind("ResNet-20, batch 4: pixels", (16, 32, 64), "pixels", "resnet20", {"batch": 4}, memory=True),
}
LEVELS = {  # networks at O2, beside their O0
    "resnet20": lambda ms, level: _module("resnet20").cells(ms, 16, level),
    "mobilenet_v2": lambda ms, level: _module("growing").mobilenet(ms, level),
}
ALL = (*KINDS, "levels")


def _module(name):
    return importlib.import_module(f"workloads.{name}")


def built(framework, kind, size):
    """The step of a row."""
    kind = KINDS[kind]
    size = tuple(size) if isinstance(size, list) else size
    if kind.argument is None:
        return getattr(_module("growing"), kind.module)(framework, size)
    function = getattr(_module(kind.module), "torch" if framework.__name__ == "torch" else "cells")
    return function(framework, **kind.others, **{kind.argument: size})


def milliseconds(function):
    start = time.process_time()
    function()
    return (time.process_time() - start) * 1e3


def in_turn(steps, quick):
    """The median milliseconds of each of some steps, which are taken in turn."""
    for _ in range(WARM_UP):
        for step in steps:
            step()
    found, end = [], time.process_time() + SECONDS
    while len(found) < 2 or (not quick and len(found) < MOST and time.process_time() < end):
        found.append([milliseconds(step) for step in steps])
    return [median(times) for times in zip(*found, strict=True)]


def frameworks():
    """``(minispore, torch)``, on one thread each."""
    ms, torch = importlib.import_module("minispore"), importlib.import_module("torch")
    torch.set_num_threads(1)
    ms.set_context(runtime_num_threads=1)
    return ms, torch


def timed(kind, size, quick):
    """``[minispore, PyTorch]`` in milliseconds, eager and recorded."""
    ms, torch = frameworks()
    both, found = [built(ms, kind, size), built(torch, kind, size)], {}
    for name, mode in (("eager", ms.PYNATIVE_MODE), ("recorded", ms.GRAPH_MODE)):
        ms.set_context(mode=mode)
        found[name] = in_turn(both, quick)
    return found


def leveled(name, quick):
    """``[O2, O0]`` in milliseconds, eager and recorded."""
    ms, _ = frameworks()
    found = {}
    for mode_name, mode in (("eager", ms.PYNATIVE_MODE), ("recorded", ms.GRAPH_MODE)):
        ms.set_context(mode=mode)
        found[mode_name] = in_turn([LEVELS[name](ms, level) for level in ("O2", "O0")], quick)
    return found


def peak(framework, kind, size):
    """How many megabytes above what the process holds before the first step memory rises."""
    found = importlib.import_module(framework)
    if framework == "torch":
        found.set_num_threads(1)
    step = built(found, kind, size)
    memory.forget_peak()
    before = memory.resident_mb()
    for _ in range(PEAK_STEPS):
        step()
    return memory.peak_mb() - before


def alone(function, *arguments):
    """What a function of this module returns in a process of its own, on one thread."""
    code = f"import json, growth; print(json.dumps(growth.{function}(*{arguments!r})))"
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    environment = {**os.environ, **threads, "PYTHONPATH": str(HERE.parent)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=HERE, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def measured(names, quick):
    """``{kind: [row, ...]}``: for each size the times and, where a kind has it, the memory of both."""
    found = {}
    for name in names:
        if name == "levels":
            found[name] = [{"size": net, **alone("leveled", net, quick)} for net in LEVELS]
            continue
        found[name] = []
        for size in KINDS[name].sizes:
            row = {"size": size, **alone("timed", name, size, quick)}
            if KINDS[name].memory:
                row["memory"] = [alone("peak", framework, name, size) for framework in ("minispore", "torch")]
            found[name].append(row)
            print(f"  {name} {shown(size)}", file=sys.stderr, flush=True)
    return found


def shown(size):
    return ", ".join(map(str, size)) if isinstance(size, list | tuple) else f"{size:,}" if size != str(size) else size


def ratio(pair):
    return pair[0] / pair[1]


def kind_table(name, rows):
    """The table of a kind: times, ratios, memory."""
    header = ["", "PyTorch ms", "eager ms", "ratio", "recorded ms", "ratio"]
    header += ["MB", "PyTorch MB"] * KINDS[name].memory
    lines = []
    for row in rows:
        eager, recorded = row["eager"], row["recorded"]
        line = [eager[1], eager[0], ratio(eager), recorded[0], ratio(recorded)]
        lines.append([shown(row["size"]), *(f"{x:.2f}" for x in line), *(f"{x:.1f}" for x in row.get("memory", ()))])
    return table(header, lines)


def level_table(rows):
    """The table of O2 beside O0."""
    header = ["", "O0 ms", "O2 ms", "ratio", "recorded O0 ms", "recorded O2 ms", "ratio"]
    lines = []
    for row in rows:
        times = [x for mode in ("eager", "recorded") for x in (*row[mode][::-1], ratio(row[mode]))]
        lines.append([row["size"], *(f"{x:.2f}" for x in times)])
    return table(header, lines)


def missed(results):
    """A sentence for each ratio to PyTorch above its must."""
    for name, rows in results.items():
        for row in [] if name == "levels" else rows:
            for mode, most in (("eager", EAGER_MUST), ("recorded", RECORDED_MUST)):
                if ratio(row[mode]) > most:
                    yield f"{KINDS[name].about} {shown(row['size'])}, {mode}: {ratio(row[mode]):.2f}, above {most}."


def sections(results):
    """The tables, each under its title."""
    for name, rows in results.items():
        title = "O2 beside O0, in minispore" if name == "levels" else KINDS[name].about
        yield f"### {title}\n\n{level_table(rows) if name == 'levels' else kind_table(name, rows)}\n"


def draw(results, theme, path):
    """Each kind's curve: the ratio to PyTorch over its sizes, eager and recorded."""
    from matplotlib.figure import Figure

    ink = "#1f2328" if theme == "light" else "#e8eaed"
    figure = Figure(figsize=(9, 6.5), layout="constrained")
    names = [name for name in results if name != "levels"]
    axes = figure.subplots(3, 3, sharey=True, squeeze=False).ravel()
    for axis, name in zip(axes, names, strict=False):
        _curve(axis, KINDS[name], results[name], ink)
    for axis in axes[len(names) :]:
        axis.set_visible(False)
    axes[0].legend(fontsize=8, frameon=False, labelcolor=ink)
    figure.savefig(path, transparent=True, metadata={"Date": None})


def _curve(axis, kind, rows, ink):
    labels, places = [shown(row["size"]) for row in rows], range(len(rows))
    for mode, colour in (("eager", "#c8590a"), ("recorded", "#2f6fb7")):
        axis.plot(places, [ratio(row[mode]) for row in rows], "o-", color=colour, label=mode, markersize=4)
    axis.axhline(1, color=ink, linewidth=0.8, linestyle=":")
    axis.set_title(kind.about, fontsize=8, color=ink)
    axis.set_xticks(places, labels, fontsize=8)
    axis.set_ylim(bottom=0)
    axis.tick_params(colors=ink, labelsize=8)
    for side in axis.spines.values():
        side.set_color(ink)


def page(results, minutes, versions):
    """The page of all numbers."""
    template = (HERE / "growth_template.md").read_text()
    said = "\n".join(f"- {name}: {value}." for name, value in machine.described().items())
    above = "\n".join(f"- {sentence}" for sentence in missed(results)) or "- None."
    parts = {"MACHINE": said, "VERSIONS": versions, "MINUTES": f"{minutes:.0f}", "ABOVE": above}
    parts |= {"TABLES": "\n".join(sections(results)).rstrip()}
    for name, text in parts.items():
        template = template.replace(f"<{name}>", text)
    return template


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="KIND", help=f"of {', '.join(ALL)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="two rounds of each row: that it runs")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep the numbers there")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the page there, and its pictures")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(ALL):
        parser.error(f"nothing is named {', '.join(sorted(unknown))}; there are {', '.join(ALL)}")
    return options


def main(arguments=None):
    options, start = parse(arguments), time.perf_counter()
    results = measured(options.names or ALL, options.quick)
    minutes = (time.perf_counter() - start) / 60
    print("\n".join(sections(results)) + "\n" + "\n".join(f"Above: {sentence}" for sentence in missed(results)))
    print(f"\n{minutes:.1f} minutes")
    if options.results:
        options.results.write_text(json.dumps(results))
    if options.write:
        ms, torch = frameworks()
        options.write.write_text(page(results, minutes, f"minispore {ms.__version__}, PyTorch {torch.__version__}"))
        for draw_one in (partial(draw, results, theme, IMAGES / f"growth_{theme}.svg") for theme in ("light", "dark")):
            draw_one()
    return 0


if __name__ == "__main__":
    sys.exit(main())
