"""MindSpore's addresses for what stands elsewhere in this package: ``common.set_seed``, ``nn.optim.momentum.Momentum``.

A source is written ``module`` for all public names of one of this package's modules, or ``module:name,name`` for some;
several are separated by spaces. An address of :data:`MODULES` that has one whole module as its source is that module
itself. Nothing is imported before it is asked for.

Scripts and pickles also name modules by the addresses that they had before the package had rooms: ``minispore.tensor``
is ``minispore.core.tensor``, the same object. :data:`ROOMS` says which; the other tables are written in these
addresses, most of which are MindSpore's too.
"""

import builtins
import importlib
import importlib.machinery
import importlib.util
import sys
from contextlib import suppress

from minispore.core.errors import Sentence
from minispore.dropin.absence import is_from_import, stand_in
from minispore.dropin.absent import sentence

__all__ = []

PACKAGE = __name__.partition(".")[0]
_SCALED_STEPS = (
    "amp:DynamicLossScaleUpdateCell,FixedLossScaleUpdateCell,GradAccumulationCell,MicroBatchInterleaved,PipelineCell,"
    "TrainOneStepWithLossScaleCell"
)
_ONE_PROCESS = (
    "refused:build_searched_strategy,merge_pipeline_strategys,rank_list_for_transform,restore_group_info_list,"
    "transform_checkpoint_by_rank,transform_checkpoints"
)
_GRADIENTS = "ops.transforms ops.derivatives"

