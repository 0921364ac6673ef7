"""The wrong kinds that take the place of an argument, which refusals are in the house's words, and what is taken."""

import re

import numpy as np
from support.public_callables import Net, floats, function

from minispore import ops

__all__ = ["WRONG", "is_a_function", "is_documented", "is_told"]


def _deep(depth):
    nest = 1.0
    for _ in range(depth):
        nest = [nest]
    return nest


WRONG = {
    "an int of 400 digits": lambda: 10**400,
    "a nest 40 deep": lambda: _deep(40),
    "a nest 3,000 deep": lambda: _deep(3000),
    "an Ellipsis": lambda: Ellipsis,
    "bytes": lambda: b"x",
    "a set": set,
    "a dict": dict,
    "a generator": lambda: (i for i in range(3)),
    "a slice": lambda: slice(None),
    "objects": lambda: np.array([None, 1]),
    "texts": lambda: np.array(["a"]),
    "complex numbers": lambda: np.ones(2, np.complex64),
    "a complex number": lambda: 1j,
    "a function": lambda: function,
    "a Cell": Net,
    "a primitive": ops.ReLU,
    "a class": lambda: int,
    "None": lambda: None,
    "nan": lambda: float("nan"),
    "a str": lambda: "\ud800",
    "a list of None": lambda: [None],
    "2 ** 64": lambda: 2**64,
    "a Tensor": lambda: floats(2, 3),
}
# Kinds that are right for many arguments: that they are taken says nothing
OFTEN_RIGHT = (
    "None",
    "nan",
    "2 ** 64",
    "a Tensor",
    "a str",
)

# Arguments that are the user's own functions: any callable is one, and what it raises when it is called is its own
FUNCTIONS = [
    (r"Cell\.apply", "fn"),
    (r"ms\.(load|save)_checkpoint", "choice_func"),
    (r"numpy\.apply_along_axis", "func1d"),
    (r"numpy\.apply_over_axes", "func"),
    (r"Dataset\.map|dataset\.MapDataset", "operations"),
    (r"Dataset\.filter|dataset\.FilterDataset", "predicate"),
    (r"Dataset\.\w*batch|dataset\.\w*BatchDataset", "batch_size|per_batch_map"),
    (r"dataset\.BucketBatchByLengthDataset", "length"),
    (r"Dataset\.apply", "apply_func"),
    (r"Dataset\.flat_map", "func"),
    (r"Dataset\.sync_wait|dataset\.SyncWaitDataset", "callback"),
    (r"dataset\.vision\.BoundingBoxAugment", "transform"),
    (r"SymbolTree\.create_call_function", "func"),
    (r"nn\.(Jvp|Vjp)", "fn"),
    (r"ops\.(derivative|jet|linearize)", "fn"),
]
_CALLABLE = ("a function", "a Cell", "a primitive", "a class")

