"""Write the package's stubs (``*.pyi``), by which editors and type checkers know the public names, from those names.

Run it as ``python docs/make_stubs.py``; a test holds the stubs to what this writes. Much of the package is made as it
is imported (Tensor's methods, the functions of one and two Tensors), where no static tool can look: names, arguments
and defaults are therefore asked of the package itself, the types of arguments of the docstrings (``name (type): ...``).
What an answer is, neither says: :data:`ANSWERS` does, and what stands nowhere is ``Any``.

A class or function is defined in one stub, that of the first place of :data:`PLACES` whose ``__all__`` has it; all
other places import it from there, so that it is the same to a type checker wherever it is imported from.
"""

import ast
import dataclasses
import enum
import importlib
import importlib.util
import inspect
import pathlib
import re
import sys
import textwrap
import types

import minispore as ms
from minispore import addresses, nn, ops, refused
from minispore.ops.primitive import Primitive

ROOT = pathlib.Path(ms.__file__).parent
PLACES = """
    minispore.refused minispore.dtype minispore.tensor minispore.parameter minispore.initializer minispore.context
    minispore.serialization minispore.dataset.config minispore.dataset.engine.samplers minispore.dataset
    minispore.dataset.engine minispore.rewrite minispore.amp minispore.boost minispore.nn minispore.train.callback
    minispore.train minispore.ops minispore
    minispore.nn.cell minispore.nn.dynamic_lr minispore.nn.layer minispore.nn.learning_rate_schedule
    minispore.nn.loss minispore.nn.metrics minispore.nn.optim minispore.nn.wrap minispore.ops.composite
    minispore.ops.functional minispore.ops.operations minispore.ops.primitive minispore.common
    minispore.common.dtype minispore.common.initializer minispore.common.parameter minispore.common.tensor
    minispore.train.loss_scale_manager minispore.train.metrics minispore.nn.optim.dynamic_lr
    minispore.nn.optim.learning_rate_schedule minispore.amp.loss_scale minispore.amp.loss_scale.managers
    minispore.communication minispore.log minispore.parallel
    minispore.numpy minispore.numpy.array_creations minispore.numpy.array_ops minispore.numpy.logic_ops
    minispore.numpy.math_ops minispore.mindrecord minispore.boost.grad_accumulation
"""
UNLISTED = {
    "minispore.dtype": ["BFloat", "Bool", "DType", "Float", "Int", "Number", "Type", "UInt"],
    "minispore.refused": sorted(refused.REFUSALS),
    "minispore.serialization": ["_update_param"],
    "minispore": ["__version__"],
    "minispore.log": ["debug", "info", "warning", "error", "critical", "exception"],
}  # what is public beside a place's ``__all__``
WORDS = {  # of the docstrings' types
    **{name: name for name in ("bool", "str", "int", "float", "object", "None", "Iterable")},
    "Callable": "Callable[..., Any]",
    **{"dict": "dict[str, Any]", "list": "list[Any]", "tuple": "tuple[Any, ...]", "type": "type", "number": "float"},
    "DType": "_DType",
    "mindspore.dtype": "_DType | np.dtype[Any] | type | str",
}
CLASSES_IN_LISTS = {"white_list": "Sequence[type]", "black_list": "Sequence[type]"}
ARRAY, PAIR, SEVERAL = "np.typing.NDArray[Any]", "tuple[Tensor, Tensor]", "tuple[Tensor, ...]"
CALLED = {  # what cells and primitives answer where it is not one Tensor
    "cell": {
        PAIR: "LSTMCell",
        "Any": """
            AdaptiveMaxPool2d AdaptiveMaxPool3d FractionalMaxPool2d FractionalMaxPool3d
            MaxPool1d MaxPool2d MaxPool3d GRU LSTM RNN MultiheadAttention CellList
            SequentialCell WithGradCell WithEvalCell WithLossCell ForwardValueAndGrad ParameterUpdate TrainOneStepCell
            TrainOneStepWithLossScaleCell MicroBatchInterleaved PipelineCell GradAccumulationCell
            DynamicLossScaleUpdateCell FixedLossScaleUpdateCell Optimizer Cell LossBase LearningRateSchedule
        """,
    },
    "primitive": {
        PAIR: """
            AdaptiveMaxPool2D ApplyAdagrad ArgMaxWithValue ArgMinWithValue CTCLoss Cummax Cummin Dropout Dropout2D
            Dropout3D LogMatrixDeterminant MaxPoolWithArgmax Median NLLLoss RReLU RandomChoiceWithMask
            ReduceStd SoftmaxCrossEntropyWithLogits Sort SquareSumAll TopK
            Unique
        """,
        SEVERAL: """
            Adam AdamWeightDecay ApplyAdaMax ApplyAdadelta BatchNorm BatchNormGrad Broadcast CTCLossV2 DynamicGRUV2
            DynamicRNN GRUSequence GRUSequenceGrad GRUStep GRUStepGrad RNNStep RNNStepGrad
            LSTM LSTMSequence LSTMSequenceGrad LSTMStep LSTMStepGrad LayerNorm LayerNormGrad Meshgrid NMSWithMask
            RNNSequence RNNSequenceGrad Split Svd Unpack Unstack
        """,
        "Any": """
            HookBackward Primitive PrimitiveWithInfer Rank ScalarCast Shape Size DType Print HistogramSummary
            ImageSummary ScalarSummary TensorSummary Custom
        """,
    },
}
ANSWERS = {  # what functions and methods of a name answer; those of ``ops`` and Tensor give one Tensor otherwise
    PAIR: """
        aminmax clip_by_global_norm ctc_loss cummax cummin max median min log_matrix_determinant slogdet sort
        std_mean top_k topk
        unique var_mean Tensor.argmax_with_value Tensor.argmin_with_value
    """,
    SEVERAL: "chunk dsplit hsplit meshgrid split tensor_split unbind unstack vsplit",
    "Any": """
        adaptive_max_pool2d adaptive_max_pool3d atleast_1d atleast_2d atleast_3d clip_by_value constexpr max_pool2d
        fractional_max_pool2d fractional_max_pool3d
        max_pool3d prim_attr_register rank shape size tuple_to_array scalar_to_tensor Tensor.max Tensor.min Tensor.item
        Tensor.tolist add_flags deepcopy dict_getitem dict_setitem identity make_slice reduced_shape scalar_add
        scalar_cast scalar_div scalar_floordiv scalar_log scalar_mod scalar_mul scalar_pow scalar_sub scalar_uadd
        scalar_usub tuple_div tuple_getitem tuple_reversed tuple_setitem list_getitem list_setitem make_list
        make_range make_tuple svd Tensor.svd
    """,
    "int": """
        numel nelement ndimension tuple_len list_len shape_mul Tensor.ndim Tensor.size Tensor.itemsize
        Tensor.nbytes Tensor.dim __len__ __int__ __index__ __hash__
    """,
    "bool": """
        in_dict is_complex is_floating_point is_signed is_tensor list_equal not_in_dict scalar_eq scalar_ge scalar_gt
        scalar_le scalar_lt tuple_equal Tensor.has_init __bool__ __contains__ Parameter.requires_grad
    """,
    "float": "__float__",
    "str": "__str__ __repr__ Parameter.name Cell.extend_repr",
    "None": """
        __init__ __setitem__ __delitem__ data_sync flush_from_cache set_context
        set_auto_parallel_context reset_auto_parallel_context set_seed
    """,
    "_DType": "typeof Tensor.dtype Tensor.set_dtype",  # ``ops.DType`` is a primitive
    "tuple[int, ...]": "Tensor.shape Tensor.strides",
    ARRAY: "asnumpy numpy",
    "Iterator[Tensor]": "Tensor.__iter__",
    "Self": "set_train set_grad to_float Cell.add_flags add_flags_recursive init_data set_data clone Parameter.data",
    "Tensor": "all_finite initializer Parameter.value from_numpy",
    "Parameter": "Parameter.__deepcopy__",
    "list[Parameter]": "trainable_params untrainable_params",
    "Iterator[Parameter]": "get_parameters",
    "Iterator[tuple[str, Parameter]]": "parameters_and_names",
    "Iterator[tuple[str, Cell]]": "cells_and_names",
    "dict[str, Parameter]": "parameters_dict load_checkpoint",
    "list[type]": "get_white_list get_black_list",
    "list[str]": "load_param_into_net",
    "Callable[..., Any]": "grad value_and_grad vmap jacfwd jacrev",
    "DynamicLossScaleUpdateCell": "DynamicLossScaleManager.get_update_cell",
}
OF_NUMPY = {  # what functions of ``ms.numpy`` answer that do not answer one Tensor
    "Any": """
        array_split average atleast_1d atleast_2d atleast_3d diag_indices divmod dsplit gradient histogram histogram2d
        histogramdd hsplit ix_ linspace split tril_indices tril_indices_from triu_indices triu_indices_from unique
        unravel_index vsplit
    """,
    "list[Tensor]": "broadcast_arrays indices meshgrid",
    "_DType": "promote_types result_type",
    "bool": "isscalar",
    "int": "size",
    "str": "array_str",
}
HIDDEN = "__new__ __setattr__ __delattr__ __reduce__ __getstate__ __init_subclass__ __array__ __replace__"
HEAD = '''"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

'''


