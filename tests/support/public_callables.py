"""Every public callable of the package, with arguments that it takes.

The callables are read from the ``__all__`` of the rooms. What arguments one takes is said by ``_KNOWN``, or found by
trying: ``POOLS`` says by a parameter's name what is likely.
"""

import atexit
import enum
import inspect
import re
import tempfile
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import minispore as ms
from minispore import amp, dataset, mindrecord, nn, ops, rewrite
from minispore.common import initializer
from minispore.dataset import audio, text, transforms, vision
from minispore.parallel.settings import parallel_settings

__all__ = ["CALLABLES", "NOT_DRAWN", "ROOMS", "Net", "floats", "function", "taken_arguments"]


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


def function(x):
    return ops.mul(x, 2)


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
    lambda: function,
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


def _with_loss():
    return nn.WithLossCell(Net(), nn.MSELoss())


def _sgd(net):
    return nn.SGD(net.trainable_params())


def _pair(make):
    """A network and an optimizer of its Parameters, which must fit one another."""
    net = make()
    return [net, _sgd(net)]


def _frozen():
    net, optimizer = _pair(_with_loss)
    return [False, net, ms.boost.FreezeOpt(optimizer), 1.0, ops.GradOperation(get_by_list=True), False]


def _net_and_values():
    net = Net()
    return [net, net.parameters_dict()]


def _gradients():
    return [ops.ones_like(p) for p in Net().trainable_params()]


class _Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def construct(self, x):
        return self.net(x)


def _tree(cell=Net):
    return rewrite.SymbolTree.create(cell())


def _new_node(tree):
    return rewrite.Node.create_call_cell(nn.ReLU(), ["y"], tree.get_node("dense").get_args(), name="new")


class _Same(rewrite.Replacement):
    """A replacement by the matched nodes themselves."""

    def build(self, pattern, is_chain_pattern, matched):
        return []


def _place_and_node(tree):
    return [tree.after(tree.get_node("dense")), _new_node(tree)]


def _data():
    return dataset.NumpySlicesDataset({"a": [1.0, 2.0, 3.0], "b": [1, 2, 3]})


_PARAMS = "nn.(SGD|Adam|AdamWeightDecay|AdaMax|Adadelta|Adagrad|RMSProp)"
_SCHEDULES = {
    "WarmUpLR": (0.1, 2),
    "ExponentialDecayLR": (0.1, 0.9, 2),
    "NaturalExpDecayLR": (0.1, 0.9, 2),
    "InverseDecayLR": (0.1, 0.9, 2),
    "CosineDecayLR": (0.01, 0.1, 2),
    "PolynomialDecayLR": (0.1, 0.01, 2, 0.5),
}
_CLASSES = [floats(2, 3), ints(2)]

