"""Attributes that MindSpore's objects show and these do not have: each raises AttributeError with the reason.

``hasattr`` is False for them, and no table suggests another name in their place.
"""

import functools

from minispore import nn, ops
from minispore.amp import DynamicLossScaleUpdateCell
from minispore.core.parameter import Parameter
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.nn.initializer import Initializer
from minispore.nn.slips import SLIPS, Missing, no_attribute

__all__ = []

_COMPILED = "MindSpore's compiler uses it, and nothing is compiled here"
_INNER = "MindSpore's own code alone uses it"
_SPREAD = "it is about several devices, and there is one"
_BY_FUNCTIONS = "it computes with functions of ops, where MindSpore's holds primitives"
_BY_NUMPY = "compute it from x.asnumpy(), with NumPy or SciPy"
_SLICES = "it is about Tensors in parts on a disk, and each has all of its values here"

# Kind of object -> reason -> names
WITHHELD = {
    "Cell": {
        _COMPILED: "exec_checkpoint_graph get_func_graph_proto create_time IGNORE_LIST exist_names exist_objs",
        _SPREAD: (
            "infer_param_pipeline_stage pipeline_stage remove_redundant_parameters set_data_parallel "
            "set_parallel_input_with_inputs parallel_parameter_merge_net_dict load_parameter_slice"
        ),
        "a cell's types are set by to_float(dtype)": "get_mixed_precision_type set_mixed_precision_type",
        "the arguments are attributes of the layer": "cell_init_args",
    },
    "Optimizer": {
        _INNER: (
            "dense_adam_opts distributed_opts sparse_adam_opts sparse_opt use_dense_opt_flags use_sparse_opt_flags "
            "use_distributed_opt_flags"
        ),
    },
    "Tensor": {
        _INNER: "getitem_index_info setitem_index_info",
        _SLICES: (
            "asnumpy_of_slice_persistent_data persistent_data_from_numpy slice_num_of_persistent_data "
            "slice_shape_of_persistent_data"
        ),
    },
    "Parameter": {_COMPILED: "load"},
    "GradOperation": {_COMPILED: "set_signatures"},
    "BatchNorm": {
        _BY_FUNCTIONS: (
            "assign_sub_mean assign_sub_var dtype mul_mean mul_var reduce_mean reshape shape sqrt square sub_mean "
            "sub_var is_graph_mode parallel_mode"
        )
    },
    "Embedding": {
        _BY_FUNCTIONS: ("array_mul concat expand gather get_shp get_tensor_shp one_hot reshape reshape_flat shp_flat")
    },
    "recurrent layer": {_BY_FUNCTIONS: "is_lstm reverse reverse_sequence"},
    "initializer": {"the seeds are those of set_seed": "seed"},
    "scale update": {_BY_FUNCTIONS: "less_equal logic_and logic_not logic_or max reciprocal select"},
    "schedule": {_BY_FUNCTIONS: "pow"},
    "Primitive": {
        _COMPILED: (
            "add_backward_hook_fn remove_backward_hook_fn do_infer_dtype infer_dtype infer_shape infer_value "
            "get_user_data set_user_data set_const_input_indexes set_const_prim set_prim_type set_signatures"
        ),
        "the method 'infer' checks the inputs": "check_dtype check_shape check_shape_size",
        "the arguments have the names of the constructor's": "transpose_x1 transpose_x2",
        _SPREAD: "place",
    },
}
_OWNERS = {
    "GradOperation": ops.GradOperation,
    "Parameter": Parameter,
    "Primitive": Primitive,
    "Tensor": Tensor,
    "initializer": Initializer,
}
_OF_CELLS = {  # cells -> the kind that their own names stand under
    (nn.BatchNorm1d, nn.BatchNorm2d): "BatchNorm",
    (nn.Embedding,): "Embedding",
    (nn.LSTM, nn.GRU, nn.RNN): "recurrent layer",
    (DynamicLossScaleUpdateCell,): "scale update",
    (nn.ExponentialDecayLR,): "schedule",
}
# Methods of MindSpore's Tensors that are functions of ops of the same name, as far as ops has them
_FUNCTIONS = (
    "cholesky_inverse cholesky_solve col2im cov fold geqrf i0 igamma igammac inplace_update lcm logdet lstsq "
    "lu_solve matrix_power mvlgamma nextafter ormqr qr unfold unique_consecutive unique_with_pad"
)


def withhold(kind, owner=None):
    """Enter the names of a kind of object among its slips; a class without ``__getattr__`` gets a property of each."""
    slips = SLIPS.setdefault(kind, {})
    for reason, names in WITHHELD[kind].items():
        for name in names.split():
            slips[name] = f"MindSpore's has it: {reason}"
            if owner is not None and not hasattr(owner, name):
                setattr(owner, name, _Withheld(kind, name))


class _Withheld(Missing, property):
    """A property that raises the reason, unless a script has set a value of its own."""

    def __get__(self, instance, owner):
        own = getattr(instance, "__dict__", {})
        if self._name in own:
            return own[self._name]
        raise no_attribute(f"The '{owner.__name__}' object", self._name, (self._kind,), tuple)

    def __set__(self, instance, value):
        instance.__dict__[self._name] = value


def _method(function):
    """A method of Tensors that calls a function of ops with the Tensor first."""

    @functools.wraps(function)
    def method(self, *args, **kwargs):
        return function(self, *args, **kwargs)

    return method


for _name in _FUNCTIONS.split():
    if hasattr(ops, _name) and not hasattr(Tensor, _name):
        setattr(Tensor, _name, _method(getattr(ops, _name)))
WITHHELD["Tensor"][_BY_NUMPY] = " ".join(name for name in _FUNCTIONS.split() if not hasattr(Tensor, name))
for _kind in WITHHELD:
    withhold(_kind, _OWNERS.get(_kind))
for _cells, _kind in _OF_CELLS.items():
    for _cell in _cells:
        _cell._slips = (_kind, *_cell._slips)