class Text(str):
    """Text that stands as it is in a printed signature."""

    __slots__ = ()
    __repr__ = str.__str__


def modules():
    """The places that there are, by name."""
    found = {}
    for name in PLACES.split():
        if name in sys.modules or _is_found(name):
            found[name] = importlib.import_module(name)
    return found


def _is_found(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is none
        return False


MODULES = modules()


def public(place):
    """The public names of a place with what they stand for."""
    module = MODULES[place]
    inner = [name.rpartition(".")[2] for name in MODULES if name.rpartition(".")[0] == place]
    inner = [name for name in inner if isinstance(getattr(module, name), types.ModuleType)]  # or a function hides it
    names = [*getattr(module, "__all__", ()), *UNLISTED.get(place, ()), *inner]
    return {name: getattr(module, name) for name in sorted(set(names))}


def _homes():
    """Where each public class and function is defined: id -> (place, name), its own name where it has several."""
    found = {}
    for place in MODULES:
        for name, value in public(place).items():
            if isinstance(value, (int, str, types.ModuleType)):
                continue
            known = found.get(id(value))
            if known is None or (known[0] == place and getattr(value, "__name__", None) == name):
                found[id(value)] = place, name
    return found


HOMES = _homes()
CLASSES = {}  # name -> class; of two that share it, the one of the first place
for _place in MODULES:
    for _name, _value in public(_place).items():
        if isinstance(_value, type) and HOMES[id(_value)] == (_place, _name):
            CLASSES.setdefault(_name, _value)


def by_name(table):
    """The answers of a table by name."""
    return {name: answer for answer, names in table.items() for name in names.split()}


ANSWER = by_name(ANSWERS)
ANSWER_OF_NUMPY = by_name(OF_NUMPY)
ANSWER_OF_CALL = {kind: by_name(table) for kind, table in CALLED.items()}


# Types


def parts(text):
    """The parts of a text between the commas that stand in no bracket."""
    depth, found = 0, [""]
    for c in text:
        depth += (c == "[") - (c == "]")
        if c == "," and not depth:
            found.append("")
        else:
            found[-1] += c
    return [part.strip() for part in found]


def read(text):
    """A docstring's type as an annotation; None where it is none that can be read."""
    outer, _, inner = text.partition("[")
    inner = [read(part) for part in parts(inner[:-1])] if inner else []
    if None in inner:
        return None
    if not inner:
        return WORDS.get(text, text if text in CLASSES else None)
    forms = {"Union": " | ".join(inner), "tuple": f"tuple[{inner[0]}, ...]", "Iterable": f"Iterable[{inner[0]}]"}
    return (forms | {"list": f"Sequence[{inner[0]}]"}).get(outer)


def told(doc, *sections):
    """The types that a docstring tells of arguments: name -> annotation."""
    found, section = {}, None
    for line in inspect.cleandoc(doc or "").splitlines():
        if re.fullmatch(r"\w+:", line):
            section = line[:-1]
        entry = re.match(r"    (?:- \*\*)?([\w, ]+?)(?:\*\*)? \((.+?)\)(?:: | - )", line)
        if section in sections and entry:
            found |= dict.fromkeys(parts(entry[1]), read(entry[2]))
    return {name: annotation for name, annotation in found.items() if annotation} | CLASSES_IN_LISTS


def told_of(cls):
    """The types that a class's docstring tells of its arguments, or that of the class whose arguments it names."""
    like = re.search(r"Arguments\b[\w, ]* as :class:`(\w+)`", cls.__doc__ or "")
    return (told_of(getattr(nn, like[1])) if like else {}) | told(cls.__doc__, "Args")


def holds(annotation, value):
    """Whether a default is of the annotated type, as far as plain values show it."""
    kinds = {bool: {"bool"}, int: {"int", "float"}, float: {"float"}, str: {"str"}}
    return type(value) not in kinds or bool(kinds[type(value)] & set(re.findall(r"\w+", annotation)))


def default(value):
    """A default as it is written: plain values as they are, others as ``...``."""
    plain = value is None or type(value) in (bool, int, str) or (type(value) is float and abs(value) < float("inf"))
    plain = plain or (type(value) is tuple and all(default(x) is not Ellipsis for x in value))
    return value if plain else ...


def typed(signature, types_of, answer, bound=False):
    """A signature with types; the first argument of what is bound to instances is ``self``."""
    arguments = []
    for i, p in enumerate(signature.parameters.values()):
        if bound and i == 0:
            arguments.append(p.replace(name="self", kind=p.POSITIONAL_OR_KEYWORD))
            continue
        annotation = types_of.get(p.name, "Any")
        if p.default is None and annotation != "Any":
            annotation += "" if "None" in annotation else " | None"
        elif p.default is not p.empty and not holds(annotation, p.default):
            annotation = "Any"
        if p.default is not p.empty:
            p = p.replace(default=Text("...") if default(p.default) is ... else p.default)
        arguments.append(p.replace(annotation=Text(annotation)))
    return signature.replace(parameters=arguments, return_annotation=Text(answer))


OPEN = ([inspect.Parameter.VAR_POSITIONAL], [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD])


def behind(method):
    """The function that ``lambda self, *args, **kwargs`` hands its arguments to, else the method itself."""
    kinds = [p.kind for p in inspect.signature(method).parameters.values()]
    held = [c.cell_contents for c in method.__closure__ or () if isinstance(c.cell_contents, types.FunctionType)]
    return held[0] if kinds[1:] in OPEN and len(held) == 1 else method


# What a stub is made of: functions, classes, values


def function_lines(name, function):
    """A function."""
    types_of = told(function.__doc__, "Args")
    yield f"def {name}{typed(inspect.signature(function), types_of, function_answer(name, function))}: ..."


def bases_of(cls):
    """The nearest public ancestors, and the classes between that are not public, whose members the stub takes in."""
    public_bases, hidden = [], []
    for base in (b for b in cls.__bases__ if b is not object):
        if id(base) in HOMES or base.__module__ in ("builtins", "enum"):
            public_bases.append(base)
        else:
            above, between = bases_of(base)
            public_bases += above
            hidden += [base, *between]
    return public_bases, hidden


def class_text(cls):
    """A class as a base."""
    generic = {tuple: "tuple[Any, ...]", dict: "dict[Any, Any]", list: "list[Any]"}
    return generic.get(cls) or (f"enum.{cls.__name__}" if cls.__module__ == "enum" else HOMES[id(cls)][1])


def members_of(cls, hidden):
    """The members that a class has beyond its public ancestors, by name."""
    found = {}
    for owner in reversed([cls, *hidden]):
        found |= vars(owner)
    hidden_names = {name for name in found if name[0] == "_" and not _is_dunder(name)} | {*HIDDEN.split()}
    return {name: value for name, value in found.items() if name not in hidden_names}


def _is_dunder(name):
    return name.startswith("__") and name.endswith("__")


def assigned(owners):
    """The public attributes that the classes' ``__init__`` give their instances, by name."""
    for owner in owners:
        if dataclasses.is_dataclass(owner):  # its ``__init__`` has no source
            yield from (field.name for field in dataclasses.fields(owner) if field.name[0] != "_")
            continue
        begin = vars(owner).get("__init__")
        if not isinstance(begin, types.FunctionType):
            continue
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(begin))))):
            stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
            if stored and ast.unparse(node.value) == "self" and node.attr[0] != "_":
                yield node.attr


