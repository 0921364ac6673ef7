"""The options of ``minispore train``, and the job they describe."""

import math
from argparse import ArgumentTypeError
from pathlib import Path

import numpy as np

from minispore.amp import Recipe
from minispore.amp.policy import levels
from minispore.tools.cli.job import RATES, Job
from minispore.tools.cli.networks import NETWORKS

__all__ = ["add_options", "job_from"]

_LARGEST = float(np.finfo(np.float32).max)
_LEAST = float(np.finfo(np.float32).smallest_subnormal)


def _int_from(low):
    def read(text):
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or value < low:
            raise ArgumentTypeError(f"must be an int of at least {low}, but got {text!r}")
        return value

    return read


def _number(text):
    """The number in a text. None if the text is no number, or exceeds float32, in which training computes."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    return value if abs(value) <= _LARGEST else None


def _network(text):
    if text not in NETWORKS and ":" not in text:
        raise ArgumentTypeError(f"must be one of {', '.join(NETWORKS)}, or FILE:NAME, but got {text!r}")
    return text


def _rate(text):
    value = _number(text)
    if value is None or value < _LEAST:
        raise ArgumentTypeError(f"must be a number above 0 that float32 can hold, but got {text!r}")
    return value


def _loss_scale(text):
    if text in ("none", "dynamic"):
        return text
    value = _number(text)
    if value is None or value < 1:
        raise ArgumentTypeError(
            f"must be none, dynamic or a number of at least 1 that float32 can hold, but got {text!r}"
        )
    return value


def recipe_text(text):
    """The text of a recipe of low bits, as the recipe writes it."""
    try:
        return str(Recipe.parse(text))
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


RECIPE_HELP = "products of eight or four bits: mxfp8, nvfp4, 'mxfp8(keep=first+last)', ...: see docs/explain/lowbit.md"


def add_options(parser):
    """Add the options to an argument parser."""
    default = Job()
    add = parser.add_argument
    net = f"the network: {', '.join(NETWORKS)}, or a class or function in a file of yours (default: %(default)s)"
    add("--net", type=_network, metavar="NAME|FILE:NAME", default=default.net, help=net)
    level = "a level of mixed precision; repeatable (default: all)"
    add("--level", choices=levels.names(), action="append", help=level)
    add("--epochs", type=_int_from(1), default=default.epochs, help="epochs of each level (default: %(default)s)")
    add("--batch-size", type=_int_from(1), default=default.batch_size, help="images in a step (default: %(default)s)")
    rates = ", ".join([*(f"{rate} for {net}" for net, rate in RATES.items()), f"{RATES['lenet5']} for your own"])
    rate = f"learning rate of the first epoch; each later one has 0.8 times the one before (default: {rates})"
    add("--lr", type=_rate, help=rate)
    add("--device", choices=["cpu", "gpu"], default=default.device, help="default: %(default)s")
    seed = "what parameters and shuffling are drawn from (default: %(default)s)"
    add("--seed", type=_int_from(0), default=default.seed, help=seed)
    dynamic = ", ".join(level.name for level in levels.LEVELS.values() if level.dynamic_loss_scale)
    scale = f"none, dynamic, or a fixed NUMBER (default: dynamic at {dynamic}, none at the others)"
    add("--loss-scale", type=_loss_scale, metavar="none|dynamic|NUMBER", help=scale)
    add("--recipe", type=recipe_text, metavar="RECIPE", help=RECIPE_HELP)
    data = "a folder of MNIST's four idx files, or of a folder of images for each class (default: the embedded images)"
    add("--data-dir", type=Path, metavar="DIR", help=data)
    out = "the folder for checkpoints, numbers and curves (default: %(default)s)"
    add("--out", type=Path, default=default.out, metavar="DIR", help=out)
    add("--report", action="store_true", help="write report.html too: networks, losses, loss scales, skipped steps")
    add("--resume", action="store_true", help="go on from the checkpoints in the folder --out")
    distributed = "share each batch among the processes that mpiexec has started: mpiexec -n 4 minispore train ..."
    add("--distributed", action="store_true", help=distributed)
    add("--overwrite", action="store_true", help="replace the checkpoints that a run of other settings left in --out")


def job_from(options):
    """The job described by the parsed options; a level given twice is trained once."""
    fields = {name: value for name, value in vars(options).items() if name in Job.__dataclass_fields__}
    fields["lr"] = RATES.get(options.net, RATES["lenet5"]) if options.lr is None else options.lr
    return Job(**fields, levels=tuple(dict.fromkeys(options.level or levels.names())))
