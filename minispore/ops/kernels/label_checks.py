"""Checks that numbers of classes and segments name one that there is, made where telling means no waiting."""

import numpy as np

from minispore.errors import value_error

__all__ = ["check_labels", "check_segments"]


def check_labels(xp, operation, labels, classes, ignored=None):
    """Raise ValueError unless every label is in ``[0, classes)``, or is ``ignored``.

    A GPU would have to be waited for to tell: there a label outside of the classes has no loss and no gradient.
    """
    if xp is not np or not labels.size or (labels.min() >= 0 and labels.max() < classes):
        return
    outside = (labels < 0) | (labels >= classes)
    if ignored is not None:
        outside &= labels != ignored
    if outside.any():
        besides = "" if ignored is None else f", or the 'ignore_index', {ignored}"
        raise value_error(operation, f"the 'labels' must be in [0, {classes}){besides}", labels[outside].flat[0])


def check_segments(xp, operation, segment_ids, count):
    """Raise IndexError unless every number is below ``count``; a GPU, which would have to be waited for, is not asked.

    An element of a negative number belongs to no segment, and on a GPU one of a number of ``count`` or more too.
    """
    if xp is np and segment_ids.size and segment_ids.max() >= count:
        got = segment_ids.max()
        raise IndexError(f"For '{operation}', the 'segment_ids' must be below 'num_segments', {count}, but got {got}.")
