"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['arange', 'array', 'asarray', 'asfarray', 'bartlett', 'blackman', 'diag', 'diag_indices', 'diagflat', 'diagonal', 'empty', 'empty_like', 'eye', 'full', 'full_like', 'geomspace', 'hamming', 'hanning', 'histogram_bin_edges', 'identity', 'indices', 'ix_', 'linspace', 'logspace', 'meshgrid', 'mgrid', 'ogrid', 'ones', 'ones_like', 'pad', 'rand', 'randint', 'randn', 'trace', 'tri', 'tril', 'tril_indices', 'tril_indices_from', 'triu', 'triu_indices', 'triu_indices_from', 'vander', 'zeros', 'zeros_like']

from minispore.numpy import arange as arange
from minispore.numpy import array as array
from minispore.numpy import asarray as asarray
from minispore.numpy import asfarray as asfarray
from minispore.numpy import bartlett as bartlett
from minispore.numpy import blackman as blackman
from minispore.numpy import diag as diag
from minispore.numpy import diag_indices as diag_indices
from minispore.numpy import diagflat as diagflat
from minispore.numpy import diagonal as diagonal
from minispore.numpy import empty as empty
from minispore.numpy import empty_like as empty_like
from minispore.numpy import eye as eye
from minispore.numpy import full as full
from minispore.numpy import full_like as full_like
from minispore.numpy import geomspace as geomspace
from minispore.numpy import hamming as hamming
from minispore.numpy import hanning as hanning
from minispore.numpy import histogram_bin_edges as histogram_bin_edges
from minispore.numpy import identity as identity
from minispore.numpy import indices as indices
from minispore.numpy import ix_ as ix_
from minispore.numpy import linspace as linspace
from minispore.numpy import logspace as logspace
from minispore.numpy import meshgrid as meshgrid
from minispore.numpy import mgrid as mgrid
from minispore.numpy import ogrid as ogrid
from minispore.numpy import ones as ones
from minispore.numpy import ones_like as ones_like
from minispore.numpy import pad as pad
from minispore.numpy import rand as rand
from minispore.numpy import randint as randint
from minispore.numpy import randn as randn
from minispore.numpy import trace as trace
from minispore.numpy import tri as tri
from minispore.numpy import tril as tril
from minispore.numpy import tril_indices as tril_indices
from minispore.numpy import tril_indices_from as tril_indices_from
from minispore.numpy import triu as triu
from minispore.numpy import triu_indices as triu_indices
from minispore.numpy import triu_indices_from as triu_indices_from
from minispore.numpy import vander as vander
from minispore.numpy import zeros as zeros
from minispore.numpy import zeros_like as zeros_like
