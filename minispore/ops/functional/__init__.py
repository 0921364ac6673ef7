"""Functional wrappers of the primitives, one file a family: ``ops.relu(x)`` is ``ops.ReLU()(x)``."""

from minispore.core._exports import public as _public
from minispore.core._exports import submodules as _submodules
from minispore.ops.functional._wrappers import give_name as _give_name
from minispore.ops.functional.array_combination import *
from minispore.ops.functional.array_complex import *
from minispore.ops.functional.array_creation import *
from minispore.ops.functional.array_filling import *
from minispore.ops.functional.array_manipulation import *
from minispore.ops.functional.array_pieces import *
from minispore.ops.functional.array_rearrange import *
from minispore.ops.functional.array_scatter import *
from minispore.ops.functional.array_split_join import *
from minispore.ops.functional.array_windows import *
from minispore.ops.functional.gradients import *
from minispore.ops.functional.linalg_blocks import *
from minispore.ops.functional.linalg_contraction import *
from minispore.ops.functional.linalg_diagonals import *
from minispore.ops.functional.linalg_einsum import *
from minispore.ops.functional.linalg_factors import *
from minispore.ops.functional.linalg_fourier import *
from minispore.ops.functional.linalg_matmul import *
from minispore.ops.functional.linalg_matrix import *
from minispore.ops.functional.linalg_svd import *
from minispore.ops.functional.math_binary import *
from minispore.ops.functional.math_clip import *
from minispore.ops.functional.math_special import *
from minispore.ops.functional.math_unary import *
from minispore.ops.functional.nn_activation import *
from minispore.ops.functional.nn_boxes import *
from minispore.ops.functional.nn_conv_pool import *
from minispore.ops.functional.nn_ctc import *
from minispore.ops.functional.nn_deformable import *
from minispore.ops.functional.nn_dropout import *
from minispore.ops.functional.nn_fold import *
from minispore.ops.functional.nn_fractional_pool import *
from minispore.ops.functional.nn_grid import *
from minispore.ops.functional.nn_loss import *
from minispore.ops.functional.nn_lp_pool import *
from minispore.ops.functional.nn_margin_loss import *
from minispore.ops.functional.nn_max_unpool import *
from minispore.ops.functional.nn_normalization import *
from minispore.ops.functional.nn_pool3d import *
from minispore.ops.functional.nn_resize import *
from minispore.ops.functional.nn_unfold import *
from minispore.ops.functional.old_names import *
from minispore.ops.functional.partial import *
from minispore.ops.functional.python_values import *
from minispore.ops.functional.random import *
from minispore.ops.functional.reduce import *
from minispore.ops.functional.reduce_covariance import *
from minispore.ops.functional.reduce_extremes import *
from minispore.ops.functional.reduce_sort_scan import *
from minispore.ops.functional.reduce_statistics import *
from minispore.ops.functional.state import *

__all__ = _public(globals())
for _family in _submodules(__name__):
    for _name in _family.__all__:
        _give_name(getattr(_family, _name), _family.__name__, _name)
