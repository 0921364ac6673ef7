"""Checkpoints of a level in training. They hold the whole state of the run, so a resumed run equals a whole one.

Parameters and the states of the optimizer and of the loss scale are parameters of the training step. The history, the
number of random streams taken and the options of the run are stored beside them.
"""

import json
import zlib

from minispore.core import seeds
from minispore.core.dtype import int64
from minispore.core.errors import shown, value_error
from minispore.core.parameter import Parameter
from minispore.data.serialization.checkpoint import load_checkpoint, load_param_into_net, save_checkpoint
from minispore.data.serialization.safetensors_file import parse_json
from minispore.tools.cli.history import History

__all__ = ["check_same_run", "restore", "save"]

# Options that may not change from run to run -> their values in checkpoints of 0.1.0, which do not name them
_BINDING = ("net", "batch_size", "lr", "seed", "loss_scale", "recipe", "image_size", "color")
_UNNAMED = {"image_size": "28x28", "color": False}


def _settings(job, images):
    """The settings that a resumed run must share, by option."""
    data = 0
    for array in (*images.train, *images.test):
        data = zlib.crc32(array, data)
    own = {name: getattr(job, name) for name in _BINDING}
    size = "{1}x{2}".format(*job.image_shape)
    return {**own, "image_size": size, "data_dir": f"images with checksum {data:08x}"}


def save(job, level, images, step, history):
    """Write a level's state to its file, atomically."""
    beside = {"settings": json.dumps(_settings(job, images)), "draws": seeds.seed.draws}
    save_checkpoint(step, job.checkpoint(level), append_dict={**history.tensors(), **beside})


def restore(job, level, images, step):
    """Load the state in the level's file into a new training step, and return its history.

    Raises:
        ValueError: If the file is missing or broken, or belongs to a run with other settings.
        RuntimeError: If its parameters do not fit.
    """
    path = job.checkpoint(level)
    found = load_checkpoint(path)
    _check_same_run(path, found, _settings(job, images))
    history, draws = _history_in(path, found, images.train.steps(job.batch_size)), _draws_in(path, found)
    if history.epochs > job.epochs:
        raise value_error("train", f"the '--epochs' must be at least {history.epochs}, as done in '{path}'", job.epochs)
    own = {name: value for name, value in found.items() if not name.startswith("course.")}
    load_param_into_net(step, own, strict_load=True)
    seeds.seed.draws = draws
    return history


def check_same_run(job, images, path):
    """Check that a file is a checkpoint of a run with the same settings.

    Raises:
        ValueError: If it is not; the message names the difference.
    """
    _check_same_run(path, load_checkpoint(path), _settings(job, images))


def _check_same_run(path, found, now):
    text = found.pop("settings", None)
    then = parse_json(text) if isinstance(text, str) else None
    if not isinstance(then, dict):
        raise _foreign(path, "settings")
    for name, value in now.items():
        before = then.get(name, _UNNAMED.get(name))
        if before != value:
            option = "--" + name.replace("_", "-")
            raise value_error("train", f"the '{option}' must be {shown(before)}, as in '{path}'", shown(value))


def _history_in(path, found, steps):
    history = History.from_tensors(found)
    if history is None or not history.fits(steps):
        raise _foreign(path, "course")
    return history


def _draws_in(path, found):
    draws = found.pop("draws", None)
    if not isinstance(draws, Parameter) or draws.ndim or draws.dtype != int64 or int(draws) < 0:
        raise _foreign(path, "draws")
    return int(draws)


def _foreign(path, what):
    return value_error("train", f"the file '{path}' must be a checkpoint of 'minispore train'", f"other '{what}' in it")
