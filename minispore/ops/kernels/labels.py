"""The check that class numbers name classes, which is told where telling costs nothing."""

import numpy as np

from minispore.errors import value_error

__all__ = ["check_labels"]


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
