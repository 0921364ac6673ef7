"""Every public callable with arguments that it takes, and the wrong kinds that take the place of one of them.

What arguments a callable takes is found by trying: ``POOLS`` says by a parameter's name what is likely.
"""

import inspect
import re

import numpy as np

import minispore as ms
from minispore import amp, nn, ops

__all__ = ["CALLABLES", "WRONG", "is_documented", "is_told", "taken_arguments"]


def floats(*shape):
    return ms.Tensor(np.linspace(0.1, 0.9, int(np.prod(shape))).astype(np.float32).reshape(shape))


def ints(*shape):
    return ms.Tensor((np.arange(int(np.prod(shape))) % 2).astype(np.int32).reshape(shape))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense, self.relu = nn.Dense(3, 3), nn.ReLU()

    def construct(self, x):
        return self.relu(self.dense(x))


def _function(x):
    return x * 2


def parameter():
    return ms.Parameter(np.ones((2, 3), np.float32), name="p")


_SHAPES = [(2, 3), (3, 3), (3,), (2, 3, 4), (1, 2, 4, 4), (1, 2, 4, 4, 4), ()]
_FLOATS = [lambda s=s: floats(*s) for s in _SHAPES]
_INTS = [lambda s=s: ints(*s) for s in [(2, 3), (3,), (2,), ()]]
_VALUES = [1, 2, 0, 3, 0.5, -1, True, "mean", "constant", "same", "nearest", "int8"]
_LENGTHS = [(2, 3), (1,), (0,), (2, 2), (0, 1), (1, 1, 1), (1, 1, 1, 1), (1, 2, 4, 4), ((0, 0), (1, 1))]
_PLAIN = [lambda v=v: v for v in _VALUES]
_OTHERS = [
    lambda: [floats(2, 3), floats(2, 3)],
    lambda: _function,
    Net,
    lambda: [ms.Parameter(np.ones(3, np.float32), name="p")],
    parameter,
    lambda: floats(2, 3) > 0.5,
    lambda: None,
    lambda: ms.float32,
    lambda: "ij,jk->ik",
    lambda: Net().dense,
]
_TENSORS = (
    "x y a b input other logits labels label target weight mask condition dout grad inputs tensor1 tensor2 updates"
)
POOLS = [
    (rf"^({_TENSORS.replace(' ', '|')}|input_.|x.|mat\d|vec\d?|tensors?|src)$", _FLOATS * 3 + _INTS + _OTHERS),
    (r"ind(ices|ex)|ids", _INTS * 3 + _PLAIN),
    (r"shape|size|stride|padding|dilation|dims|perm|multiples|repeats|pad", [lambda v=v: v for v in _LENGTHS] + _PLAIN),
    (r"param|network|net|fn|cell|node|dataset|optimizer", _OTHERS + _PLAIN),
    (r"", _PLAIN * 2 + _FLOATS + _INTS + _OTHERS),
]


def _pool(name):
    return next(pool for pattern, pool in POOLS if re.search(pattern, name.lower()))


def _parameters(function, skip=0):
    try:
        return list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return None


def _method(make, name):
    return lambda *args, **kwargs: getattr(make(), name)(*args, **kwargs)


_OPERATORS = "add sub mul truediv floordiv mod pow matmul lt eq and getitem"
_MADE = {  # what a method is called on, and which of its methods write files or print
    "Tensor": (ms.Tensor, lambda: floats(2, 3), ()),
    "Parameter": (ms.Parameter, parameter, ()),
    "Cell": (nn.Cell, Net, ("apply",)),  # whose function is the user's own
}


def _methods():
    for kind, (cls, make, left_out) in _MADE.items():
        public = [n for n in dir(cls) if n[0] != "_" and n not in left_out]
        public += [f"__{n}__" for n in _OPERATORS.split()] if kind == "Tensor" else []
        for name in public:
            found = inspect.getattr_static(cls, name)
            static = isinstance(found, (staticmethod, classmethod))
            if callable(getattr(cls, name, None)) and not inspect.isclass(found):
                call = getattr(cls, name) if static else _method(make, name)
                yield f"{kind}.{name}", call, _parameters(getattr(cls, name), 0 if static else 1)


def _construct(layer, args):
    return lambda *inputs, **kwargs: layer(*args)(*inputs, **kwargs)


def _layers():
    for name in sorted({*nn.__all__} - _OTHER_ROOMS - {"Transformer"}):  # large, and made of the others
        layer = getattr(nn, name)
        for args in ((), (3,), (3, 3), ((3,),), (1, 2, 3)) if inspect.isclass(layer) else ():
            try:
                layer(*args)
            except Exception:  # other arguments may do
                continue
            if hasattr(layer, "construct"):
                yield f"nn.{name}{args}()", _construct(layer, args), _parameters(layer.construct, 1)
            break


