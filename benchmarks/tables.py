"""The tables of a run, in Markdown: what is printed as a run goes on, and what the page is made of."""

from figures import copied_ms, doublings, good, limit_ms, middle, ratio
from peers import EAGER, RECORDED, TORCH
from workloads import WORKLOADS

NONE = "-"


def table(header, rows):
    """A Markdown table, its columns aligned: the first to the left, the others to the right."""
    lines = [header, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    cells = [
        [x.rjust(w) if i else x.ljust(w) for i, (x, w) in enumerate(zip(line, widths, strict=True))] for line in lines
    ]
    rule = ["-" * widths[0], *("-" * (w - 1) + ":" for w in widths[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in [cells[0], rule, *cells[1:]])


def number(value, form=".2f"):
    return NONE if value is None else format(value, form)


def spread(found):
    """A ratio with its spread, or without where there was one round."""
    if found is None:
        return NONE
    value, low, high = found
    return f"{value:.2f}" if low == high else f"{value:.2f} ({low:.2f} to {high:.2f})"


def steps(name, peers):
    """One workload's table: a line for each peer."""
    workload = WORKLOADS[name]
    unit, scale = ("us/op", 1e3 / workload.operations) if workload.operations else ("ms", 1.0)
    header = ["", f"median {unit}", f"least {unit}", f"processor {unit}", "to PyTorch", "processor time to PyTorch's"]
    rows = []
    for label, rounds in peers.items():
        if not good(rounds):
            rows.append([label, "failed", *[NONE] * 4])
            continue
        least = min(each["least_ms"] for each in good(rounds))
        times = [f"{x * scale:.2f}" for x in (middle(rounds), least, middle(rounds, "cpu_ms"))]
        ratios = [spread(ratio(rounds, peers.get(TORCH), field)) for field in ("wall_ms", "cpu_ms")]
        rows.append([label, *times, *(ratios if label != TORCH else ["1", "1"])])
    return table(header, rows)


def targets(workloads, clock, limits):
    """Every workload's ratios to PyTorch on one thread beside its targets, and the ratio of its products alone."""
    rows = []
    for name, peers in workloads.items():
        target, base = WORKLOADS[name].target, middle(peers.get(TORCH), clock)
        aims = [number(x) for x in target] if target else [NONE] * 3
        eager, recorded = (spread(ratio(peers.get(label), peers.get(TORCH), clock)) for label in (EAGER, RECORDED))
        products = middle(limits.get(name), "products_ms")
        floor = products / base if products is not None and base else None
        rows.append([name, eager, *aims[:2], recorded, aims[2], number(floor)])
    return table(["", "eager", "must", "goal", "graph mode", "goal", "products alone"], rows)


def single(peers, *fields):
    """A line for each peer, with the medians of some fields."""
    header = ["", *(f"{word} {unit}".strip() for _, word, unit in fields)]
    rows = [[label, *(number(middle(rounds, field), ".1f") for field, *_ in fields)] for label, rounds in peers.items()]
    return table(header, rows)


def imports(peers):
    return single(peers, ("import_ms", "import", "ms"), ("import_cpu_ms", "processor", "ms"))


def peak(peers):
    return single(peers, ("before_mb", "before the first step", "MB"), ("peak_mb", "peak of the steps above it", "MB"))


def growth(peers):
    return single(peers, ("before_mb", "after 100 steps", "MB"), ("growth_mb", "growth over the next 1,000", "MB"))


def batches(peers):
    """Time and peak memory at each batch size, and the greatest factor of a doubling."""
    rows = []
    for label, found in peers.items():
        for field, what in (("wall_ms", "ms"), ("cpu_ms", "processor ms"), ("peak_mb", "MB")):
            most = max(doublings(found, field), default=None)
            line = [number(middle(rounds, field), ".1f") for rounds in found.values()]
            rows.append([f"{label}, {what}", *line, number(most)])
    sizes = next(iter(peers.values()), {})
    return table(["batch", *sizes, "most for twice the batch"], rows)


def levels(peers):
    """Times at each level, with the ratio to the peer's own O0 in brackets."""
    rows = []
    for label, found in peers.items():
        line = [label]
        for level, rounds in found.items():
            own = ratio(rounds, found["O0"], "cpu_ms")
            line.append(number(middle(rounds)) + (f" ({own[0]:.2f})" if own and level != "O0" else ""))
        rows.append(line)
    names = next(iter(peers.values()), {})
    return table(["ms (processor time to O0's)", *names], rows)


def bounds(workloads):
    """What each step's processor time goes to, and how much it moves."""
    header = [
        "",
        "step ms",
        "products alone",
        "other kernels",
        "Python",
        "GFLOP",
        "operations",
        "MB moved",
        "copied in ms",
    ]
    rows = []
    for name, rounds in workloads.items():
        for found in good(rounds):
            step, products = found["step_ms"], min(found["products_ms"], found["computing_ms"])
            python = max(0.0, step - found["computing_ms"])
            parts = (products, max(0.0, step - products - python), python)
            moved = copied_ms(found)
            counts = [f"{found['gigaflops']:.2f}", str(found["operations"]), f"{found['moved_mb']:.1f}", f"{moved:.1f}"]
            rows.append([name, f"{step:.1f}", *(f"{part:.1f} ({part / step:.0%})" for part in parts), *counts])
    return table(header, rows)


def limits(workloads):
    """How near each step comes to its products and its copies alone."""
    rows = []
    for name, rounds in workloads.items():
        must = WORKLOADS[name].near
        for found in good(rounds):
            eager, recorded = (f"{found[key] / limit_ms(found):.2f}" for key in ("step_ms", "recorded_ms"))
            rows.append([name, f"{limit_ms(found):.2f}", eager, recorded, f"{must:.1f}" if must else "-"])
    return table(["", "products + copies, ms", "eager to it", "recorded to it", "must"], rows)


def costliest(workloads):
    """The primitives that a step spends most on."""
    rows = []
    for name, rounds in workloads.items():
        for found in good(rounds):
            parts = [f"{each} {ms:.1f} ({ms / found['step_ms']:.0%})" for each, ms in found["costliest"].items()]
            rows.append(f"- `{name}`: {', '.join(parts)}.")
    return "\n".join(rows)
