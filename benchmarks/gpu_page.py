"""The page on performance on a GPU: a run's figures in words and tables; what was not measured is said to be so."""

from statistics import median

ABOUT = {
    "mlp": "784-512-512-10 with ReLU, Adam",
    "lenet5": "LeNet-5 on 28 x 28, Momentum",
    "encoder": "a Transformer encoder block: width 128, 4 heads, 64 positions, Momentum",
    "lstm": "an LSTMCell of 64 over 28 steps, Momentum",
    "lstm_layer": "nn.LSTM of 64 over 28 steps, Momentum",
    "gru_layer": "nn.GRU of 64 over 28 steps, Momentum",
    "rnn_cell": "an RNNCell of 64 over 28 steps, Momentum",
    "resnet20": "ResNet-20 on 3 x 32 x 32, Momentum",
}
BATCHES = dict.fromkeys(ABOUT, 128) | {"encoder": 16}
# At O2 with a dynamic loss scale: the most device operations that a step may ask for, and the goal
MOST = dict.fromkeys(ABOUT, ("", "")) | {"mlp": (40, 20), "lenet5": (65, 35), "encoder": (100, 60), "lstm": (250, 150)}
MOST["resnet20"] = 290, 200
MOST_BYTES = 1.3  # of the floor
COMPARED = 5  # first losses: later ones of a network with BatchNorm part by rounding alone

HEAD = """# Performance on a GPU

`benchmarks/gpu.py` writes this page. On a machine with a GPU one command says what the machine is, runs the device
tests and checks, and times training steps beside PyTorch's:

```bash
pip install -e ".[gpu,test]"
python benchmarks/gpu.py --torch-python PATH     # PATH: an interpreter that has PyTorch for this GPU
```
"""

NO_GPU = """**No GPU was at hand when this page was written: it has no times, and none were estimated.** What follows is
counted on CuPy with the CPU as its device ([how](../tests/cpucuda/README.md)), where operations, waits and bytes are
what they are on a GPU. Nothing of a GPU's speed follows from it but that each operation costs a launch, each wait an
idle device, and each byte its way through memory.
"""

NO_TIMES = "No times were taken in this run.\n"

NO_COUNTS = "Not counted in this run: `benchmarks/gpu.py --counts` counts, with CuPy on the CPU's CUDA."

COUNTED = """## What a training step asks of the device

Device operations are kernels, products, memsets and copies, or the launch of a whole CUDA graph; a wait is the host
waiting for the device. They are counted at a batch of 2: a larger batch may share a sum among more blocks, not among
more operations. "must" and "goal" are the most operations that the project allows itself and aims at, at O2 with a
dynamic loss scale.

{operations}

In graph mode a step copies its two inputs, and launches a graph; "in the graph" are that graph's own operations. They
are fewer than the eager step's, and no more at O2 than at O0: one launch does a group of elementwise operations, all
sums for biases, the results and new values, and at O2 the check, the unscaling and the update; the input is cast as it
is copied ([how](../explain/captured_steps.md#fewer-operations)). Each operation rounds as it does alone. So a captured
step still has the bits of an eager one. cuBLASLt's epilogues would round a float16 product and its bias once, where the
eager step rounds twice: they are not used.

At O2 an eager step does three things that one at O0 does not: it casts the input; one launch unscales the gradients,
looks for what is not finite, and computes the next loss scale; the host reads whether to skip the step. The weights'
casts are written by the optimizer's launch, and a mean cross entropy reads narrow logits and gives their narrow
gradient; other losses are of a cast, and their gradient is cast back. So eagerly O2 takes more operations than O0, but
for convolutions.

A layer over a sequence is one launch forward and one backward where its state has at most 128 units, and a product and
a launch for each step where it has more. As operations one by one, which a GPU without these kernels would run, the
step with nn.LSTM took 607 at O0 and 639 at O2, that with nn.GRU 660 and 690, that with RNNCell 594 and 806.

## Bytes

"moved" are the bytes of all arrays that the step's operations are given, each once for each operation. "floor" are
those of a step whose every primitive reads its inputs and writes its outputs once. More kernels than one for a
primitive, columns of images, and copies lie above it: at O2 the bytes must be at most {most} times the floor. Less than
the floor moves where an optimizer writes the casts of weights beside the weights. Both are of eager steps on {small}
samples, carried on to the batch.

{bytes}

## Counted again

```bash
python tests/cpucuda/build.py --venv .venv-cupy
.venv-cupy/bin/python benchmarks/gpu.py --counts                  # this page, without a GPU: a quarter of an hour
.venv-cupy/bin/python benchmarks/gpu_counts.py lenet5 O2 --by name  # the bytes of each kernel of one step
```
"""