# What is called on what, where the parameters' names do not tell: a pattern of names, and the arguments, made from
# what the method is called on (None where it is a function)
_KNOWN = [
    (_PARAMS, lambda _: [Net().trainable_params()]),
    (r"nn.Lamb", lambda _: [Net().trainable_params(), 0.1]),
    (r"nn.Momentum", lambda _: [Net().trainable_params(), 0.1, 0.9]),
    (r"nn.Optimizer", lambda _: [0.1, Net().trainable_params()]),
    (r"nn.LARS", lambda _: [_sgd(Net())]),
    (r"Optimizer.get_lr_parameter", lambda optimizer: [optimizer.parameters[0]]),
    (r"(Optimizer.(\w+)|nn.(\w+) of a network)", lambda _: [_gradients()]),
    *((f"nn.{name}", lambda _, args=args: list(args)) for name, args in _SCHEDULES.items()),
    (r"nn.\w+LR\(\)", lambda _: [ms.Tensor(1, ms.int32)]),
    (r"nn.piecewise_constant_lr", lambda _: [[2, 4], [0.1, 0.01]]),
    (r"nn.warmup_lr", lambda _: [0.1, 4, 2, 1]),
    (r"nn.cosine_decay_lr", lambda _: [0.01, 0.1, 4, 2, 1]),
    (r"nn.polynomial_decay_lr", lambda _: [0.1, 0.01, 4, 2, 1, 0.5]),
    (r"nn.\w+_lr", lambda _: [0.1, 0.9, 4, 2, 1]),
    (r"(nn|amp).TrainOneStepCell", lambda _: _pair(_with_loss)),
    (r"(nn|amp).TrainOneStepWithLossScaleCell", lambda _: [*_pair(_with_loss), ms.Tensor(2.0)]),
    (r"\w+ of a step", lambda _: [floats(2, 3), floats(2, 3)]),
    (r"(nn|amp).(GradAccumulationCell|PipelineCell|MicroBatchInterleaved)", lambda _: [_with_loss(), 2]),
    (r"(nn|amp).(DynamicLossScaleUpdateCell|DynamicLossScaler)", lambda _: [2, 2, 1]),
    (r"(nn|amp).(FixedLossScaleUpdateCell|StaticLossScaler)", lambda _: [2.0]),
    (r"\w+UpdateCell\(\)", lambda _: [ms.Tensor(2.0), ms.Tensor(True)]),
    (r"amp.build_train_network", lambda _: [*_pair(Net), nn.MSELoss()]),
    (r"amp.explain", lambda _: [Net(), "O1"]),
    (r"boost.AdaSum", lambda _: [0, 1, 1, _pair(Net)[1].parameters]),
    (r"boost.BoostTrainOneStepCell", lambda _: list(_pair(_with_loss))),
    (r"boost.BoostTrainOneStepWithLossScaleCell", lambda _: [*_pair(_with_loss), ms.Tensor(2.0)]),
    (r"boost.(FreezeOpt|OptimizerProcess)", lambda _: [_pair(Net)[1]]),
    (r"boost.GradientAccumulation", lambda _: [2, _pair(Net)[1]]),
    (r"boost.GradientFreeze", lambda _: [3, 1, 0.7, 8]),
    (r"boost.LessBN", lambda _: [Net()]),
    (r"boost.freeze_cell", lambda _: _frozen()),
    (r"amp.all_finite|\w+Scaler.(scale|unscale)", lambda _: [[floats(2, 3)]]),
    (r"\w+Scaler.adjust|\w+Manager.update_loss_scale", lambda _: [True]),
    (r"(ms|ops).(grad|value_and_grad|vmap|jacfwd|jacrev)", lambda _: [function]),
    (r"ms.vjp", lambda _: [function, floats(2, 3)]),
    (r"ms.jvp", lambda _: [function, floats(2, 3), floats(2, 3)]),
    (r"(a pull-back|ms.\w+\(\))", lambda _: [floats(2, 3)]),
    (r"ms.save_checkpoint", lambda _: [Net(), "net.ckpt"]),
    (r"ms.load_checkpoint", lambda _: [_saved()]),
    (r"ms.load_param_into_net", lambda _: _net_and_values()),
    (r"ops.derivative", lambda _: [function, floats(2, 3), 1]),
    (r"ops.linearize", lambda _: [function, floats(2, 3)]),
    (r"ops.jet", lambda _: [function, floats(2, 3), floats(1, 2, 3)]),
    (r"(ms|ops).get_grad", lambda _: [(0, floats(2, 3)), 0]),
    (r"ms.(COO|Sparse)Tensor", lambda _: [ints(2, 2), floats(2), (2, 2)]),
    (r"ms.CSRTensor", lambda _: [ms.Tensor([0, 1, 2]), ints(2), floats(2), (2, 2)]),
    (r"ms.RowTensor", lambda _: [ints(2), floats(2, 3), (4, 3)]),
    (r"(COO|CSR)Tensor.with_values", lambda _: [floats(2)]),
    (r"ops.coo_add|COOTensor.add", lambda owner: [*[_coo()] * (owner is None), _coo(), floats()]),
    (r"ops.coo_\w+", lambda _: [_coo()]),
    (r"ops.csr_add|CSRTensor.add", lambda owner: [*[_csr()] * (owner is None), _csr(), floats(), floats()]),
    (r"ops.csr_m[mv]", lambda _: [_csr(), floats(2, 1)]),
    (r"CSRTensor.m[mv]", lambda _: [floats(2, 1)]),
    (r"ops.csr_reduce_sum", lambda _: [_csr(), 1]),
    (r"ops.csr_\w+", lambda _: [_csr()]),
    (r"numpy.apply_along_axis", lambda _: [function, 0, floats(2, 3)]),
    (r"numpy.apply_over_axes", lambda _: [ms.numpy.sum, floats(2, 3), 0]),
    (r"numpy.(convolve|correlate)", lambda _: [floats(3), floats(2)]),
    (r"numpy.dsplit", lambda _: [floats(2, 3, 4), 2]),
    (r"numpy.indices", lambda _: [(2, 3)]),
    (r"numpy.interp", lambda _: [floats(2, 3), floats(3), floats(3)]),
    (r"numpy.piecewise", lambda _: [floats(3), [floats(3) > 0.5], [1.0]]),
    (r"numpy.promote_types", lambda _: [ms.int32, ms.float16]),
    (r"numpy.take_along_axis", lambda _: [floats(2, 3), ints(2, 3), 0]),
    (r"numpy.where", lambda _: [floats(3) > 0.5, floats(3), floats(3)]),
    (r"initializer.initializer", lambda _: ["ones", (2, 3)]),
    (r"dataset.GeneratorDataset", lambda _: [[(1,), (2,)], ["a"]]),
    (r"dataset.(Zip|Concat)Dataset", lambda _: [(_data(), _data().rename("a", "c").rename("b", "d"))]),
    (r"dataset.(Map)Dataset", lambda _: [_data(), function]),
    (r"dataset.MindDataset|mindrecord.FileReader", lambda _: [_mindrecord()]),
    (r"mindrecord.FileWriter", lambda _: ["new.mindrecord"]),
    (r"FileWriter.add_schema", lambda _: [{"id": {"type": "int32"}}]),
    (r"FileWriter.add_index", lambda _: [["id"]]),
    (r"FileWriter.write_raw_data", lambda _: [[{"id": 1}]]),
    (r"FileWriter.set_\w+_size", lambda _: [2**16]),
    (r"FileWriter.open_for_append", lambda _: [_mindrecord()]),
    (r"dataset.text.Lookup", lambda _: [text.Vocab.from_list(["a"])]),
    (r"dataset.text.to_str", lambda _: [np.array([b"a"])]),
    (r"dataset.text.to_bytes", lambda _: [np.array(["a"])]),
    (r"dataset.ProjectDataset", lambda _: [_data(), ["a"]]),
    (r"dataset.RenameDataset", lambda _: [_data(), ["a"], ["c"]]),
    (r"dataset.FilterDataset", lambda _: [_data(), lambda a, b: True]),
    (r"dataset.SyncWaitDataset", lambda _: [_data(), "name"]),
    (r"dataset.BucketBatchByLengthDataset", lambda _: [_data(), ["a"], [2], [1, 1]]),
    (r"dataset.TransferDataset", lambda _: [_data()]),
    (r"dataset.(Batch|PaddedBatch|Repeat|Shuffle|Skip|Take)Dataset", lambda _: [_data(), 2]),
    (r"dataset.(Fashion)?MnistDataset", lambda _: [str(dataset.embedded_fashion_mnist_dir())]),
    (r"dataset.read_idx", lambda _: [str(dataset.embedded_fashion_mnist_dir() / "t10k-labels-idx1-ubyte.gz")]),
    (r"Dataset.map", lambda _: [function, "a"]),
    (r"Dataset.create_\w+", lambda _: []),
    (r"Dataset.\w+", lambda _: [2]),
    (r"rewrite.SymbolTree.create\w*|rewrite.Node.create", lambda _: [Net()]),
    (r"SymbolTree.(create|create_as_one_call)", lambda _: [Net()]),
    (r"SymbolTree.(after|before)", lambda tree: [tree.get_node("dense")]),
    (r"SymbolTree.(erase|erase_node)", lambda tree: [tree.insert(*_place_and_node(tree))]),
    (r"SymbolTree.get_node", lambda _: ["dense"]),
    (r"SymbolTree.insert", lambda tree: _place_and_node(tree)),
    (r"SymbolTree.replace", lambda tree: [tree.get_node("relu"), [_new_node(tree)]]),
    (r"SymbolTree.create_call_function", lambda tree: [function, ["y"], *tree.get_node("dense").get_args()]),
    (r"SymbolTree.set_output", lambda _: [0, "x"]),
    (r"SymbolTree.set_saved_file_name", lambda _: ["saved.py"]),
    (r"Node.create_call_cell", lambda _: [nn.ReLU(), ["y"]]),
    (r"Node.set_arg_by_node", lambda node: [0, node.get_symbol_tree().get_node("dense")]),
    (r"Node.set_arg", lambda _: [0, "x"]),
    (r"Node.set_attribute", lambda _: ["a", 1]),
    (r"Node.get_attribute", lambda _: ["a"]),
    (r"rewrite.check", lambda _: [_tree().get_handler()]),
    (r"rewrite.PatternEngine", lambda _: [[nn.Dense, nn.ReLU], _Same()]),
    (r"rewrite.PatternNode", lambda _: ["dense", nn.Dense]),
    (r"rewrite.ScopedValue", lambda _: [rewrite.ValueType.NamingValue, "", "x"]),
    (r"rewrite.Node", lambda _: [_tree().get_node("dense").get_handler()]),
    (r"ScopedValue.create_name_values", lambda _: [["a", "b"]]),
    (r"ScopedValue.create_naming_value", lambda _: ["a"]),
    (r"ScopedValue.create_variable_value", lambda _: [1]),
    (r"PatternNode.add_input", lambda _: [rewrite.VarNode()]),
    (r"PatternNode.(from_node|create_pattern_from_node|match)", lambda _: [_tree().get_node("dense")]),
    (r"PatternNode.set_inputs", lambda _: [[rewrite.VarNode()]]),
    (r"PatternNode.create_pattern_from_list", lambda _: [[nn.Dense, nn.ReLU]]),
    (r"PatternEngine.apply", lambda _: [_tree()]),
    (r"TreeNodeHelper.get_sub_tree", lambda _: [_tree(_Outer).get_node("net")]),
    (r"(Accuracy|Precision|Recall|F1|Fbeta|\w*CategoricalAccuracy).update", lambda _: _CLASSES),
    (r"(MAE|MSE).update", lambda _: [floats(2, 3), floats(2, 3)]),
    (r"Loss.update", lambda _: [floats()]),
    (r"\w+.set_indexes", lambda _: [[0, 1]]),
    (r"amp.custom_mixed_precision", lambda _: [Net()]),
    (r"Tensor of an init", lambda _: [initializer.One()]),
    (r"ms.Tensor", lambda _: [1.0]),
    (r"ms.get_context", lambda _: ["device_target"]),
    (r"ms.get_auto_parallel_context", lambda _: ["device_num"]),
    (r"(CellList|SequentialCell).insert", lambda _: [0, Net()]),
    (r"CellList.extend", lambda _: [[Net()]]),
    (r"Cell.apply", lambda _: [lambda cell: None]),
]


