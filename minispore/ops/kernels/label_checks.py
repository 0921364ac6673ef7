"""Checks that classes, segments and lengths are in range, made on the host only: a GPU would have to be waited for."""

import numpy as np

from minispore.core.errors import value_error

__all__ = ["check_labels", "check_segments", "check_times", "check_within", "of_known_labels"]


def check_labels(xp, operation, labels, classes, ignored=None):
    """Raise ValueError unless every label is in ``[0, classes)``, or is ``ignored``.

    On a GPU nothing is checked: there a label outside of the classes has no loss and no gradient. As unsigned numbers
    those below 0 are the largest.
    """
    if xp is np and labels.size and np.maximum.reduce(labels.view(f"u{labels.itemsize}"), None) >= classes:
        _check_each(operation, labels, classes, ignored)


def of_known_labels(xp, labels, classes, number):
    """A column of ``number`` for a label in ``[0, classes)``, else 0; on the host, which checks them, the number."""
    if xp is np:
        return number
    return (((labels >= 0) & (labels < classes)) * number)[:, None]


def _check_each(operation, labels, classes, ignored):
    outside = (labels < 0) | (labels >= classes)
    if ignored is not None:
        outside &= labels != ignored
    if outside.any():
        besides = "" if ignored is None else f", or the 'ignore_index', {ignored}"
        raise value_error(operation, f"the 'labels' must be in [0, {classes}){besides}", labels[outside].flat[0])


def check_segments(xp, operation, segment_ids, count):
    """Raise IndexError unless every number is below ``count``; on a GPU nothing is checked.

    An element of a negative number belongs to no segment, and on a GPU one of a number of ``count`` or more too.
    """
    if xp is np and segment_ids.size and segment_ids.max() >= count:
        got = segment_ids.max()
        raise IndexError(f"For '{operation}', the 'segment_ids' must be below 'num_segments', {count}, but got {got}.")


def check_within(xp, operation, argument, values, low, high):
    """Raise ValueError unless all values are in ``[low, high]``; on a GPU nothing is checked."""
    if xp is np and values.size and (values.min() < low or values.max() > high):
        wrong = values[(values < low) | (values > high)].flat[0]
        raise value_error(operation, f"the '{argument}' must be in [{low}, {high}]", wrong)


def check_times(xp, operation, name, lengths, label_name, label_lengths):
    """Raise ValueError unless every sample has as many steps as labels; on a GPU nothing is checked."""
    if xp is np and (lengths < label_lengths).any():
        sample = int((lengths < label_lengths).argmax())
        expected = f"the '{name}' must be at least {label_name} of the sample, {label_lengths[sample]}"
        raise value_error(operation, expected, f"{lengths[sample]} for sample {sample}")
