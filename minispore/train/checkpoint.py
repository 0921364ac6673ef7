"""Checkpoints of a level in training: all that the next epoch depends on, so that a resumed run equals a whole one.

Parameters, the optimizer's state and the loss scale's are in the training step's own parameters; the course, the number
of random streams taken and what the run was asked to do stand beside them.
"""

import json
import zlib

from minispore import context
from minispore.errors import value_error
from minispore.serialization import load_checkpoint, load_param_into_net, save_checkpoint
from minispore.train.course import Course

__all__ = ["restore", "save"]

_BINDING = ("net", "batch_size", "lr", "seed", "loss_scale")  # options that may not change from run to run


def _settings(job, images):
    """What a resumed run must have been asked for, too, by option."""
    data = zlib.crc32(images.train.images) ^ zlib.crc32(images.train.labels)
    return {**{name: getattr(job, name) for name in _BINDING}, "data_dir": f"images with checksum {data:08x}"}


def save(job, level, images, step, course):
    """Write a level's state to its file, which changes wholly or not at all."""
    beside = {"settings": json.dumps(_settings(job, images)), "draws": context.seed.draws}
    save_checkpoint(step, job.checkpoint(level), append_dict={**course.tensors(), **beside})


def restore(job, level, images, step):
    """Put a new training step into the state of the level's file, and return its course.

    Raises:
        ValueError: If the file is missing or broken, or its run was asked for something else.
        RuntimeError: If its parameters do not fit.
    """
    path = job.checkpoint(level)
    found = load_checkpoint(path)
    if "settings" not in found or "draws" not in found:
        raise value_error("train", f"the file '{path}' must be a checkpoint of 'minispore train'", "another one")
    then, now = json.loads(found.pop("settings")), _settings(job, images)
    for name, value in now.items():
        if then.get(name) != value:
            option = "--" + name.replace("_", "-")
            raise value_error("train", f"the '{option}' must be {then.get(name)}, as in '{path}'", value)
    course, draws = Course.from_tensors(found), int(found.pop("draws"))
    if course.epochs > job.epochs:
        raise value_error("train", f"the '--epochs' must be at least {course.epochs}, as done in '{path}'", job.epochs)
    own = {name: value for name, value in found.items() if not name.startswith("course.")}
    load_param_into_net(step, own, strict_load=True)
    context.seed.draws = draws
    return course
