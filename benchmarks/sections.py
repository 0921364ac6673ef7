"""The sections of a run: each starts its processes, peers in turn and round after round, and fills in the results."""

from peers import AFTER_NUMPY, AUTOGRAD, EAGER, MS_GRAPH, MS_PYNATIVE, RECORDED, TORCH, measured
from workloads import BATCHES, LEVELLED, LEVELS, WORKLOADS

IMPORT_ROUNDS = 5
SLOW = (MS_GRAPH, MS_PYNATIVE, AUTOGRAD)  # they take part in the first rounds only
OURS = (EAGER, RECORDED)


def in_turn(peers, task, rounds, options, told):
    """For each peer's label what its processes find; the peers run in turn, so that noise falls on all alike."""
    found = {peer.label: [] for peer in peers}
    for i in range(rounds):
        for peer in peers:
            if i < options.peer_rounds or peer.label not in SLOW:
                found[peer.label].append(measured(peer, task))
                _tell(told, peer.label, found[peer.label][-1])
    return found


def _tell(told, label, found):
    for message in [found["failed"]] if "failed" in found else found["refusals"]:
        told(f"{label}: {message}")


def _task(kind, module, arguments, threads, seconds):
    return {"kind": kind, "module": module, "arguments": arguments, "threads": threads, "seconds": seconds}


def _taking_part(workload, threads, peers):
    """The peers that a workload is timed under."""
    left_out = set() if workload.graph else {RECORDED, MS_GRAPH}
    if not workload.after_numpy or threads > 1:
        left_out.add(AFTER_NUMPY)
    if not workload.arrays or threads > 1:
        left_out.add(AUTOGRAD)
    return [peer for peer in peers if peer.label not in left_out]


def steps(name, threads, peers, options, told):
    """Times of a workload's step under every peer."""
    workload = WORKLOADS[name]
    task = _task("steps", workload.module, workload.arguments, threads, options.seconds)
    return in_turn(_taking_part(workload, threads, peers), task, options.rounds, options, told)


def imports(peers, options, told):
    """Times of the import alone."""
    kept = [peer for peer in peers if peer.label not in (RECORDED, MS_PYNATIVE)]
    return in_turn(kept, {"threads": 1}, IMPORT_ROUNDS, options, told)


def peak(peers, options, told):
    """Peak memory of ResNet-20's step."""
    task = _task("peak", "resnet20", {"batch": 64}, 1, 0)
    kept = [peer for peer in peers if peer.label not in (AFTER_NUMPY, AUTOGRAD)]
    return in_turn(kept, task, 1, options, told)


def growth(peers, options, told):
    """What memory grows by over 1,000 steps of LeNet-5."""
    task = _task("growth", "lenet5", {"batch": 32}, 1, 0)
    return in_turn([peer for peer in peers if peer.label in (*OURS, TORCH)], task, 1, options, told)


def batches(peers, options, told):
    """Times and peak memory of LeNet-5 over batch sizes, a process each."""
    kept = [peer for peer in peers if peer.label in (*OURS, TORCH)]
    found = {peer.label: {} for peer in kept}
    for batch in BATCHES:
        task = _task("batches", "lenet5", {"batch": batch}, 1, options.seconds)
        for label, rounds in in_turn(kept, task, 1, options, told).items():
            found[label][str(batch)] = rounds
    return found


def levels(name, peers, options, told):
    """Times of a workload's step at each level of mixed precision, minispore and MindSpore."""
    workload = WORKLOADS[name]
    kept = [peer for peer in peers if peer.label in (*OURS, MS_GRAPH, MS_PYNATIVE)]
    found = {peer.label: {} for peer in kept}
    for level in LEVELS:
        task = _task("steps", workload.module, {**workload.arguments, "level": level}, 1, options.seconds)
        for label, rounds in in_turn(kept, task, 1, options, told).items():
            found[label][level] = rounds
    return found


def bounds(name, peers, options, told):
    """What bounds a workload's step."""
    workload = WORKLOADS[name]
    task = _task("bounds", workload.module, workload.arguments, 1, 0)
    return in_turn([peer for peer in peers if peer.label == EAGER], task, 1, options, told)[EAGER]


def plan(chosen, threads):
    """The places of the results that a run fills, each with its section: ``[((key, ...), function, ...), ...]``."""
    found = [(("steps", str(n), name), steps, name, n) for n in threads for name in WORKLOADS if name in chosen]
    found += [((key,), section) for key, section in SINGLE.items() if key in chosen]
    if "levels" in chosen:
        found += [(("levels", name), levels, name) for name in LEVELLED]
    if "bounds" in chosen:
        found += [(("bounds", name), bounds, name) for name in WORKLOADS]
    return found


SINGLE = {"import": imports, "peak": peak, "growth": growth, "batches": batches}
NAMES = (*WORKLOADS, *SINGLE, "levels", "bounds")
