"""The command ``train``: check everything, train level by level, report."""

import sys
import tempfile
from pathlib import Path

from minispore.amp.policy import levels
from minispore.core import context
from minispore.core.errors import escaped, value_error
from minispore.tools.cli import ranks
from minispore.tools.cli.checkpoint import check_same_run
from minispore.tools.cli.data import load_images
from minispore.tools.cli.image_folders import has_class_folders
from minispore.tools.cli.page import check_page, write_page
from minispore.tools.cli.plot import INSTALL, draw
from minispore.tools.cli.report import result_of, table, write_json
from minispore.tools.cli.training import Training

__all__ = ["prepare", "train"]


def prepare(job):
    """The levels of a job, each ready to train; every error in the settings is found here.

    Raises:
        ValueError, OSError, RuntimeError: If the device, the data, the checkpoints or the folder ``out`` are unusable.
    """
    check_page(job)
    context.set_context(device_target=job.device.upper(), cpu_loss_scale=True)
    ranks.join(job)
    images = load_images(job.data_dir, job.image_size, job.color)
    if ranks.is_first() and job.data_dir and has_class_folders(job.data_dir) and not (job.image_size or job.color):
        print("The images are read as grey ones of 28x28 pixels; --image-size and --color keep more.", file=sys.stderr)
    if job.resume and not any(job.checkpoint(level).exists() for level in job.levels):
        raise value_error("train", f"with '--resume' the folder '{job.out}' must hold a checkpoint", "none")
    if job.batch_size > len(images.train.images):
        expected = f"the '--batch-size' must be at most {len(images.train.images)}, the number of training images"
        raise value_error("train", expected, job.batch_size)
    trainings = [Training(job, level, images) for level in job.levels]
    _check_out(job)
    if not job.resume and not job.overwrite:
        _check_nothing_is_lost(job, images)
    ranks.meet()  # the first process must not write what another still looks for
    return trainings


def _check_nothing_is_lost(job, images):
    """Check that the folder ``out`` holds no checkpoint of a run with other settings."""
    for path in filter(Path.exists, map(job.checkpoint, levels.all_names())):
        try:
            check_same_run(job, images, path)
        except ValueError as error:
            why = str(error).removeprefix("For 'train', ").rstrip(".")
            expected = f"the '--out' must not hold another run's checkpoints unless '--overwrite' is given; {why}"
            raise value_error("train", expected) from error


def _check_out(job):
    """Make the folder ``out``, and check that files can be written to it."""
    expected = "the '--out' must be a folder that can be written to"
    try:
        job.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=job.out):
            pass
    except OSError as error:
        raise value_error("train", expected, f"'{job.out}' ({error.strerror})") from error
    for path in (job.results, job.picture, job.page, *map(job.checkpoint, job.levels)):
        if path.is_dir():
            raise value_error("train", expected, f"a folder where the file '{path}' is to be")


def train(trainings):
    """Train the levels from :func:`prepare`, print the table, and write the JSON file and the picture."""
    job, results = trainings[0].job, []
    for training in trainings:
        training.run()
        results.append(result_of(training))
    ranks.meet()
    if ranks.is_first():
        _report(trainings, results)
    ranks.leave(job)


def _report(trainings, results):
    """Print the table, and write the JSON file, the picture and the page."""
    job = trainings[0].job
    print(escaped(table(results)))
    write_json(job, results)
    written = [job.results, *map(job.checkpoint, job.levels)]
    if job.report:
        write_page(trainings)
        written.append(job.page)
    if draw(results, job.picture):
        written.insert(0, job.picture)
    else:
        print(f"There is no picture of the curves, as matplotlib is not installed: {INSTALL}")
    print(escaped(f"Written: {', '.join(str(Path(path)) for path in written)}"))
