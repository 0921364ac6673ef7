"""The choice of a form of convolution: the one whose counted work costs least.

Sizes alone decide, so that equal calls always compute alike. Each form is a module. Each of its passes, such as
``forward``, has a function that counts the work, such as ``forward_work``. Its ``SPREADS`` names the passes with extra
products by zero, which the definition does not have. These times an infinite number would be nan.
"""

import functools

import numpy as np

from minispore.ops.kernels.conv import bands, im2col, images_last, overlaps, row_blocks, rows

PLAIN = rows, overlaps, im2col, row_blocks, bands, images_last  # the forms that other forms may build upon
_AGAIN = 1.1  # how much more a pass costs whose result is looked over, and at times computed once more


@functools.lru_cache(maxsize=4096)
def cheapest(forms, name, x_shape, w_shape, pads, geometry, group):
    """The form of the pass ``name`` whose work costs least, and this work; the first of equal ones.

    A count of None says that the form does not fit the sizes.
    """
    works = [(form, getattr(form, f"{name}_work")(x_shape, w_shape, pads, geometry, group)) for form in forms]
    cost = lambda each: each[1].cost() * (_AGAIN if spreads(each[0], name) else 1)  # noqa: E731
    return min((each for each in works if each[1] is not None), key=cost)


def spreads(form, name):
    """True if the pass ``name`` of a form may spread a nan or inf to wrong places: 0 times inf is nan."""
    return name in getattr(form, "SPREADS", ())


def is_wrong(form, name, found):
    """True if ``found`` may hold a spread nan or inf; a sum that overflows counts as one."""
    return spreads(form, name) and not np.isfinite(found.sum())