# Room -> the addresses of modules that stand in it, with all below them; ``address=place`` where the name differs
ROOMS = {
    "core": """
        _exports _startup backend checks context dtype errors journal nest ops.primitive parameter tensor tracebacks
        version writes
    """,
    "ops": """
        autograd=functional.gradients late=lazy_sum random_streams=kernels.random_streams workers=kernels.workers
        ops.kernels.channel_broadcast=kernels.broadcast ops.kernels.floor_division=kernels.division
        ops.kernels.integer_division=kernels.division
    """,
    "nn": """
        amp.loss_scale.micro_batches=micro_batches initializer initializer_parts slips
    """,
    "rewrite": """
        rewrite.call_site=site_record rewrite.tree.namer=tree.unique_names
    """,
    "devices": """
        cuda_check device_context device_memory graph.capture=cuda.capture graph.device_draws=cuda.device_draws
        graph.homes=cuda.persistent_buffers kernel_progress ops.kernels.cuda=cuda
        ops.kernels.cuda.shadows=cuda.narrow_copies random_streams.device_words=cuda.device_words runtime
    """,
    "parallel": """
        communication nn.grad_reducer nn.overlapped_reduction ops.operations.collective
    """,
    "data": """
        atomic_file dataset mindrecord mindrecord.schemas=mindrecord.row_schema serialization
        serialization.onnx.trace=serialization.trace
    """,
    "training": """
        boost train
    """,
    "dropin": """
        _checkparam _extends absent addresses compat experimental later mint
        nn.one_process=cell_spellings nn.probability nn.virtual_dataset numpy
        ops._primitive_cache ops.signature ops.sparse refused scipy
    """,
    "tools": """
        amp.loss_scale.hopeless_skips=hopeless_skips amp.policy.policy_of=policy_of cli insight
        insight.attempts=insight.reruns insight.places=insight.cell_paths
        insight.shadow=insight.float64_reference insight.sites=insight.operation_sites insight.speaker=insight.leader
        insight.wide=insight.in_float64 log observer profiler testing
    """,
}
# MindSpore's module of which there is no file here -> the sources of its names
MODULES = {
    "_c_expression": "tensor:Tensor later:disable_multi_thread dropin.compiler_names:MetaTensor",
    "_c_expression.typing": "dtype:BFloat,Bool,Float,Int,Number,Type,UInt",
    "amp.debugging": "insight.operator_stats:collect_operator_stats insight.numerics:check_numerics",  # Paddle's
    "common": (
        "context:get_seed,set_seed dtype graph initializer ops.sparse.tensors parameter nn.parameter_tuple tensor"
    ),
    "_c_expression.security": "dropin.graph_executor:enable_security",
    "common.api": (
        "graph dropin.graph_executor:_cell_graph_executor runtime:_pynative_executor "
        "later:_no_grad,lazy_inline,ms_memory_recycle,no_inline,set_recursion_limit"
    ),
    "common.lazy_inline": "later:lazy_inline",
    "common.dtype": "dtype",
    "common.initializer": "initializer",
    "common.jit_config": "graph:JitConfig",
    "common.parameter": "parameter",
    "common.seed": "context:get_seed,set_seed later:_get_graph_seed",
    "common.sparse_tensor": "ops.sparse.tensors",
    "common.tensor": "tensor",
    "communication.management": "communication",
    "common._decorator": "later:deprecated",
    "dataset.context": "context",
    "dataset.engine.config": "dataset.config",
    "dataset.engine.datasets_standard_format": "dataset.engine",
    "dataset.debug": "refused:DebugHook",
    "dataset.engine.datasets_text": "dataset.engine",
    "dataset.engine.datasets_user_defined": "dataset.engine",
    "dataset.engine.datasets_vision": "dataset.engine",
    "device_context.ascend.device": "device_context.ascend:device_count,is_available",
    "device_context.ascend.op_precision": (
        "device_context.ascend:conv_allow_hf32,matmul_allow_hf32,op_precision_mode,precision_mode"
    ),
    "device_context.ascend.op_tuning": "device_context.ascend:op_compile",
    "device_context.cpu.device": "device_context.cpu:device_count,is_available",
    "device_context.cpu.op_tuning": "device_context.cpu:threads_num",
    "device_context.gpu.device": "device_context.gpu:device_count,is_available",
    "device_context.gpu.op_precision": "device_context.gpu:conv_allow_tf32,matmul_allow_tf32",
    "device_context.gpu.op_tuning": "device_context.gpu:conv_dgrad_algo,conv_fprop_algo,conv_wgrad_algo",
    "hal": (
        "runtime:device_count,empty_cache,is_available,is_initialized,synchronize,max_memory_allocated,"
        "max_memory_reserved,memory_allocated,memory_reserved,memory_stats,memory_summary,"
        "reset_max_memory_allocated,reset_max_memory_reserved,reset_peak_memory_stats"
    ),
    "dataset.samplers": "dataset.engine.samplers",
    "nn.dynamic_lr": "nn.optim.dynamic_lr",
    "nn.grad.cell_grad": "nn.grad",
    "nn.learning_rate_schedule": "nn.optim.learning_rate_schedule",
    "nn.utils": "later:no_init_parameters",
    "nn.optim.ada_grad": "nn.optim:Adagrad",
    "nn.optim.adadelta": "nn.optim:Adadelta",
    "nn.optim.lamb": "nn.optim:Lamb",
    "nn.optim.momentum": "nn.optim:Momentum",
    "nn.optim.thor": "refused:thor",
    "nn.optim.rmsprop": "nn.optim:RMSProp",
    "nn.wrap.cell_wrapper": (
        f"nn.wrap nn.with_loss nn.virtual_dataset:VirtualDatasetCellTriple,_VirtualDatasetCell {_SCALED_STEPS}"
    ),
    "nn.wrap.grad_reducer": "nn.grad_reducer",
    "nn.wrap.loss_scale": f"{_SCALED_STEPS} nn.wrap:TrainOneStepCell",
    "ops.composite.base": "ops.composite dropin.compiler_names:core,tail",
    "ops.common": (
        "ops.type_checks:named,check_tensor,check_float,check_number,check_same_type "
        "ops.shape_checks:check_input,check_count,check_rank,check_shape ops.axes:as_int,as_axis,as_axes "
        "ops.broadcasting:broadcast_shape,broadcast,sum_to ops.operands:tensor_beside "
        "ops.promotion:lowered_dtype,promoted"
    ),
    "ops.function": "ops.functional ops.transforms",  # a module of its own, as its ``grad`` is a module
    "ops.function.array_func": "ops.functional",
    "ops.function.clip_func": "ops.functional",
    "ops.function.grad": _GRADIENTS,
    "ops.function.grad.grad_func": f"{_GRADIENTS} nn.custom_vjp",
    "ops.function.linalg_func": "ops.functional",
    "ops.function.math_func": "ops.functional",
    "ops.function.nn_func": "ops.functional",
    "ops.function.parameter_func": "ops.functional",
    "ops.function.random_func": "ops.functional",
    "ops.function.sparse_func": "ops.sparse.functions",
    "ops.function.sparse_unary_func": "ops.sparse.functions",
    "ops.operations._grad_ops": "ops.operations dropin.gradient_primitives",
    "ops.operations._inner_ops": "ops.operations dropin.inner_operations",
    "ops.operations.array.manipulation": (
        "ops.operations.array.reshaping ops.operations.array.repeating ops.operations.array.transpose "
        "ops.operations.array.reshaping:as_shape"
    ),
    "ops.operations.array_ops": "ops.operations",
    "ops.operations.comm_ops": "parallel.collective",
    "ops.operations.math_ops": "ops.operations",
    "ops.operations.nn_ops": "ops.operations",
    "ops.operations.other_ops": "ops.operations",
    "ops.operations.random_ops": "ops.operations",
    "profiler.profiling": "profiler.profiler",
    "train.amp": "amp",
    "train.callback._callback": (
        "train.callback.callback train.callback.parts:_CallbackManager,_handle_loss,set_cur_net"
    ),
    "train.callback._checkpoint": "train.callback:CheckpointConfig,ModelCheckpoint",
    "train.callback._early_stop": "train.callback:EarlyStopping",
    "train.callback._history": "train.callback:History",
    "train.callback._lambda_callback": "train.callback:LambdaCallback",
    "train.callback._loss_monitor": "train.callback:LossMonitor",
    "train.callback._lr_scheduler_callback": "train.callback:LearningRateScheduler",
    "train.callback._backup_and_restore": "train.callback:BackupAndRestore",
    "train.callback._on_request_exit": "train.callback:OnRequestExit",
    "train.callback._reduce_lr_on_plateau": "train.callback:ReduceLROnPlateau",
    "train.callback._summary_collector": "train.callback:SummaryCollector",
    "train.callback._time_monitor": "train.callback:TimeMonitor",
    "train.dataset_helper": "train.data_helper",
    "train.loss_scale_manager": "amp.loss_scale.managers",
    "train.metrics": "nn.metrics",
    "train.serialization": (
        f"serialization context:get_context,set_context tensor:Tensor parameter:Parameter "
        f"serialization:_update_param {_ONE_PROCESS}"
    ),
    "train.serialization.context": "context",
    "train.train_thor": "refused:ConvertModelUtils,ConvertNetUtils",
}