def _coo():
    return ms.COOTensor(ints(2, 2), floats(2), (2, 2))


def _csr():
    return ms.CSRTensor(ms.Tensor([0, 1, 2]), ints(2), floats(2), (2, 2))


def _saved():
    ms.save_checkpoint(Net(), "saved.ckpt")
    return "saved.ckpt"


_FOLDER = tempfile.TemporaryDirectory()
atexit.register(_FOLDER.cleanup)
_ROWS = f"{_FOLDER.name}/rows.mindrecord"


def _writer():
    writer = mindrecord.FileWriter(_ROWS, overwrite=True)
    writer.set_header_size(2**14)
    writer.add_schema({"id": {"type": "int32"}})
    return writer


def _mindrecord():
    writer = _writer()
    writer.write_raw_data([{"id": 1}, {"id": 2}])
    writer.commit()
    return _ROWS


def _pool(name):
    return next(pool for pattern, pool in POOLS if re.search(pattern, name.lower()))


def _parameters(call, skip=0):
    try:
        return list(inspect.signature(call).parameters.values())[skip:]
    except (TypeError, ValueError):
        return None


class Drawn(NamedTuple):
    """A callable: ``call(owner, *args)`` of the ``owner`` that ``make()`` gives, and its parameters."""

    call: Callable
    parameters: list
    make: Callable = lambda: None


