"""The command ``train``: check everything, train level by level, report."""

import tempfile
from pathlib import Path

from minispore import context
from minispore.errors import value_error
from minispore.train.data import load_images
from minispore.train.loop import Training
from minispore.train.plot import INSTALL, draw
from minispore.train.report import result_of, table, write_json

__all__ = ["prepare", "train"]


def prepare(job):
    """The levels of a job, each ready to train: everything that can be wrong is found here.

    Raises:
        ValueError, OSError, RuntimeError: If the device, the data, the checkpoints or the folder ``out`` do not serve.
    """
    context.set_context(device_target=job.device.upper(), cpu_loss_scale=True)
    images = load_images(job.data_dir)
    if job.resume and not any(job.checkpoint(level).exists() for level in job.levels):
        raise value_error("train", f"with '--resume' the folder '{job.out}' must hold a checkpoint", "none")
    trainings = [Training(job, level, images) for level in job.levels]
    _check_out(job)
    return trainings


def _check_out(job):
    """Make the folder ``out``, and see that files can be written to it."""
    expected = "the '--out' must be a folder that can be written to"
    try:
        job.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=job.out):
            pass
    except OSError as error:
        raise value_error("train", expected, f"'{job.out}' ({error.strerror})") from error
    for path in (job.results, job.picture, *map(job.checkpoint, job.levels)):
        if path.is_dir():
            raise value_error("train", expected, f"a folder where the file '{path}' is to be")


def train(trainings):
    """Train levels that :func:`prepare` returned, print the table, and write the JSON file and the picture."""
    job, results = trainings[0].job, []
    for training in trainings:
        training.run()
        results.append(result_of(training))
    print(table(results))
    write_json(job, results)
    written = [job.results, *map(job.checkpoint, job.levels)]
    if draw(results, job.picture):
        written.insert(0, job.picture)
    else:
        print(f"There is no picture of the curves, as matplotlib is not installed: {INSTALL}")
    print("Written:", ", ".join(str(Path(path)) for path in written))