# A module here, "" for the package -> the sources of what MindSpore has at its address beside the module's own names
NAMES = {
    "": (
        "profiler:Profiler train nn.metrics later later:LAX,STRICT,_no_grad "
        f"dropin.unread_settings:get_offload_context,set_offload_context {_ONE_PROCESS}"
    ),
    "amp": "amp.policy.cast_cells:_OutputTo16,_OutputTo32",
    "dataset": "refused:DebugHook,GraphData",
    "log": "later:_get_logger",
    "mindrecord": "dataset.to_mindrecord:Cifar10ToMR,Cifar100ToMR,CsvToMR,ImageNetToMR,MnistToMR,TFRecordToMR",
    "dtype": (
        "ops.kinds:QuantDtype,dtype_to_pytype,float_,int_,list_,number,pytype_to_dtype,qint4x2,string,tensor_type,"
        "tuple_,type_none,uint"
    ),
    "initializer": (
        "initializer_parts:_assignment,_calculate_correct_fan,_calculate_fan_in_and_fan_out,"
        "_calculate_gain,_calculate_in_and_out,_init_random_normal,_init_random_uniform,"
        "_init_truncated_normal,_register nn.initial_values.fans:fans,gain"
    ),
    "nn": "refused:AdaSumByDeltaWeightWrapCell,AdaSumByGradWrapCell,thor",
    "nn.layer": "nn:Cell",
    "nn.layer.activation": "nn.layer",
    "nn.layer.basic": "nn.layer nn.layer.dense:Dense,check_dense_input_shape ops.operations:MatMul",
    "nn.layer.conv": "nn.layer",
    "nn.layer.embedding": "nn.layer",
    "nn.layer.math": "nn.layer",
    "nn.layer.normalization": "nn.layer",
    "nn.layer.padding": "nn.layer",
    "nn.layer.pooling": "nn.layer",
    "nn.layer.rnns": "nn.layer",
    "nn.layer.transformer": "nn.layer",
    "nn.loss.loss": "nn.loss nn.loss.softmax_cross_entropy:CosineEmbeddingLoss,SoftmaxCrossEntropyWithLogits",
    "nn.optim": "nn.optim.optimizer",
    "nn.optim.adam": "nn.optim",
    "nn.wrap": (
        f"{_SCALED_STEPS} nn.grad_reducer:DistributedGradReducer "
        "nn.with_loss:ForwardValueAndGrad,WithEvalCell,WithGradCell,WithLossCell"
    ),
    "ops": "tensor:Tensor dropin.later_operations",
    "ops.composite": (
        "ops.functional ops.functional.array_manipulation ops.functional.array_filling ops.functional.array_pieces "
        "ops.sparse.tensors:COOTensor,CSRTensor,RowTensorInner dropin.compiler_names:core,tail"
    ),
    "ops.functional": f"{_GRADIENTS} ops.transforms:vmap dropin.compiler_names:print,switch",
    "ops.operations": "ops.functional:partial ops.functional.partial:Partial",
    "parallel": "",
    "parameter": "nn.parameter_tuple:ParameterTuple",
    "train.callback": "train.callback.parts:_CallbackManager,_handle_loss,_set_cur_net",
    "train.model": "context:ParallelMode",
    "train": "amp:build_train_network nn.metrics serialization",
}
# A module here -> the sources of names that it had before they got files of their own
FORMER = {
    "context": (
        "core.running:running,under,changes core.seeds:seed,rewind,take_streams,next_stream "
        "parallel.settings:parallel_settings"
    ),
    "checks": (
        "ops.number_checks:is_real,is_float_sized,is_finite,check_number,check_no_complex,check_real,"
        "check_python_float ops.list_checks:is_axes,check_axes,check_names "
        "nn.layer.pooling3d:check_lengths nn.layer.rnn_checks:check_dropout,check_layers "
        "ops.object_checks:check_callable,check_optional_callable,check_path"
    ),
    "nest": "nn.nest_paths:keys_to,written",
    "nn.cell_tree": "nn.cell_attributes:NOT_BEGUN,Owner nn.cell_table:Table,note_change",
    "ops.elementwise": "ops.elementwise_pairs:Arithmetic,FloatPair ops.operations.math.bitwise:check_integers",
    "ops.functional.array_manipulation": "ops.functional.array_filling ops.functional.array_pieces",
    "ops.functional.reduce": "ops.functional.reduce_extremes",
    "ops.operations.linalg.matmul": "ops.operations.linalg.outer_product",
    "ops.operations.math.arithmetic": (
        "ops.operations.math.power ops.operations.math.extremes ops.operations.math.add_n"
    ),
    "ops.operations.math.unary": "ops.operations.math.exponential ops.operations.math.roots",
    "ops.operations.overflow_status": (
        "ops.operations.loss_scale:Unscale,next_loss_scale,AdvanceLossScale,UnscaleAndAdvance"
    ),
    "ops.operations.reduce.reduction": "ops.operations.reduce.product ops.operations.reduce.quantifiers",
    "ops.operations.state": (
        "ops.operations.gradient_flow ops.operations.backward_hooks ops.operations.backward_hooks:check_hook"
    ),
    "ops.primitive": "ops.casting:Cast",
    "rewrite.edit.edit": ("rewrite.edit.arguments:set_arg,set_arg_by_node,set_output rewrite.edit.replacing:replace"),
}
# Modules of NAMES whose ``__all__`` shows the further names that it writes out
LISTED = ["dtype", "nn", "nn.layer.basic", "nn.loss.loss", "nn.wrap"]
# Modules that are imported when they are first asked for, so that ``import minispore`` stays quick
LAZY = {
    "dataset",
    "dataset.audio",
    "dataset.text",
    "dataset.transforms",
    "dataset.vision",
    "device_context",
    "experimental",
    "insight",
    "mindrecord",
    "mint",
    "nn.probability",
    "numpy",
    "profiler",
    "runtime",
    "scipy",
    "train",
}
PACKAGES = {address.rpartition(".")[0] for address in MODULES}