# What is taken though it is odd: callables and arguments as patterns, and why
ACCEPTED = [
    (r"ops\.(identity|is_tensor|make_list|make_tuple|deepcopy|list_\w+)", r".*", "any value of Python"),
    (r"ops\.scalar_\w+", r"x|input_x", "an int of Python, of any size"),
    (r"ops\.add_flags", r"fn", "whatever can be called"),
    (r"set_(auto_parallel_)?context\.\w+(config|fusion)", r"value", "an empty dict: nothing is set"),
    (r"ms\.(SummaryCollector|merge_sliced_parameter)", r"collect_\w+|custom_\w+|strategy", "an empty dict"),
    (r"ms\.(LambdaCallback|LearningRateScheduler)", r"on_\w+|learning_rate_function", "whatever can be called"),
    (r"ms\.(Model|CheckpointConfig)", r"network|loss_fn|eval_network|saved_network", "a Cell"),
    (r"ms\.(Model|get_metrics)", r"metrics", "an empty dict or set: no metrics"),
    (r"ms\.RunContext", r"original_args", "a dict"),
    (r"ms\.rearrange_inputs", r"func", "whatever can be called"),
    (r"ms\.mutable", r"input_data", "a nest of values"),
    (r"nn\.(Dropout|Dropout1d|Dropout2d|Dropout3d|Identity|SequentialCell)\(", r".*", "x is handed on as it is"),
    (r"nn\.(With\w+|ForwardValueAndGrad|MicroBatchInterleaved|rearrange_inputs|PipelineCell)", r".*", "handed on"),
    (r"nn\.TimeDistributed", r"layer", "a Cell or a primitive"),
    (r"nn\.SyncBatchNorm", r"process_groups", "read where there is more than one process"),
    (r"nn\.Dropout", r"dtype", "MindSpore's compiler option, which changes nothing"),
    (r"Cell\.(cells_and_names|parameters_and_names)", r".*", "a generator, which reads them when it is iterated"),
    (r"\w*Cell\.register_\w+", r"hook_fn|hook|fn", "whatever can be called"),
    (r"insight\.watch", r"step", "a Cell is a step"),
    (r"Cell\.\w*flags\w*", r".*", "flags of any value"),
    (r"(Static|Dynamic)LossScaler\.(scale|unscale)|amp\.all_finite", r"inputs", "an empty dict"),
    (r"FixedLossScale\w+", r"overflow|_", "a fixed scale reads neither the overflow nor the scale"),
    (r"StaticLossScaler\.adjust", r"grads_finite", "a fixed scale does not read it"),
    (r"TrainOneStepWithLossScaleCell\.process_loss_scale", r"overflow", "handed on without an update cell"),
    (r"amp\.\w+|ms\.load\w*|\w+List\.\w+|SequentialCell\.\w+|SymbolTree\.create\w*", r"net|network|cell", "a Cell"),
    (r"boost\.\w+", r"network|grad", "a Cell; a function that takes gradients"),
    (r"amp\.build_train_network|nn\.Transformer", r"loss_fn|custom_\w+", "a Cell"),
    (r"ms\.save_checkpoint", r"save_obj", "a Cell"),
    (r"ms\.(save_checkpoint|load_param_into_net)", r"append_dict|parameter_dict", "an empty dict"),
    (r"dataset\.GeneratorDataset", r"source", "whatever can be called, iterated or indexed"),
    (r"dataset\.Subset\w*Sampler", r"indices", "an iterable of row numbers, an empty one too"),
    (r"dataset\.transforms\.(Concatenate|Fill)", r"prepend|append|fill_value", "text, for columns of text"),
    (r"FileWriter\.(write_raw_data|add_index)", r"raw_data|index_fields", "an empty list"),
    (r"dataset\.text\.PythonTokenizer", r"tokenizer", "whatever can be called"),
    (r"dataset\.text\.to_(str|bytes)", r"array", "strings or bytes"),
    (r"dataset\.MindDataset", r"columns_list", "an empty collection means all"),
    (r"FileWriter\.init_append", r".*", "refused as such"),
    (r"dataset\.BatchInfo", r".*", "made by the package, for functions that read it"),
    (r"dataset\.\w+", r"sampler", "an iterable of row numbers, read when it is iterated"),
    (r"(Dataset|dataset)\.\w+", r"pad_info", "an empty dict pads all columns"),
    (r"dataset\.transforms\.Slice", r"slices", "a slice"),
    (r"dataset\.NumpySlicesDataset", r"data", "arrays of any dtype"),
    (r"Node\.create_call_cell", r"cell|kwargs", "a Cell or a Primitive; an empty dict"),
    (r"Node\.set_attribute", r"value", "any value"),
    (r"ScopedValue\.create_variable_value|rewrite\.ScopedValue", r"value", "any object as a constant"),
    (r"rewrite\.PatternNode", r"match_type", "a class"),
    (r"numpy\.(promote_types|result_type)", r"type1|type2|arrays_and_dtypes", "a class may name a dtype"),
    (r"numpy\.isscalar", r"element", "a question about any value"),
    (r"ms\.(pytype_to_dtype|dtype_to_nptype|dtype_to_pytype)", r"obj|type_", "a class may name a dtype"),
    (r"nn\.\w+", r"weight_decay|activation|network", "a Cell; whatever can be called"),
    (r"nn\.\w+", r"learning_rate", "an iterable of rates"),
    (
        r".*",
        r"add_(bias_kv|zero_attn)|auto_(parallel_mode|prefix)|batch_first|bias|\w+_mode|mode|recurse",
        "its truth counts",
    ),
    (r".*", r"check_name_contain_dot|copy|count_include_pad|density|do_copy|drop_overflow_update", "its truth counts"),
    (r".*", r"expand|full|keep_?dims?|log_input|norm_first|output_numpy|python_multiprocessing", "its truth counts"),
    (r".*", r"(with_)?replacement|requires_grad|return_indices|return_inverse|returned", "its truth counts"),
    (r".*", r"reverse|right", "its truth counts"),
    (r"ops\.\w+_window", r"periodic", "its truth counts where there is one number"),
    (r"ops\.Lstsq", r"fast", "its truth counts: 1 is taken by MindSpore too"),
    (r"(Tensor|Parameter|ops)\.\w*(max|min)", r"where", "a mask of one value, whose truth counts"),
    (r".*", r"slice_shape|swap|largest|use_vertical_flip|wait|warmup_init|zero_infinity", "its truth counts"),
    (r"Cell\.(apply|construct|__call__|cast_param|extend_repr)", r".*", "a class can be called"),
    (r"(Tensor|Parameter)\.init_data", r".*", "initialization in slices, which has no part here"),
    (r"(Tensor|Parameter)\.set_init_flag", r"flag", "whatever it is, as by MindSpore: no value waits here"),
    (r"(Tensor|Parameter)\.__\w+__", r".*", "an index, or another operand"),
    (r"ms\.(grad|value_and_grad|vjp|jvp|vmap|jacfwd|jacrev)", r"fn", "a class can be called"),
    (r"ms\.jit", r"input_signature|hash_args|jit_config|fn", "options of a compiler; a class can be called"),
    (r"ms\.Parameter", r"layerwise_parallel|parallel_optimizer", "options of parallel training"),
    (r"ms\.(value_and_grad|grad|vjp|ParameterTuple)", r"weights|iterable", "an empty collection"),
    (r"nn\.(CellList|SequentialCell|TransformerEncoder|TransformerDecoder)", r"args|\w+_layer", "a Cell"),
    (r"Cell\.(set_jit_config|insert_child_to_cell)", r".*", "a Cell has a jit_config_dict, and is a child"),
    (r"Cell\.(compile|set_inputs)", r".*", "kept for a compiler that is not there"),
    (r"Cell\.auto_cast_inputs", r".*", "a tuple whose Tensors are cast"),
    (r"Optimizer\.(broadcast_params|flatten_gradients)", r".*", "handed on as it is"),
    (r"nn\.\w+", r"flags", "a dict"),
    (r"nn\.get_metrics", r"metrics", "an empty dict or set"),
    (r"nn\.Conv\w+", r"bias_init|data_format", "unused without a bias, or by rows"),
    (r"(Tensor|Parameter)\.scatter_to", r"key", "a key"),
    (r"Parameter\.set_dtype", r"set_dtype", "a class may name a dtype"),
    (r"nn\.ClipByNorm", r"axis", "checked where the Tensor's axes are known"),
    (r"ops\.SpaceToBatchND|ops\.BatchToSpaceND", r"paddings|crops", "an empty collection"),
    (r"ops\.(constexpr|partial|Partial|Spec|MultitypeFuncGraph|InsertGradientOf|HookBackward)", r".*", "plain Python"),
    (r"ops\.(prim_attr_register|HyperMap|Map|Primitive\w*)", r".*", "a function of any values"),
    (r"ops\.(depend|Depend|stop_gradient|mixed_precision_cast|Print|print_)", r".*", "any value"),
    (r"ops\.(max|min|amax|amin)|(Tensor|Parameter)\.(max|min|amax|amin)", r"initial|where", "used with an axis"),
    (r"ops\.(GetItem|SetItem|ScatterTo)", r".*", "made by indexing, whose keys are checked there"),
    (r".*", r"dtype|type|data_type|output_type|argmax_type|out_idx|out_type|Tsplits", "a class may name a dtype"),
]


