"""The report of a run as an HTML page: each level's network, its losses and loss scales, and its skipped steps."""

from minispore.core.errors import value_error
from minispore.tools.insight import Course, Report

__all__ = ["check_page", "write_page"]


def check_page(job):
    """Raise ValueError, before anything is trained, if a page is asked for and cannot be made."""
    if job.report:
        try:
            Report().html()
        except ImportError as error:
            raise value_error("train", f"with '--report' Jinja2 must be installed; {error}") from error


def write_page(trainings):
    """Write the page of the trained levels into the folder ``out``."""
    parts = [part for training in trainings for part in _parts(training)]
    job = trainings[0].job
    Report(*parts, title=f"{job.net}: {', '.join(job.levels)}").save(job.page)


def _parts(training):
    history, reasons = training.history, training.skipped.reasons
    if hasattr(training.network, "amp_report"):
        yield training.network
    numbers = (number for number, skipped in enumerate(history.overflows, 1) if skipped)
    skipped = tuple((number, reasons.get(number, "")) for number in numbers)
    yield Course(f"Training at {training.level}", tuple(history.losses), tuple(history.scales), skipped)