def _places():
    """``{"tensor": "core.tensor"}`` for all addresses of :data:`ROOMS`."""
    found = {}
    for room, entries in ROOMS.items():
        for entry in entries.split():
            address, _, place = entry.partition("=")
            found[address] = f"{room}.{place or address.rpartition('.')[2]}"
    return found


_PLACES = _places()
_ADDRESSES = {place: address for address, place in _PLACES.items()}


def _renamed(name, table):
    """A dotted name, of which the longest beginning that a table has is replaced."""
    head, tail = name, ""
    while head and head not in table:
        head, _, last = head.rpartition(".")
        tail = f".{last}{tail}"
    return table[head] + tail if head else name


def place_of(address):
    """The place of the module of an address: "core.tensor" for "tensor"; an address that moved nowhere is its place."""
    return _renamed(address, _PLACES)


def modules_below(*addresses):
    """The names of the modules that stand in a room of their own while their addresses lie below some."""
    outer = tuple(f"{address}." for address in addresses)
    return [f"{PACKAGE}.{place}" for address, place in _PLACES.items() if address.startswith(outer)]


def names_from(sources):
    """The public names of sources, each with the module that has it: ``{"Momentum": "minispore.nn.optim"}``."""
    found = {}
    for source in sources.split():
        path, _, names = source.partition(":")
        module = importlib.import_module(f"{PACKAGE}.{path}")
        found |= dict.fromkeys(names.split(",") if names else module.__all__, module)
    return found