def function_answer(name, function):
    """What a public function answers."""
    if function.__module__.startswith("minispore.numpy."):
        return ANSWER_OF_NUMPY.get(name, "Tensor")
    return ANSWER.get(name, "Tensor" if name in ops.functional.__all__ else "Any")


def call_answer(cls):
    """What an instance answers when it is called."""
    if issubclass(cls, nn.Optimizer) or not issubclass(cls, (nn.Cell, Primitive)):
        return "Any"
    return ANSWER_OF_CALL["cell" if issubclass(cls, nn.Cell) else "primitive"].get(cls.__name__, "Tensor")


def answer_of(cls, name):
    """What a method or property of a class answers."""
    if name in ("__call__", "construct"):
        return call_answer(cls)
    other = "Tensor" if cls is ms.Tensor else "Any"
    return ANSWER.get(f"{cls.__name__}.{name}", ANSWER.get(name, other))


GENERAL = (nn.Cell, Primitive, ops.PrimitiveWithInfer)  # the bases, of which users derive their own


def method_lines(cls, name, method, types_of):
    """A method, of whatever kind."""
    if isinstance(method, (staticmethod, classmethod)):
        yield f"@{type(method).__name__}"
    function = getattr(method, "__func__", method)
    static = isinstance(method, staticmethod)
    function = function if static else behind(function)
    own = types_of if name == "__init__" else told(function.__doc__, "Args", "Inputs")
    if name in ("construct", "__call__"):
        own = told(cls.__doc__, "Inputs") | own
    signature = inspect.signature(function)
    yield f"def {name}{typed(signature, own, answer_of(cls, name), not static)}: ..."


