"""Time convolutions of drawn sizes, and both their gradients, beside PyTorch's on one thread, in turn.

``python benchmarks/convolutions.py`` draws 300 sizes: kernels from 1 x 1 to the whole of the input, strides,
paddings, dilations, groups, channels and batches. It prints, for each pass, how minispore's time divides by PyTorch's,
and how the three times of minispore divide by one another; their multiplications are as many. PyTorch must stand in
the interpreter that runs it. Times are processor times, the least of some rounds.

``--forms`` times, in place of PyTorch's, every form of each pass that a size admits. It prints how the time of the form
that is chosen divides by the least of them.
"""

import argparse
import functools
import json
import math
import random
import sys
import time
from pathlib import Path

import minispore as ms  # before NumPy, whose BLAS it sets up
from minispore import ops
from minispore.ops.kernels.conv import conv2d, grad_input, grad_phases
from minispore.ops.kernels.conv.geometry import geometry_of, met

import machine  # isort: skip
import numpy as np  # isort: skip
import torch  # isort: skip

LEAST, MOST, LARGEST = 2e6, 1.5e8, 2e7  # multiplications of a case, and numbers of its input
PASSES = ("forward", "to input", "to weight")
TO_PEER, TO_ONE_ANOTHER, TO_BEST = 3.0, 4.0, 1.25  # the most that they should be
DEAR = 5  # times the least count, from which on a form is not timed
QUANTILES = (0.1, 0.5, 0.9, 0.95, 0.99, 1.0)
LENGTHS = (1, 4, 7, 8, 12, 14, 16, 28, 32, 50, 56, 64, 100)