def _of_room(call):
    return Drawn(lambda _, *args, **kwargs: call(*args, **kwargs), _parameters(call))


def _of_method(cls, name, make):
    static = isinstance(inspect.getattr_static(cls, name), (staticmethod, classmethod))
    call = lambda owner, *args, **kwargs: getattr(owner, name)(*args, **kwargs)  # noqa: E731 - one for each name
    return Drawn(call, _parameters(getattr(cls, name), 0 if static else 1), make)


def _of_result(make, method):
    return Drawn(lambda owner, *args, **kwargs: owner(*args, **kwargs), _parameters(method), make)


_OPERATORS = "add sub mul truediv floordiv mod pow matmul lt eq and getitem"
_OWNERS = {  # what methods are called on; of a Cell, the methods that it adds to nn.Cell's
    "Tensor": lambda: floats(2, 3),
    "Parameter": parameter,
    "COOTensor": _coo,
    "CSRTensor": _csr,
    "ParameterTuple": lambda: ms.ParameterTuple(Net().trainable_params()),
    "Cell": Net,
    "CellList": lambda: nn.CellList([Net(), Net()]),
    "SequentialCell": lambda: nn.SequentialCell(Net(), Net()),
    "DynamicLossScaleManager": amp.DynamicLossScaleManager,
    "FixedLossScaleManager": amp.FixedLossScaleManager,
    "DynamicLossScaler": lambda: amp.DynamicLossScaler(2, 2, 1),
    "StaticLossScaler": lambda: amp.StaticLossScaler(2.0),
    "TrainOneStepWithLossScaleCell": lambda: amp.TrainOneStepWithLossScaleCell(*_pair(_with_loss), ms.Tensor(2.0)),
    "Optimizer": lambda: _sgd(Net()),
    "Dataset": _data,
    "FileReader": lambda: mindrecord.FileReader(_mindrecord()),
    "FileWriter": _writer,
    "SymbolTree": _tree,
    "Node": lambda: _tree().get_node("relu"),
    "ScopedValue": lambda: rewrite.ScopedValue.create_naming_value("x"),
    "PatternEngine": lambda: rewrite.PatternEngine([nn.Dense, nn.ReLU], _Same()),
    "PatternNode": lambda: rewrite.PatternNode("dense", nn.Dense),
    "TreeNodeHelper": rewrite.TreeNodeHelper,
    **{name: getattr(nn, name) for name in ("Accuracy", "Precision", "Recall", "F1", "MAE", "MSE", "Loss")},
    "Fbeta": lambda: nn.Fbeta(1.0),
    "TopKCategoricalAccuracy": lambda: nn.TopKCategoricalAccuracy(2),
}
# Methods that are public by their names only: steps of a computation, which the package calls
_STEPS = {
    "TrainOneStepWithLossScaleCell": "loss_and_gradients trace unscaled start_overflow_check get_overflow_status",
    "Optimizer": "begin_step decay_weight scale_grad gradients_centralization update get_weight_decay",
    "SymbolTree": "substitute substitute_outside redirect unique_name",
    "ScopedValue": "instead",
    **dict.fromkeys(("Precision", "Recall", "F1", "Fbeta"), "ratio"),
    **dict.fromkeys(("MAE", "MSE"), "error"),
}