def property_lines(cls, name, value):
    """A property, with its setter where it has one."""
    answer = answer_of(cls, name)
    yield from ("@property", f"def {name}(self) -> {answer}: ...")
    if value.fset is not None:
        yield from (f"@{name}.setter", f"def {name}(self, value: {answer}) -> None: ...")


def member_lines(cls, name, value, types_of):
    """A member of a class."""
    if isinstance(value, (types.FunctionType, staticmethod, classmethod)):
        yield from method_lines(cls, name, value, types_of)
    elif isinstance(value, property):
        yield from property_lines(cls, name, value)
    elif isinstance(value, enum.Enum):
        yield f"{name} = {value.value!r}"
    elif not _is_dunder(name):
        yield f"{name}: {value_type(value)}"


def value_type(value):
    """The type of a value that is no function."""
    if isinstance(value, ms.dtype.DType):
        return "_DType"
    return type(value).__name__ if type(value) in (bool, int, str) else "Any"


def called_lines(cls, members):
    """How instances are called, where a class of cells or primitives says more than its base."""
    if cls in GENERAL or "__call__" in members:
        return
    if issubclass(cls, nn.Cell) and isinstance(members.get("construct"), types.FunctionType):
        for line in method_lines(cls, "construct", members["construct"], {}):
            yield line.replace("def construct", "def __call__", 1)
    elif issubclass(cls, Primitive):
        yield f"def __call__(self, *args: Any) -> {answer_of(cls, '__call__')}: ..."


