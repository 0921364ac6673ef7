"""Export: an ONNX file computes what the network does; what ONNX cannot say is refused, and nothing is written."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.core import nest


class Function(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, *xs):
        return self.function(*xs)


def image(*shape):
    return ms.Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32))


X = image(2, 3, 4)
EXACT = nn.Dense(4, 2, "ones", has_bias=False)  # on small whole numbers, in float16 too
LAYERS = [
    (
        lambda: nn.SequentialCell(
            nn.Conv2d(3, 4, 3, group=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(3, 2, "same")
        ),
        image(2, 3, 8, 8),
    ),
    (lambda: nn.SequentialCell(nn.Flatten(), nn.Dense(12, 5), nn.LayerNorm((5,)), nn.GELU()), X),
    (lambda: nn.AvgPool2d(3, 2, "pad", 1, True, True, 5), image(1, 2, 6, 6)),
    (lambda: nn.AdaptiveAvgPool2d((3, 2)), image(1, 2, 5, 5)),
    (lambda: nn.Conv2dTranspose(3, 4, 3, 2), image(1, 3, 5, 5)),
    (lambda: nn.Conv2dTranspose(3, 4, 3, 2, "valid"), image(1, 3, 5, 5)),
    (lambda: nn.GroupNorm(2, 4), image(2, 4, 3, 3)),
    (lambda: nn.Embedding(10, 4), ms.Tensor([[1, 2, 3]], ms.int32)),
    (lambda: nn.LSTM(4, 3, 2, bidirectional=True, batch_first=True), X),
    (lambda: nn.GRU(4, 3), X),
    (lambda: nn.RNN(4, 3), X),
    (lambda: nn.TransformerEncoderLayer(4, 2, 8), X),
    (lambda: nn.SequentialCell(nn.PReLU(3), nn.Mish(), nn.HSwish(), nn.SoftShrink(), nn.LogSoftmax()), X),
    (lambda: nn.ReflectionPad2d(1), image(1, 2, 4, 4)),
    (lambda: ms.amp.auto_mixed_precision(nn.SequentialCell(EXACT), "O1"), ms.Tensor([[1.0, 2, 3, 4]])),
]
FUNCTIONS = {
    "slices": lambda x: (x[:, 1:, ::2], x[..., -1], x[:, None, 0], x[:, [2, 0]]),
    "choices": lambda x: (ops.flip(x, (1,)), ops.split(x, 2, -1), ops.unstack(x, 1), ops.tile(x, (2, 1, 1, 2))),
    "reductions": lambda x: (x.mean(), x.sum((0, -1)), x.max(axis=1), x.argmax(-1), x.std(1), (x > 0).all(1)),
    "orders": lambda x: (ops.topk(x, 2), ops.sort(x), ops.cumsum(x, 1), ops.norm(x, dim=-1)),
    "numbers": lambda x: (x**2 + 2**x + (x / 3) // 1, x % 0.7, ops.clamp(x, -1, 1), x.astype(ms.int32) // 3),
    "logic": lambda x: (x != x, ops.isfinite(x), ops.where(x > 0, x, 0.5), x.masked_fill(x > 0, 1.5)),
    "resizing": lambda x: ops.interpolate(x.reshape(1, 2, 3, 4), size=(6, 9), mode="bilinear"),
    "constants": lambda x: x + ops.arange(4).astype(ms.float32) * ms.Tensor([2.0]),
    "nests": lambda x: {"a": x * 2, "b": (x, [x + 1])},
    "indices from data": lambda x: x[:, (x[0, 0, :2] > 100).astype(ms.int32)],
    "products": lambda x: (ops.bmm(x, x.swapaxes(1, 2)), ops.matmul(x, ops.ones((4, 5)))),
    "one hot": lambda x: ops.one_hot(x.astype(ms.int32), 3, ms.Tensor(1.0), ms.Tensor(0.0)),
}


def outputs_of_file(path, *inputs):
    onnx = pytest.importorskip("onnx")
    onnx.checker.check_model(onnx.load(path), full_check=True)
    session = pytest.importorskip("onnxruntime").InferenceSession(path, providers=["CPUExecutionProvider"])
    given = {wanted.name: x.asnumpy() for wanted, x in zip(session.get_inputs(), inputs, strict=True)}
    return session.run(None, given)


def agree(network, tmp_path, *inputs):
    pytest.importorskip("onnx")
    ms.export(network, *inputs, file_name=str(tmp_path / "net"), file_format="ONNX")
    found = outputs_of_file(str(tmp_path / "net.onnx"), *inputs)
    wanted = [y.asnumpy() for y in nest.select(ms.Tensor, network.set_train(False)(*inputs))]
    for y, wish in zip(found, wanted, strict=True):
        assert y.shape == wish.shape and y.dtype == wish.dtype
        np.testing.assert_allclose(y, wish, 1e-4, 1e-5)


@pytest.mark.parametrize(("make", "x"), LAYERS, ids=range(len(LAYERS)))
def test_the_file_computes_what_layers_do(tmp_path, make, x):
    agree(make(), tmp_path, x)


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_the_file_computes_what_operations_do(tmp_path, function):
    agree(Function(function), tmp_path, X)


def test_inputs_and_weights_have_their_names(tmp_path):
    onnx = pytest.importorskip("onnx")

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(4, 2)

        def construct(self, first, second):
            return self.fc(first) + second

    ms.export(Net(), X, ms.Tensor(1.0), file_name=str(tmp_path / "a.onnx"), file_format="ONNX")
    graph = onnx.load(str(tmp_path / "a.onnx")).graph
    assert [x.name for x in graph.input] == ["first", "second"]
    assert {"fc.weight", "fc.bias"} <= {x.name for x in graph.initializer}


def test_the_network_keeps_its_mode(tmp_path):
    pytest.importorskip("onnx")
    network = nn.SequentialCell(nn.Dropout(p=0.5), nn.Dense(4, 2)).set_train()
    network[1].set_train(False)
    ms.export(network, X, file_name=str(tmp_path / "a"), file_format="ONNX")
    assert network.training and network[0].training and not network[1].training


REFUSED = [
    (ops.erfinv, RuntimeError, "Erfinv"),
    (lambda x: x if x.sum() > 0 else -x, RuntimeError, "reads a value that depends on one"),
    (lambda x: ops.standard_normal((2,)) + x.sum(), RuntimeError, "StandardNormal"),
]


@pytest.mark.parametrize(("function", "kind", "part"), REFUSED, ids=["no rule", "path", "random"])
def test_what_onnx_cannot_say_is_refused_by_name_before_a_file_is_written(tmp_path, monkeypatch, function, kind, part):
    monkeypatch.setitem(sys.modules, "onnx", sys.modules.get("onnx") or SimpleNamespace())
    with pytest.raises(kind, match=part):
        ms.export(Function(function), X, file_name=str(tmp_path / "a"), file_format="ONNX")
    assert not list(tmp_path.iterdir())


def test_the_format_of_another_processor_is_refused_and_the_others_are_named(tmp_path):
    with pytest.raises(ValueError, match="'MINDIR' or 'ONNX'"):
        ms.export(nn.ReLU(), X, file_name=str(tmp_path / "a"), file_format="AIR")


WRONG = [
    ((nn.ReLU(), X), {"file_name": 3, "file_format": "ONNX"}, TypeError),
    ((nn.ReLU(), X), {"file_name": "a", "file_format": "onnx"}, ValueError),
    ((3, X), {"file_name": "a", "file_format": "ONNX"}, ValueError),
    ((nn.ReLU(), X.asnumpy()), {"file_name": "a", "file_format": "ONNX"}, TypeError),
    ((nn.ReLU(), X), {"file_name": "no/such/folder/a", "file_format": "ONNX"}, FileNotFoundError),
]


@pytest.mark.parametrize(("arguments", "options", "kind"), WRONG, ids=range(len(WRONG)))
def test_wrong_arguments_are_refused_as_mindspore_refuses_them(arguments, options, kind):
    with pytest.raises(kind):
        ms.export(*arguments, **options)


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="pip install"):
        ms.export(nn.ReLU(), X, file_name=str(tmp_path / "a"), file_format="ONNX")


def test_load_refuses_what_is_no_file_of_a_graph(tmp_path):
    (tmp_path / "a.mindir").write_bytes(b"x")
    with pytest.raises(ValueError, match="must hold fields of its format"):
        ms.load(str(tmp_path / "a.mindir"))
    with pytest.raises(ValueError, match="must exist"):
        ms.load(str(tmp_path / "b.mindir"))
    with pytest.raises(ValueError, match=r"\.mindir"):
        ms.load(str(tmp_path / "b"))
    with pytest.raises(TypeError):
        ms.load(3)
