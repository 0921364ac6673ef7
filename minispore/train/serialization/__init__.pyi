"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.serialization import *
from minispore.context import get_context as get_context, set_context as set_context
from minispore.tensor import Tensor as Tensor
from minispore.parameter import Parameter as Parameter
from minispore.serialization import _update_param as _update_param
from minispore.refused import build_searched_strategy as build_searched_strategy, merge_pipeline_strategys as merge_pipeline_strategys, rank_list_for_transform as rank_list_for_transform, restore_group_info_list as restore_group_info_list, transform_checkpoint_by_rank as transform_checkpoint_by_rank, transform_checkpoints as transform_checkpoints
