"""Tensors from numbers, shapes and Tensors: ranges, grids, windows, diagonals, triangles, random draws, borders."""

from minispore.core._exports import public as _public
from minispore.dropin.numpy.array_creations.borders import *
from minispore.dropin.numpy.array_creations.diagonals import *
from minispore.dropin.numpy.array_creations.filled import *
from minispore.dropin.numpy.array_creations.grids import *
from minispore.dropin.numpy.array_creations.ranges import *
from minispore.dropin.numpy.math_ops import histograms as _histograms

histogram_bin_edges = _histograms.histogram_bin_edges

__all__ = _public(globals())