def class_lines(name, cls):
    """A class: what it has beyond its public ancestors."""
    bases, hidden = bases_of(cls)
    members = members_of(cls, hidden)
    if hasattr(cls, "_fields"):  # a tuple with names
        members = {n: v for n, v in members.items() if n in cls._fields}
    types_of = told_of(cls)
    yield f"class {name}({', '.join(map(class_text, bases))}):" if bases else f"class {name}:"
    lines = [f"{n}: Any" for n in sorted({*assigned([cls, *hidden])} - members.keys())]
    for member, value in sorted(members.items()):
        lines += member_lines(cls, member, value, types_of)
    lines += called_lines(cls, members)
    for builtin in members.keys() & {"bool", "float", "int"}:  # a method of that name hides the type in its class
        lines = [re.sub(rf"(?<!def )\b{builtin}\b(?!\()", f"builtins.{builtin}", line) for line in lines]
    yield from (f"    {line}" for line in lines or ["..."])


def home_lines(place):
    """What a place defines itself, and under which names others' things stand there."""
    for name, value in public(place).items():
        home = HOMES.get(id(value))
        if isinstance(value, types.ModuleType):
            package, _, last = value.__name__.rpartition(".")
            yield f"from {package} import {last} as {name}"
        elif home is None or home == (place, name):
            yield from definition(name, value)
        elif home[0] == place:
            yield f"{name} = {home[1]}"
        else:
            yield f"from {home[0]} import {home[1]} as {name}"