# What is taken of one kind alone
ACCEPTED_KINDS = [
    ("a nest 40 deep", r"ms\.(Tensor|Parameter)", r"input_data|default_input", "an array of 40 axes"),
    ("a complex number", r"ms\.(Tensor|Parameter)", r"input_data|default_input", "a complex Tensor"),
    ("complex numbers", r"ms\.(Tensor|Parameter)", r"input_data|default_input", "a complex Tensor"),
    ("complex numbers", r"(Tensor|Parameter)\.from_numpy", r"array", "a complex Tensor"),
    ("complex numbers", r"ops\.(addmm|true_divide)", r"\w+", "complex Tensors are added and divided"),
    ("a dict", r"nn\.CellDict", r"args", "cells by their names"),
    ("a list of None", r"nn\.(Adaptive\w+3d|Upsample)", r"output_size|scale_factor", "one None for each axis"),
    ("a list of None", r"ops\.AdaptiveAvgPool3D", r"output_size", "one None for each axis"),
    ("a list of None", r"ms\.vmap", r"in_axes|out_axes", "None for an input that is not mapped over"),
    ("a list of None", r"numpy\.histogram\w+", r"range", "one None for each axis"),
    ("a list of None", r"dataset\.transforms\.PadEnd", r"pad_shape", "the length of an axis stays"),
    ("a list of None", r"Node\.create_call_cell", r"args", "the constant None"),
    ("a Cell", r"insight\.watch", r"step", "a step is a Cell, or whatever is called as one"),
    ("an int of 400 digits", r"Node\.set_arg|SymbolTree\.create_call_function", r"args?", "a constant of the source"),
]


def is_told(error):
    """Whether an error is in the house's words, or Python's own about the count and the names of arguments."""
    text = str(error.args[0]) if error.args else ""
    signature = (
        r"missing \d+ required|unexpected keyword|positional argument|multiple values|takes no arguments|abstract"
    )
    return re.match(r"(?s)For '.+', |The '.+' object has no attribute", text) or (
        isinstance(error, TypeError) and re.search(signature, text)
    )


def is_warned(warned, argument):
    """Whether a warning in the house's words names the argument, which is then taken by its truth, as in MindSpore."""
    return any(re.match(rf"For '\w+', the '{argument}' ", str(warning.message)) for warning in warned)


def is_a_function(callable_name, argument, kind):
    """Whether a kind of value is callable, and the argument takes any callable."""
    return kind in _CALLABLE and any(
        re.fullmatch(name, callable_name) and re.fullmatch(own, argument) for name, own in FUNCTIONS
    )


def is_documented(callable_name, argument, kind):
    """Whether it is known, and why, that a callable takes a kind of value as an argument."""
    rows = ACCEPTED + [row for own, *row in ACCEPTED_KINDS if own == kind]
    return kind in OFTEN_RIGHT or any(
        re.fullmatch(rf"({name})\S*", callable_name) and re.fullmatch(arguments, argument)
        for name, arguments, _ in rows
    )