TIMES = """## Times

One process for each row on the same GPU; the same weights and the same eight batches, of random numbers. Before a clock
runs, the first {compared} losses are compared. Then 50 steps to warm up and {blocks} blocks of steps: the medians of
the blocks, of the wall's clock and of the device's events, and the spread. "resident" steps find their
batches on the device, "copied" ones copy them there. float32 is float32 on both sides, without TF32. PyTorch's AMP is
float16 with GradScaler and a fused optimizer; minispore's O2 has a dynamic loss scale.{torch}

{tables}
"""


def summary(found):
    """One measurement in a line."""
    if "failed" in found:
        return f"failed: {found['failed']}"
    return f"{median(found['wall_ms']):.3f} ms ({min(found['wall_ms']):.3f} to {max(found['wall_ms']):.3f})"


def table(head, rows):
    """A table of Markdown, its first column at the left."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _operations(counts):
    rows = []
    for name, (most, goal) in MOST.items():
        if f"{name} O2" in counts:
            low, high = counts[f"{name} O0"], counts[f"{name} O2"]
            figures = [f"{found['operations']} ({found['waits']})" for part in (low, high) for found in part.values()]
            inside = [part["graph"].get("nodes", "") for part in (low, high)]
            rows.append([f"{ABOUT[name]}, batch {BATCHES[name]}", *figures, *inside, most, goal])
    modes = [f"{level} {mode}" for level in ("O0", "O2") for mode in ("eager", "graph mode")]
    head = ["operations (waits)", *modes, "in the graph: O0", "O2", "must", "goal"]
    return table(head, rows)


def _bytes(counts):
    rows = []
    for key, found in counts.items():
        name, level = key.split()
        moved, floor = found["eager"]["bytes"], found["eager"]["floor"]
        rows.append([f"{name} {level}", f"{moved / 1e6:.1f}", f"{floor / 1e6:.1f}", f"{moved / floor:.2f}"])
    return table(["MB a step", "moved", "floor", "of the floor"], rows)


def _apart(found, first):
    """How far the first losses are from those of another measurement, relatively."""
    pairs = list(zip(found["losses"], first["losses"], strict=True))[:COMPARED]
    return max(abs(a - b) / abs(b) for a, b in pairs)


def _times(measured, steps):
    parts = []
    for name, variants in measured.items():
        first, rows = variants.get("minispore; O0; resident", {}), []
        for key, found in variants.items():
            framework, variant, place = key.split("; ")
            label = {"torch": "PyTorch"}.get(framework, framework)
            if "failed" in found:
                rows.append([f"{label}, {variant}", place, f"failed: {found['failed'][:80]}", "", "", ""])
                continue
            wall, device = found["wall_ms"], found["device_ms"]
            apart = f"{_apart(found, first):.0e}" if "losses" in first else ""
            spread = f"{min(wall):.3f} to {max(wall):.3f}"
            rows.append([f"{label}, {variant}", place, f"{median(wall):.3f}", spread, f"{median(device):.3f}", apart])
        head = ["ms a step", "batches", "wall", "spread", "device", "losses apart"]
        blocks = f", {steps[name]} steps a block" if name in steps else ""
        parts.append(f"### {ABOUT[name]}, batch {BATCHES[name]}{blocks}\n\n{table(head, rows)}")
    return "\n\n".join(parts)


def of_torch(results):
    """What PyTorch the times are compared with, or why they are not: a sentence; nothing where it was not asked."""
    found = results.get("torch")
    if found is None:
        return ""
    return f"PyTorch was not timed: {found['missing']}." if "missing" in found else f"PyTorch is {found['PyTorch']}."


def _machine(results):
    facts = [f"- {name}: {text}." for name, text in results["facts"].items() if name != "fused kernels"]
    lines = ["## The machine, its tests and checks", "", *facts]
    lines += [f"- Device tests: {results['tests']}."] if "tests" in results else []
    lines += [f"- Check of {line}." for line in results.get("checks", ())]
    return "\n".join(lines)


def text(results):
    """The page of some results."""
    parts = [HEAD]
    if "facts" in results:
        parts.append(_machine(results) + "\n")
    if "times" in results:
        figures = {"compared": COMPARED, "blocks": 5, "tables": _times(results["times"], results.get("steps", {}))}
        sentence = of_torch(results)
        parts.append(TIMES.format(**figures, torch=sentence and f"\n{sentence}"))
    else:
        parts.append(NO_TIMES if "facts" in results else NO_GPU)
    counts = results.get("counts")
    if counts:
        figures = {"operations": _operations(counts), "bytes": _bytes(counts)}
        parts.append(COUNTED.format(**figures, most=MOST_BYTES, small="2 and 4"))
    else:
        parts.append(NO_COUNTS + "\n")
    return "\n".join(parts)