def drawn_size(draw):
    """The image and the kernel: square, long, or with the kernel about as wide or as high as the image."""
    kind = draw.choice(["square", "square", "square", "wide", "high", "line", "any"])
    height, width = draw.choice(LENGTHS), draw.choice((*LENGTHS, 300))
    if kind == "square":
        side = draw.choice([1, 2, 3, 3, 3, 4, 5, 5, 7, 11])
        return (height, height), (side, side)
    if kind == "line":
        return (1, width), (1, draw.choice([1, 2, 3, 5, 7, 9, 15]))
    if kind == "wide":
        return (height, width), (draw.randint(1, 5), draw.randint(max(1, width // 2), width))
    if kind == "high":
        return (height, width), (draw.randint(max(1, height // 2), height), draw.randint(1, 5))
    return (height, width), (draw.randint(1, 7), draw.randint(1, 7))


def drawn_channels(draw):
    """(group, input channels, output channels); some convolutions are depthwise."""
    if draw.random() < 0.06:
        return (draw.choice([16, 32, 64, 128]),) * 3
    group = draw.choice([1, 1, 1, 1, 1, 2, 4, 8])
    taken, made = (max(1, draw.choice([1, 3, 8, 16, 32, 64, 96, 128, 256]) // group) for _ in range(2))
    return group, group * taken, group * made


def drawn_case(draw):
    """The next case whose cost is neither all overhead nor too long: a dict of its sizes."""
    while True:
        size, kernel = drawn_size(draw)
        group, taken, made = drawn_channels(draw)
        stride = draw.choice([(1, 1), (1, 1), (1, 1), (2, 2), (2, 1), (1, 2), (3, 3), (4, 4)])
        dilation = draw.choice([(1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (2, 2), (3, 1), (1, 2)])
        pads = tuple(draw.choice([0, 0, k // 2, k // 2, min(k - 1, 5)]) for k in kernel)
        x, w = (draw.choice([1, 2, 4, 8, 16, 32, 64]), taken, *size), (made, taken // group, *kernel)
        lengths = zip(size, kernel, stride, pads, dilation, strict=True)
        out = [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in lengths]
        products = x[0] * math.prod(w) * math.prod(out)
        if min(out) > 0 and LEAST <= products <= MOST and math.prod(x) <= LARGEST:
            arguments = {"stride": stride, "pads": pads, "dilation": dilation, "group": group}
            return {"x": x, "w": w, **arguments, "multiplications": products}


def ours(case, x, w, dy):
    """The three passes of minispore, as functions without arguments."""
    pads = tuple(n for n in case["pads"] for _ in range(2))
    sizes = {"pad_mode": "pad", "pad": pads, "stride": case["stride"], "dilation": case["dilation"]}
    kinds = ops.Conv2D, ops.Conv2DBackpropInput, ops.operations.nn.conv.Conv2DBackpropFilter
    forward, to_input, to_weight = (kind(len(w), w.shape[2:], group=case["group"], **sizes) for kind in kinds)
    x_, w_, dy_ = map(ms.Tensor, (x, w, dy))
    return lambda: forward(x_, w_), lambda: to_input(dy_, w_, x.shape), lambda: to_weight(dy_, x_, w.shape)


def peers(case, x, w, dy):
    """The three of PyTorch."""
    x_, w_, dy_ = map(torch.from_numpy, (x, w, dy))
    sizes = case["stride"], case["pads"], case["dilation"]

    def back(*wanted):
        mask = (*wanted, False)
        return torch.ops.aten.convolution_backward(dy_, x_, w_, None, *sizes, False, (0, 0), case["group"], mask)

    forward = lambda: torch.conv2d(x_, w_, None, *sizes, case["group"])  # noqa: E731
    return forward, lambda: back(True, False), lambda: back(False, True)


def milliseconds(function):
    start = time.process_time()
    function()
    return (time.process_time() - start) * 1e3


def measured(case, rounds):
    """The least processor time of each pass: ``{pass: [minispore's, PyTorch's]}``, in milliseconds."""
    numbers = np.random.default_rng(0)
    x, w = (numbers.standard_normal(case[name], dtype=np.float32) for name in "xw")
    out = torch.conv2d(
        *map(torch.from_numpy, (x, w)), None, case["stride"], case["pads"], case["dilation"], case["group"]
    )
    dy = numbers.standard_normal(tuple(out.shape), dtype=np.float32)
    found = {}
    for name, *both in zip(PASSES, ours(case, x, w, dy), peers(case, x, w, dy), strict=True):
        times = [[milliseconds(function) for function in both] for _ in range(rounds + 1)]
        found[name] = [min(each) for each in zip(*times[1:], strict=True)]  # the first is a warm-up
    return found


def forms(case, rounds):
    """The least processor time of each form: ``{pass: (the chosen form, {form: milliseconds})}``.

    None where the kernel meets padding alone, so that nothing is multiplied.
    """
    numbers = np.random.default_rng(0)
    x, w = (numbers.standard_normal(case[name], dtype=np.float32) for name in "xw")
    sizes = case["stride"], tuple(n for n in case["pads"] for _ in range(2)), case["dilation"]
    found = met(x.shape, w.shape, *sizes)
    if found is None:
        return None
    taps, pads = found
    w = np.ascontiguousarray(w[taps])
    geometry = geometry_of(x.shape, w.shape, sizes[0], pads, sizes[2])
    dy = numbers.standard_normal((len(x), len(w), *geometry.out), dtype=np.float32)
    shapes = x.shape, w.shape, pads, geometry, case["group"]
    return {
        "forward": timed_forms("forward", conv2d.FORMS["forward"], (x, w), shapes, rounds),
        "to input": timed_forms("grad_input", grad_input.FORMS, (dy, w, x.shape), shapes, rounds),
        "to weight": timed_forms("grad_weight", conv2d.FORMS["grad_weight"], (dy, x, w.shape), shapes, rounds),
    }


def timed_forms(name, every, given, shapes, rounds):
    """``(the chosen form, {form: milliseconds})`` of a pass, without those that are counted to be far too dear."""
    counted = {form: getattr(form, f"{name}_work")(*shapes) for form in every}
    costs = {form: work.cost() for form, work in counted.items() if work is not None}
    calls = {form: calls_of(form, name, given, shapes) for form in costs if costs[form] < DEAR * min(costs.values())}
    times = [{form: milliseconds(call) for form, call in calls.items()} for _ in range(rounds + 1)][1:]
    found = {form.__name__.rpartition(".")[2]: min(each[form] for each in times) for form in calls}
    return conv2d.form_of(np, every, name, *shapes).__name__.rpartition(".")[2], found


def calls_of(form, name, given, shapes):
    """A form's pass as a function without arguments; phases convolve in the form that is chosen for each."""
    pads, geometry, group = shapes[2:]
    between = (functools.partial(conv2d.convolved, np, group=group),) if form is grad_phases else ()
    return functools.partial(getattr(form, name), np, *between, *given, pads, geometry, group)


def ratios_of_forms(results):
    """``{pass: (the most, [chosen form's time by the least one's, for each case])}``."""
    return {
        name: (TO_BEST, [times[chosen] / min(times.values()) for chosen, times in (r[name] for _, r in results)])
        for name in PASSES
    }


def told(times):
    """The times of a pass: minispore's and PyTorch's, or those of all forms, the chosen one first."""
    if isinstance(times[1], dict):
        chosen, found = times
        return f"{chosen} of " + " ".join(f"{form} {each:.2f}" for form, each in found.items())
    return f"{times[0]:.2f} ({times[1]:.2f})"


def ratios(results):
    """``{what: (its most or None, [a ratio for each case])}``."""
    found = {f"{name}, to PyTorch's": (TO_PEER, [r[name][0] / r[name][1] for _, r in results]) for name in PASSES}
    for which, (what, most) in enumerate({"one to another": TO_ONE_ANOTHER, "PyTorch's, one to another": None}.items()):
        times = [[r[name][which] for name in PASSES] for _, r in results]
        found[what] = (most, [max(each) / min(each) for each in times])
    return found


def above(most, found):
    return sum(r > most for r in found) if most else 0


def table(found):
    """The distribution of each ratio, in lines of Markdown."""
    quantiles = " | ".join("most" if q == 1 else f"{q:.0%}" for q in QUANTILES)
    yield f"| ratio | {quantiles} | above the goal |\n|---|{'---|' * (len(QUANTILES) + 1)}"
    for what, (most, each) in found.items():
        cells = " | ".join(f"{value:.2f}" for value in np.quantile(each, QUANTILES))
        yield f"| {what} | {cells} | " + (f"{above(most, each)} of {len(each)} above {most:g} |" if most else "|")


def worst(results, found, count=5):
    """The cases of the largest ratios, with all their times."""
    for what, (_, each) in found.items():
        yield f"\n{what}:"
        for i in np.argsort(each)[::-1][:count]:
            case, times = results[i]
            yield f"  {each[i]:.2f}  {case}: " + ", ".join(f"{name} {told(of)}" for name, of in times.items()) + " ms"


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Time convolutions of drawn sizes beside PyTorch's.")
    parser.add_argument("--cases", type=int, default=300, help="how many sizes are drawn (default: 300)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default: 0)")
    parser.add_argument("--rounds", type=int, default=5, help="timed calls of each pass (default: 5)")
    parser.add_argument("--forms", action="store_true", help="time all forms, and not PyTorch")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep the numbers there")
    parser.add_argument(
        "--check", type=int, metavar="N", help="end with exit code 1 where more than N are above a goal"
    )
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    ms.set_context(runtime_num_threads=1)
    draw = random.Random(options.seed)
    measure, compare = (forms, ratios_of_forms) if options.forms else (measured, ratios)
    results = [(case, measure(case, options.rounds)) for case in (drawn_case(draw) for _ in range(options.cases))]
    results = [(case, times) for case, times in results if times]
    found = compare(results)
    print(json.dumps(machine.described(), indent=1), f"\nminispore {ms.__version__}, PyTorch {torch.__version__}\n")
    print("\n".join([*table(found), *worst(results, found)]))
    if options.results:
        options.results.write_text(json.dumps(results))
    missed = max(above(most, each) for most, each in found.values())
    return 1 if options.check is not None and missed > options.check else 0


if __name__ == "__main__":
    sys.exit(main())