def _methods():
    for kind, make in _OWNERS.items():
        cls = type(make())
        base = nn.Cell if issubclass(cls, nn.Cell) and cls is not Net else tuple if issubclass(cls, tuple) else object
        names = [n for n in dir(cls) if n[0] != "_" and not hasattr(base, n)]
        names += [f"__{n}__" for n in _OPERATORS.split()] if kind == "Tensor" else []
        for name in names:
            if name in _STEPS.get(kind, "").split() or inspect.isclass(inspect.getattr_static(cls, name)):
                continue
            if callable(getattr(cls, name, None)) and not inspect.isclass(getattr(cls, name)):
                yield f"{kind}.{name}", _of_method(cls, name, make)


def _layers():
    for name in sorted({*nn.__all__} - _MADE_ABOVE):
        layer = getattr(nn, name)
        for args in ((), (3,), (3, 3), ((3,),), (1, 2, 3)) if inspect.isclass(layer) else ():
            try:
                layer(*args)
            except Exception:  # other arguments may do
                continue
            if hasattr(layer, "construct"):
                yield f"nn.{name}{args}()", _of_result(lambda c=layer, args=args: c(*args), layer(*args).construct)
            break


_TRANSFORMER = (4, 1, 1, 1, 4)
_MADE_ABOVE = {"Transformer"} | {name for name in nn.__all__ if hasattr(amp, name)}