_OF_ANY_DEPTH = {"mixed_precision_cast", "Transformer"}  # a nest is walked, and layers are made, as deep as it says
_OTHER_ROOMS = (  # whose refusals are tested in tests/amp and tests/rewrite, and for optimizers in tests/nn
    {name for name in nn.__all__ if hasattr(amp, name) or "LossScale" in name or "TrainOneStep" in name}
    | {name for name in nn.__all__ if "Momentum" in name or "LR" in name.upper()[-5:]}
    | {name for name, c in vars(nn).items() if inspect.isclass(c) and issubclass(c, (nn.Optimizer, nn.LARS))}
)


def _all():
    for label, module in {"ops": ops, "nn": nn}.items():
        for name in module.__all__:
            if callable(getattr(module, name)) and name not in _OTHER_ROOMS | _OF_ANY_DEPTH:
                yield f"{label}.{name}", getattr(module, name), _parameters(getattr(module, name))
    for name in "Tensor Parameter ParameterTuple grad value_and_grad jit set_seed".split():  # noqa: SIM905
        yield f"ms.{name}", getattr(ms, name), _parameters(getattr(ms, name))
    for name in ms.context._CONTEXT:
        call = lambda value, name=name: ms.set_context(**{name: value})  # noqa: E731 - one for each name
        yield f"set_context.{name}", call, _parameters(call)[:1]
    yield from _layers()
    yield from _methods()


CALLABLES = {name: (call, parameters) for name, call, parameters in _all() if parameters}


def taken_arguments(call, parameters, attempts=60):
    """Makers of arguments that a callable takes, by position, found by trying; the first ones where none are."""
    needed = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    needed += [p for p in parameters if p.kind is p.VAR_POSITIONAL]
    rng = np.random.default_rng(0)
    for _ in range(attempts if needed else 0):
        makers = [(pool := _pool(p.name))[rng.integers(len(pool))] for p in needed]
        try:
            call(*[make() for make in makers])
        except Exception:  # these do not fit one another
            continue
        return makers
    return [_pool(p.name)[0] for p in needed]


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
    "a function": lambda: _function,
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
    "an int of 400 digits",
    "a Tensor",
    "a nest 40 deep",
    "a str",
    "a list of None",
)

# What is taken though it is odd: callables and arguments as patterns, and why
ACCEPTED = [
    (r"nn\.(Dropout|Dropout1d|Dropout2d|Dropout3d|Identity|SequentialCell)\(", r".*", "x is handed on as it is"),
    (r"nn\.(With\w+|ForwardValueAndGrad|MicroBatchInterleaved|rearrange_inputs|PipelineCell)", r".*", "handed on"),
    (r"nn\.SyncBatchNorm", r"process_groups", "read where there is more than one process"),
    (r"nn\.Dropout", r"dtype", "MindSpore's compiler option, which changes nothing"),
    (r"Cell\.(cells_and_names|parameters_and_names)", r".*", "a generator, which reads them when it is iterated"),
    (r"Cell\.register_\w+", r"hook_fn|hook|fn", "whatever can be called"),
    (r"Cell\.\w*flags\w*", r".*", "flags of any value"),
    (r"Cell\.insert_param_to_cell", r"check_name_contain_dot", "its truth counts"),
    (r"Cell\.(apply|construct|__call__|cast_param|extend_repr)", r".*", "a class can be called"),
    (r"(Tensor|Parameter)\.init_data", r".*", "initialization in slices, which has no part here"),
    (r"(Tensor|Parameter)\.__\w+__", r".*", "an index, or another operand"),
    (r"ms\.(grad|value_and_grad|vjp|jvp)", r"fn", "a class can be called"),
    (r"ms\.jit", r"input_signature|hash_args|jit_config|fn", "options of a compiler; a class can be called"),
    (r"ms\.Parameter", r"layerwise_parallel|parallel_optimizer", "options of parallel training"),
    (r"ms\.(value_and_grad|grad|ParameterTuple)", r"weights|iterable", "an empty collection"),
    (r"nn\.(CellList|SequentialCell|TransformerEncoder|TransformerDecoder)", r"args|\w+_layer", "a Cell"),
    (r"Cell\.(set_jit_config|insert_child_to_cell)", r".*", "a Cell has a jit_config_dict, and is a child"),
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
    (r".*", r"dtype|type|data_type|output_type", "a class may name a dtype"),
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


def is_documented(callable_name, argument, kind):
    """Whether it is known, and why, that a callable takes a kind of value as an argument."""
    return kind in OFTEN_RIGHT or any(
        re.fullmatch(rf"({name})\S*", callable_name) and re.fullmatch(arguments, argument)
        for name, arguments, _ in ACCEPTED
    )
