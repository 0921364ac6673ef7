"""Layers: the cells that networks are made of."""

from minispore.core._exports import public as _public
from minispore.nn.layer.activation import *
from minispore.nn.layer.activation_piecewise import *
from minispore.nn.layer.activation_smooth import *
from minispore.nn.layer.adaptive_pooling import *
from minispore.nn.layer.attention import *
from minispore.nn.layer.basic import *
from minispore.nn.layer.bilinear import *
from minispore.nn.layer.cell_dict import *
from minispore.nn.layer.container import *
from minispore.nn.layer.conv import *
from minispore.nn.layer.conv_dense_act import *
from minispore.nn.layer.conv_transpose import *
from minispore.nn.layer.dense import *
from minispore.nn.layer.dropout_nd import *
from minispore.nn.layer.embedding import *
from minispore.nn.layer.embedding_lookup import *
from minispore.nn.layer.fractional_pooling import *
from minispore.nn.layer.group_norm import *
from minispore.nn.layer.image import *
from minispore.nn.layer.image_similarity import *
from minispore.nn.layer.lp_pooling import *
from minispore.nn.layer.lrn import *
from minispore.nn.layer.math import *
from minispore.nn.layer.max_unpooling import *
from minispore.nn.layer.normalization import *
from minispore.nn.layer.padding import *
from minispore.nn.layer.padding_border import *
from minispore.nn.layer.pooling import *
from minispore.nn.layer.pooling3d import *
from minispore.nn.layer.rnn_cells import *
from minispore.nn.layer.rnns import *
from minispore.nn.layer.sparse_products import *
from minispore.nn.layer.time_axis import *
from minispore.nn.layer.transformer import *
from minispore.nn.layer.transformer_stack import *

__all__ = _public(globals())