def _results():
    """Callables that calls give: what differentiates, trains, adjusts a scale or a rate."""
    yield "nn.Transformer()", _of_result(lambda: nn.Transformer(*_TRANSFORMER), nn.Transformer(*_TRANSFORMER).construct)
    yield "a pull-back", _of_result(lambda: ms.vjp(function, floats(2, 3))[1], lambda v: None)
    yield "Tensor of an init", _of_room(lambda init, shape=(2,): ms.Tensor(dtype=ms.float32, shape=shape, init=init))
    for make in (ms.grad, ms.value_and_grad, ms.jit):
        yield f"ms.{make.__name__}()", _of_result(lambda make=make: make(function), function)
    for name in ("SGD", "Adam"):
        make = lambda name=name: getattr(nn, name)(Net().trainable_params())  # noqa: E731 - one for each name
        yield f"nn.{name} of a network", _of_result(make, make().construct)
    for name, args in _SCHEDULES.items():
        cls = getattr(nn, name)
        yield f"nn.{name}()", _of_result(lambda cls=cls, args=args: cls(*args), cls(*args).construct)
    for name, args in {"DynamicLossScaleUpdateCell": (2, 2, 1), "FixedLossScaleUpdateCell": (2,)}.items():
        cls = getattr(amp, name)
        yield f"{name}()", _of_result(lambda cls=cls, args=args: cls(*args), cls(*args).construct)
    steps = [lambda: nn.TrainOneStepCell(*_pair(_with_loss)), _OWNERS["TrainOneStepWithLossScaleCell"]]
    for make in steps:
        yield f"{type(make()).__name__} of a step", _of_result(make, lambda x, label: None)


ROOMS = {
    "ms": ms,
    "ops": ops,
    "nn": nn,
    "amp": amp,
    "boost": ms.boost,
    "insight": ms.insight,
    "rewrite": rewrite,
    "dataset": dataset,
    "mindrecord": mindrecord,
    "dataset.audio": audio,
    "dataset.text": text,
    "dataset.transforms": transforms,
    "dataset.vision": vision,
    "serialization": ms.serialization,
    "initializer": initializer,
    "numpy": ms.numpy,
    "context": ms.context,
    "train": ms.train,
    "log": ms.log,
    "communication": ms.communication,
    "parallel": ms.parallel,
    "profiler": ms.profiler,
}
NOT_DRAWN = {  # public callables left out, and why
    **dict.fromkeys(
        [
            *("insight.Numerics", "insight.OperatorRecord", "insight.OverflowVerdict", "insight.NotFiniteStep"),
            *("insight.TensorRecord", "insight.PrecisionRecord", "insight.PrecisionReport", "insight.FormError"),
            *("insight.Plan", "insight.PlanStep"),
            *("insight.LowBitReport", "insight.LowBitOperand", "insight.LowBitGradient", "insight.LowBitStep"),
        ],
        "a record that the other functions of insight make",
    ),
    "boost.AutoBoost": "its configuration is the whole process's; tests of boost have what it refuses",
    "rewrite.SymbolTree": "its one argument is what SymbolTree.create makes",
    "ms.set_context": "drawn for each of its keys",
    "ms.set_auto_parallel_context": "drawn for each of its keys",
}


def _settings():
    for name in ms.context.settings:
        yield f"set_context.{name}", lambda value, name=name: ms.set_context(**{name: value})
    for name in parallel_settings:
        yield f"set_auto_parallel_context.{name}", lambda value, n=name: ms.set_auto_parallel_context(**{n: value})


def _all():
    seen = set()
    for label, room in ROOMS.items():
        for name in room.__all__:
            call = getattr(room, name)
            if isinstance(call, enum.EnumMeta):  # whose call is Python's own
                continue
            if callable(call) and f"{label}.{name}" not in NOT_DRAWN and id(call) not in seen:
                seen.add(id(call))
                yield f"{label}.{name}", _of_room(call)
    for name, call in _settings():
        yield name, _of_room(call)._replace(parameters=_parameters(call)[:1])
    yield from _results()
    yield from _layers()
    yield from _methods()


CALLABLES = {name: drawn for name, drawn in _all() if drawn.parameters}


def taken_arguments(name, attempts=60):
    """A function of the owner that makes arguments which a callable takes: known ones, or found by trying."""
    known = next((make for pattern, make in _KNOWN if re.fullmatch(pattern, name)), None)
    call, parameters, make = CALLABLES[name]
    needed = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    needed += [p for p in parameters if p.kind is p.VAR_POSITIONAL]
    if known is not None:
        return known
    rng = np.random.default_rng(0)
    for _ in range(attempts if needed else 0):
        makers = [(pool := _pool(p.name))[rng.integers(len(pool))] for p in needed]
        try:
            call(make(), *[maker() for maker in makers])
        except Exception:  # these do not fit one another
            continue
        return lambda _: [maker() for maker in makers]
    return lambda _: [_pool(p.name)[0]() for p in needed]