def definition(name, value):
    """The lines that say what a name stands for."""
    if isinstance(value, type):
        return class_lines(name, value)
    if isinstance(value, types.FunctionType):
        return function_lines(name, value)
    return [f"{name}: {value_of(value)}"]


def value_of(value):
    """The type of a public value: its class where that is public."""
    known = id(type(value)) in HOMES and not isinstance(value, ms.dtype.DType)
    return HOMES[id(type(value))][1] if known else value_type(value)


def imports(place, body):
    """The imports that a stub's annotations and bases need; a name that is another thing there gets an underscore."""
    words = set(re.findall(r"\b\w+\b", body))
    yield from ("import builtins",) if "builtins" in words else ()
    yield from ("import enum",) if "enum" in words else ()
    yield from ("import numpy as np", "import numpy.typing") if "np" in words else ()
    names = [n for n in ("Any", "Callable", "Iterable", "Iterator", "Sequence") if n in words]
    abstract = [n for n in names if n != "Any"]
    yield from (f"from collections.abc import {', '.join(abstract)}",) if abstract else ()
    yield from ("from typing import Any",) if "Any" in words else ()
    yield from ("from typing_extensions import Self",) if "Self" in words else ()
    if "_DType" in words:
        yield "_DType = DType" if place == "minispore.dtype" else "from minispore.dtype import DType as _DType"
    here = public(place)
    for name in sorted(words & CLASSES.keys() - here.keys()):
        home, there = HOMES[id(CLASSES[name])]
        if home != place:
            yield f"from {home} import {there}"


def stub(place):
    """The text of a place's stub."""
    body = "\n".join(home_lines(place))
    listed = f"__all__ = {sorted(getattr(MODULES[place], '__all__', ()))!r}\n"
    return HEAD + "\n".join([*imports(place, body), listed, body]).rstrip() + "\n"


def path_of(place):
    """Where a place's stub stands: beside its file, or where its name says for an alias of another module."""
    module = MODULES[place]
    inner = any(f"minispore.{other}".startswith(f"{place}.") for other in addresses.MODULES)
    if module.__name__ == place and getattr(module, "__file__", None) and not inner:
        return pathlib.Path(module.__file__).with_suffix(".pyi")
    inner = inner or any(other.startswith(place + ".") for other in MODULES)
    return ROOT.joinpath(*place.split(".")[1:], *(["__init__"] if inner else [])).with_suffix(".pyi")


def addresses_beside():
    """MindSpore's addresses that are no places, as modules: their stubs import all from elsewhere."""
    sources = {**addresses.MODULES, **addresses.NAMES}
    found = {f"minispore.{address}": text for address, text in sources.items() if address and text}
    return {name: text for name, text in sorted(found.items()) if name not in MODULES}


def address_stub(name, sources):
    """The text of the stub of an address."""
    lines = []
    for source in sources.split():
        module, _, names = source.partition(":")
        kept = ", ".join(f"{n} as {n}" for n in names.split(",")) if names else "*"
        lines.append(f"from minispore.{module} import {kept}")
    return HEAD + "\n".join(lines) + "\n"


def address_path(name):
    """Where the stub of an address stands: in its folder where the address has others below it."""
    inner = any(f"minispore.{other}".startswith(f"{name}.") for other in addresses.MODULES)
    path = ROOT.joinpath(*name.split(".")[1:], *(["__init__"] if inner else []))
    return path.with_suffix(".pyi")


def stubs():
    """Every stub: path -> text."""
    found = {path_of(place): stub(place) for place in MODULES}
    return found | {address_path(name): address_stub(name, text) for name, text in addresses_beside().items()}


if __name__ == "__main__":
    for path, text in stubs().items():
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(MODULES)} stubs, {len(CLASSES)} classes")
