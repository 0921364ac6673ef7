"""What a run's numbers say: ratios of medians with their spread, and which targets are missed by how much.

A peer's measurements are a list, one for each round; ratios pair the rounds, in which the peers ran in turn.
"""

from itertools import pairwise
from statistics import median

from peers import AFTER_NUMPY, AUTOGRAD, EAGER, MS_GRAPH, MS_PYNATIVE, RECORDED, TORCH
from workloads import LEVEL_GOAL, LEVEL_MUST, WORKLOADS

OTHERS = {TORCH, MS_GRAPH, MS_PYNATIVE, AUTOGRAD}
IMPORT_LIMIT_MS = 200
LEAST_GROWTH_MB = 1.0  # below which memory has not grown, but a page here and there
LARGEST_DOUBLING = 2.2  # of time or memory where the batch doubles, for growth that is linear


def good(rounds):
    """The rounds that did not fail."""
    return [each for each in rounds or [] if "failed" not in each]


def middle(rounds, field="wall_ms"):
    """The median over the rounds, or None."""
    return median(each[field] for each in good(rounds)) if good(rounds) else None


def ratio(rounds, base, field="wall_ms"):
    """The ratio of the medians, and the least and greatest ratio of a single round; None where one has no number."""
    mine, theirs = good(rounds), good(base)
    if not mine or not theirs:
        return None
    single = [a[field] / b[field] for a, b in zip(mine, theirs, strict=False)]
    return middle(mine, field) / middle(theirs[: len(mine)], field), min(single), max(single)


def _above(what, found, limit, unit="x"):
    return f"{what}: {found:.2f}{unit}, {found - limit:.2f} above {limit}{unit}"


def missed_alone(name, peers, clock):
    """The targets that a workload misses on one thread against PyTorch: pairs of "must" or "goal", and a sentence."""
    target, missed = WORKLOADS[name].target, []
    if target is None:
        return missed
    aims = [(EAGER, "must", target.must), (AFTER_NUMPY, "must", target.must), (EAGER, "goal", target.goal)]
    for label, kind, limit in [*aims, (RECORDED, "goal", target.recorded)]:
        found = ratio(peers.get(label), peers.get(TORCH), clock)
        if limit and found and found[0] > limit:
            missed.append((kind, _above(f"{name}, {label}, on one thread, to PyTorch", found[0], limit)))
    return missed


def missed_beside_mindspore(name, peers):
    """The targets that a workload misses on two threads against MindSpore, mode against like mode."""
    must_beat = "must" if WORKLOADS[name].beats_graph else "goal"
    missed = []
    for label, other, kind in ((EAGER, MS_PYNATIVE, "must"), (RECORDED, MS_GRAPH, must_beat)):
        found = ratio(peers.get(label), peers.get(other))
        if found and found[0] > 1:
            missed.append((kind, _above(f"{name}, {label}, on two threads, to {other}", found[0], 1.0)))
    return missed


def copied_ms(bounds):
    """The milliseconds of a plain copy of as many bytes as a step moves."""
    return bounds["moved_mb"] * 2**20 / bounds["copy_gb_a_second"] / 1e6


def limit_ms(bounds):
    """The milliseconds of a step's products and copies alone."""
    return bounds["products_ms"] + copied_ms(bounds)


def missed_limit(name, rounds):
    """The must of a recorded step beside its products and copies alone."""
    must = WORKLOADS[name].near
    found = [each["recorded_ms"] / limit_ms(each) for each in good(rounds)]
    above = [ratio for ratio in found if must and ratio > must]
    return [("must", _above(f"{name}, recorded, to its products and copies", ratio, must)) for ratio in above]


def missed_on_two(name, peers):
    """The must of a workload on two threads against PyTorch on two."""
    must, found = WORKLOADS[name].on_two, ratio(peers.get(EAGER), peers.get(TORCH))
    over = WORKLOADS[name].target is not None and found is not None and found[0] > must
    return [("must", _above(f"{name}, {EAGER}, on two threads, to PyTorch", found[0], must))] if over else []


def missed_levels(name, peers, clock):
    """The targets of mixed precision: O2 and O3 beside our O0, and beside MindSpore's in both modes."""
    missed = []
    for label in (EAGER, RECORDED):
        mine = peers.get(label, {})
        for level in ("O2", "O3"):
            own = ratio(mine.get(level), mine.get("O0"), clock)
            for kind, limit in (("must", LEVEL_MUST), ("goal", LEVEL_GOAL)):
                if own and own[0] > limit:
                    missed.append((kind, _above(f"{name} at {level}, {label}, to its O0", own[0], limit)))
            for other in (MS_GRAPH, MS_PYNATIVE):
                found = ratio(mine.get(level), peers.get(other, {}).get(level), clock)
                if found and found[0] > 1:
                    missed.append(("must", _above(f"{name} at {level}, {label}, to {other}", found[0], 1.0)))
    return missed


def doublings(batches, field):
    """For each doubling of the batch the factor by which the median grows."""
    found = [middle(rounds, field) for rounds in batches.values()]
    return [b / a for a, b in pairwise(found) if a and b]


def missed_memory(results):
    """The targets of memory: a step's peak, growth over many steps, and growth with the batch."""
    missed = []
    for label in (EAGER, RECORDED):
        found = ratio(results["peak"].get(label), results["peak"].get(TORCH), "peak_mb")
        if found and found[0] > 1:
            missed.append(("must", _above(f"peak memory of a ResNet-20 step, {label}, to PyTorch", found[0], 1.0)))
        grown = middle(results["growth"].get(label), "growth_mb")
        if grown is not None and grown > LEAST_GROWTH_MB:
            missed.append(("must", _above(f"growth over 1,000 steps, {label}", grown, LEAST_GROWTH_MB, " MB")))
        for field, what in ((results["clock"], "time"), ("peak_mb", "peak memory")):
            most = max(doublings(results["batches"].get(label, {}), field), default=0)
            if most > LARGEST_DOUBLING:
                sentence = _above(f"{what} where the batch doubles, {label}", most, LARGEST_DOUBLING)
                missed.append(("must", sentence))
    return missed


def failures(results, *path):
    """Where minispore failed, at any depth of the results: pairs of "must", and a sentence."""
    for key, value in results.items():
        if isinstance(value, dict):
            yield from failures(value, *path, key)
        elif isinstance(value, list) and not OTHERS & {*path, key}:
            said = {each["failed"] for each in value if "failed" in each}
            yield from (("must", f"{', '.join((*path, key))}: failed ({each})") for each in said)


def all_missed(results):
    """Every missed target, each once: musts first."""
    clock, missed = results["clock"], list(failures(results))
    for name, peers in results["steps"].get("1", {}).items():
        missed += missed_alone(name, peers, clock)
    for name, peers in results["steps"].get("2", {}).items():
        missed += missed_on_two(name, peers) + missed_beside_mindspore(name, peers)
    for name, rounds in results["bounds"].items():
        missed += missed_limit(name, rounds)
    for name, peers in results["levels"].items():
        missed += missed_levels(name, peers, clock)
    missed += missed_memory(results)
    imported = middle(results["import"].get(EAGER), "import_ms" if clock == "wall_ms" else "import_cpu_ms")
    if imported and imported > IMPORT_LIMIT_MS:
        missed.append(("must", _above("import of minispore", imported, IMPORT_LIMIT_MS, " ms")))
    return sorted(missed, key=lambda pair: pair[0] != "must")
