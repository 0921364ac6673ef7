"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['append', 'apply_along_axis', 'apply_over_axes', 'array_split', 'array_str', 'atleast_1d', 'atleast_2d', 'atleast_3d', 'broadcast_arrays', 'broadcast_to', 'choose', 'column_stack', 'concatenate', 'dsplit', 'dstack', 'expand_dims', 'flip', 'fliplr', 'flipud', 'hsplit', 'hstack', 'moveaxis', 'piecewise', 'ravel', 'repeat', 'reshape', 'roll', 'rollaxis', 'rot90', 'select', 'size', 'split', 'squeeze', 'stack', 'swapaxes', 'take', 'take_along_axis', 'tile', 'transpose', 'unique', 'unravel_index', 'vsplit', 'vstack', 'where']

from minispore.numpy import append as append
from minispore.numpy import apply_along_axis as apply_along_axis
from minispore.numpy import apply_over_axes as apply_over_axes
from minispore.numpy import array_split as array_split
from minispore.numpy import array_str as array_str
from minispore.numpy import atleast_1d as atleast_1d
from minispore.numpy import atleast_2d as atleast_2d
from minispore.numpy import atleast_3d as atleast_3d
from minispore.numpy import broadcast_arrays as broadcast_arrays
from minispore.numpy import broadcast_to as broadcast_to
from minispore.numpy import choose as choose
from minispore.numpy import column_stack as column_stack
from minispore.numpy import concatenate as concatenate
from minispore.numpy import dsplit as dsplit
from minispore.numpy import dstack as dstack
from minispore.numpy import expand_dims as expand_dims
from minispore.numpy import flip as flip
from minispore.numpy import fliplr as fliplr
from minispore.numpy import flipud as flipud
from minispore.numpy import hsplit as hsplit
from minispore.numpy import hstack as hstack
from minispore.numpy import moveaxis as moveaxis
from minispore.numpy import piecewise as piecewise
from minispore.numpy import ravel as ravel
from minispore.numpy import repeat as repeat
from minispore.numpy import reshape as reshape
from minispore.numpy import roll as roll
from minispore.numpy import rollaxis as rollaxis
from minispore.numpy import rot90 as rot90
from minispore.numpy import select as select
from minispore.numpy import size as size
from minispore.numpy import split as split
from minispore.numpy import squeeze as squeeze
from minispore.numpy import stack as stack
from minispore.numpy import swapaxes as swapaxes
from minispore.numpy import take as take
from minispore.numpy import take_along_axis as take_along_axis
from minispore.numpy import tile as tile
from minispore.numpy import transpose as transpose
from minispore.numpy import unique as unique
from minispore.numpy import unravel_index as unravel_index
from minispore.numpy import vsplit as vsplit
from minispore.numpy import vstack as vstack
from minispore.numpy import where as where