def names_added_to(module_name):
    """The names that :data:`NAMES` writes out for a module, which belong to its ``__all__``.

    Those of whole modules do not, nor do names that are refused.
    """
    sources = [source for source in NAMES[_address_of(module_name)].split() if not source.startswith("refused:")]
    return [name for source in sources if ":" in source for name in source.partition(":")[2].split(",")]


def attribute_getter(module_name, own=None):
    """A module's ``__getattr__``: it finds the names and modules that MindSpore has at the module's address.

    A module's ``own`` function of this name is asked first. A found name becomes an ordinary one of the module, unless
    it is a builtin's. Another raises AttributeError with the remedy for a name of another framework, or the nearest
    name.
    """
    address = _address_of(module_name)
    shown = f"{PACKAGE}.{address}".rstrip(".")

    def __getattr__(name):  # noqa: N807 - it becomes the module's
        if own is not None:
            with suppress(AttributeError):
                return own(name)
        if name == "__path__" and address in PACKAGES:
            return []
        inner = f"{address}.{name}" if address else name
        if inner in MODULES or inner in LAZY or inner in _PLACES:
            return importlib.import_module(f"{PACKAGE}.{inner}")
        if name == "__all__" and not address:
            return [*sys.modules[module_name]._NAMES, *importlib.import_module(f"{PACKAGE}.train").__all__]
        if name.startswith("__"):
            raise AttributeError(f"module '{module_name}' has no attribute '{name}'")
        home = names_from(NAMES.get(address) or FORMER.get(address, "")).get(name)
        module = sys.modules[module_name]
        if home is None:
            frame = sys._getframe(1)
            absent = stand_in(frame, name) if is_from_import(frame) else None
            if absent is not None:
                return absent
            told = Sentence(lambda: sentence(f"The module '{shown}'", inner, lambda: _known(module)))
            raise ImportError(told) if is_from_import(frame) else AttributeError(told, obj=module)
        found = getattr(home, name)
        if not hasattr(builtins, name):  # the module's own code means Python's ``all`` and ``min``
            setattr(module, name, found)
        return found

    return __getattr__


def _known(module):
    return getattr(module, "__all__", ())


def _address_of(module_name):
    """The address of a module by its name: "tensor" for "minispore.core.tensor"."""
    return _renamed(module_name.partition(".")[2], _ADDRESSES)


def open_module(module):
    """Have a module find what MindSpore has at its address, and say of the rest what is known of it."""
    own = vars(module).get("__getattr__")
    if getattr(own, "__module__", None) != __name__:
        module.__getattr__ = attribute_getter(module.__name__, own)


def open_modules():
    """Have the modules that are loaded find what MindSpore has at their addresses."""
    outer = {address.rpartition(".")[0] for address in _PLACES}
    for address in NAMES.keys() | FORMER.keys() | PACKAGES | outer:
        module = sys.modules.get(f"{PACKAGE}.{place_of(address)}".rstrip("."))
        if module is not None:
            open_module(module)
    for address in LISTED:
        module = sys.modules[f"{PACKAGE}.{place_of(address)}"]
        module.__all__ = sorted({*module.__all__, *names_added_to(module.__name__)})
