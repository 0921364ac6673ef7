"""The level "auto": what its mark reaches, that it leaves nothing behind, its receipt, and graph mode."""

import copy
import pickle

import numpy as np
import pytest
from support.mixed_networks import ConvNet, images

import minispore as ms
from minispore import amp, nn, ops
from minispore.core import nest
from minispore.core.running import running
from minispore.ops.operations.nn.rnn_composed import gru_gates, lstm_gates

pytestmark = pytest.mark.usefixtures("restored")
F16, BF16, F32 = ms.float16, ms.bfloat16, ms.float32
X = np.random.default_rng(0).standard_normal((3, 4), np.float32)
OUTSIDE = nn.Dense(4, 4, has_bias=False)


def product(x):
    return ops.matmul(x, x.T)


class Inner(nn.Cell):
    """A cell in a cell, with a method and an operator."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4, has_bias=False)

    def construct(self, x):
        return self.squared(self.fc(x) @ self.fc.weight)

    def squared(self, x):
        return x**2


class Net(nn.Cell):
    """Operations in a child, a grandchild, a method, a function, an operator and a cell that is no child."""

    def __init__(self):
        super().__init__()
        self.inner, self.seen = Inner(), {}

    def construct(self, x):
        inner = self.inner(x)
        made = {
            "inner": inner,
            "function": product(x),
            "operator": x @ x.T,
            "method": x.matmul(x.T),
            "outside": OUTSIDE(x),
            "exp": ops.exp(OUTSIDE(x)),
            "kept": ops.relu(OUTSIDE(x)),
            "widest": ops.concat((OUTSIDE(x), x)),
        }
        self.seen = {name: out.dtype for name, out in made.items()}
        return sum(out.astype(F32).sum() for out in made.values())


@pytest.mark.parametrize("dtype", [F16, BF16], ids=str)
def test_the_mark_reaches_all_that_runs_while_the_network_does(dtype):
    net = amp.auto_mixed_precision(Net(), "auto", dtype)
    net(ms.Tensor(X))
    float32 = {"inner", "exp", "widest"}
    assert net.seen == {name: F32 if name in float32 else dtype for name in net.seen}


def test_nothing_of_it_is_left_outside_nor_after_an_error():
    class Fails(nn.Cell):
        def construct(self, x):
            raise KeyError("stop")

    net = amp.auto_mixed_precision(Net(), "auto")
    net(ms.Tensor(X))
    assert running.cast is None
    assert net.inner(ms.Tensor(X)).dtype == product(ms.Tensor(X)).dtype == F32
    with pytest.raises(KeyError):
        amp.auto_mixed_precision(Fails(), "auto")(ms.Tensor(X))
    assert running.cast is None and product(ms.Tensor(X)).dtype == F32


def test_the_innermost_mark_counts_and_the_outer_one_goes_on_after_it():
    class Both(nn.Cell):
        def __init__(self, inside):
            super().__init__()
            self.inside = inside

        def construct(self, x):
            return self.inside(x), product(x)

    inner = amp.auto_mixed_precision(nn.Dense(4, 4, has_bias=False), "auto", BF16)
    assert [y.dtype for y in amp.auto_mixed_precision(Both(inner), "auto")(ms.Tensor(X))] == [BF16, F16]
    marked = nn.Dense(4, 4, has_bias=False).to_float(F32)
    assert [y.dtype for y in amp.auto_mixed_precision(Both(marked), "auto")(ms.Tensor(X))] == [F32, F16]
    lowered = Both(nn.Dense(4, 4)).to_float(F16)
    amp.auto_mixed_precision(lowered.inside, "auto")
    assert [y.dtype for y in lowered(ms.Tensor(X))] == [F16, F16], "to_float of the user stands"


@pytest.mark.parametrize("dtype", [F16, BF16], ids=str)
def test_graph_mode_gives_the_bits_of_the_eager_one(dtype):
    ms.set_seed(1)
    net = amp.auto_mixed_precision(ConvNet(), "auto", dtype).set_train()
    x, labels = images()
    step = ms.value_and_grad(lambda x: ops.cross_entropy(net(x), labels), 0, net.trainable_params())

    def bits():
        loss, (dx, dw) = step(x)
        assert dx.dtype == F32 and {g.dtype for g in dw} == {F32}
        return [y.asnumpy().tobytes() for y in (loss, dx, *dw, net(x))]

    eager = bits()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert [bits() for _ in range(4)] == [eager] * 4
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_gradients_are_those_of_the_same_casts_by_hand():
    net = amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(4, 3, has_bias=False), nn.Softmax()), "auto")
    weight = net[0].weight

    def by_hand(x, w):
        return ops.softmax(ops.matmul(x.astype(F16), w.astype(F16).T).astype(F32))

    x = ms.Tensor(X)
    _, (dx, (dw,)) = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), 0, [weight])(x)
    expected = ms.grad(lambda x, w: (by_hand(x, w) ** 2).sum(), (0, 1))(x, weight.value())
    assert [dx.asnumpy().tobytes(), dw.asnumpy().tobytes()] == [g.asnumpy().tobytes() for g in expected]


STEPS = {  # of products by the input and by the state, two biases, and the state
    nn.LSTMCell: lambda x, h, b_ih, b_hh, state: lstm_gates(x + h + b_ih + b_hh, state),
    nn.GRUCell: lambda x, h, b_ih, b_hh, state: gru_gates(x + b_ih, h + b_hh, state),
}


@pytest.mark.parametrize("kind", STEPS)
def test_a_step_of_a_recurrent_cell_has_narrow_products_and_wide_gates(kind):
    cell = amp.auto_mixed_precision(kind(4, 3), "auto")
    assert [e.dtype for e in cell.amp_report.entries if e.kind == "MatMul"] == ["float16", "float16"]
    x, h = ms.Tensor(X, F16), ms.Tensor(X[:, :3])

    def by_hand(x, w_ih, w_hh, *biases):
        products = [ops.matmul(a.astype(F16), w.astype(F16).T) for a, w in ((x, w_ih), (h, w_hh))]
        return STEPS[kind](*products, *biases, h)

    weights = cell.trainable_params()
    out, grads = ms.value_and_grad(lambda x: cell(x, (h, h) if kind is nn.LSTMCell else h), None, weights)(x)
    expected, by_weight = ms.value_and_grad(by_hand, (1, 2, 3, 4))(x, *[w.value() for w in weights])
    pairs = zip([*nest.leaves(out), *grads], [*nest.leaves(expected), *by_weight], strict=True)
    assert all(a.dtype == F32 and a.asnumpy().tobytes() == b.asnumpy().tobytes() for a, b in pairs)


def test_on_a_gpu_a_step_of_a_plain_recurrent_cell_is_the_same_operations(on_cupy, type_record):
    cell = amp.auto_mixed_precision(nn.RNNCell(4, 3), "auto")
    calls = type_record.of(cell, ms.Tensor(X, F16), ms.Tensor(X[:, :3]))
    assert [call.primitive.name for call in calls] == ["MatMul", "MatMul", "BiasAdd", "BiasAdd", "Add", "Tanh"]
    assert [call.primitive.name for call in type_record.of(nn.RNNCell(4, 3), ms.Tensor(X), ms.Tensor(X[:, :3]))] == [
        "RNNStep"
    ]


@pytest.mark.needs("tools")
def test_copies_and_pickles_of_the_mark_are_equal_to_it():
    net = amp.auto_mixed_precision(Net(), "auto", BF16)
    again = copy.deepcopy(net)
    again(ms.Tensor(X))
    assert again.seen["function"] == BF16 and again.seen["widest"] == F32
    assert amp.policy_of(again) == amp.policy_of(net)
    mark = pickle.loads(pickle.dumps(net._compute_dtype))
    assert mark == net._compute_dtype and hash(mark) == hash(net._compute_dtype)
    assert mark != amp.auto_mixed_precision(Net(), "auto", F16)._compute_dtype


def test_a_network_is_converted_once():
    net = ConvNet()
    assert amp.auto_mixed_precision(net, "auto") is net
    report = net.amp_report
    assert amp.auto_mixed_precision(net, "auto") is net and net.amp_report is report
    for again in (
        lambda: amp.auto_mixed_precision(net, "O2"),
        lambda: amp.auto_mixed_precision(net, "auto", BF16),
        lambda: amp.custom_mixed_precision(net, white_list=[nn.Dense]),
    ):
        with pytest.raises(ValueError, match=r"must not have been converted before.*, but got a network at auto\."):
            again()
    low = amp.auto_mixed_precision(ConvNet(), "O2", BF16)
    with pytest.raises(ValueError, match="but got a network at O2 in bfloat16"):
        amp.auto_mixed_precision(low, "O2")
    assert amp.auto_mixed_precision(low, "O2", BF16) is low


def test_explaining_it_converts_nothing():
    net = ConvNet()
    receipt = amp.explain(net, "auto", BF16)
    assert net._compute_dtype is None and net(images()[0]).dtype == F32
    assert str(receipt) == str(amp.auto_mixed_precision(net, "auto", BF16).amp_report)
    assert receipt.level == "auto in bfloat16"


class Rows(nn.Cell):
    """One call of each kind that the receipt of "auto" tells apart."""

    def __init__(self):
        super().__init__()
        self.fc, self.norm, self.relu, self.attention = nn.Dense(4, 4), nn.LayerNorm((4,)), nn.ReLU(), Attention()
        self.joined, self.marked, self.exp = ops.Concat(1), nn.Dense(4, 4).to_float(F32), ops.Exp()

    def construct(self, x):
        x = self.attention(self.relu(self.norm(self.fc(x))))
        x = self.joined((x, self.marked(x)))
        return ops.norm(self.exp(x)) + ops.log(ops.relu(x) + 1).sum() + ops.matmul(x, x.T).sum()


class Attention(nn.Cell):
    """A user's cell, which is entered."""

    def __init__(self):
        super().__init__()
        self.softmax, self.product = nn.Softmax(), ops.MatMul()

    def construct(self, x):
        return self.product(self.softmax(x @ x.T), x)


def test_the_receipt_tells_what_each_call_computes_in():
    report = amp.auto_mixed_precision(Rows(), "auto").amp_report
    found = {entry.path: (entry.dtype, entry.reason) for entry in report.entries}
    white, black, plain = "auto's white list: MatMul", "auto's black list: ", "not on auto's lists"
    assert found == {
        "fc": ("float16", white),
        "norm": ("float32", f"{black}LayerNorm"),
        "relu": ("as its inputs", plain),
        "@": ("float16", "auto's white list: MatMul, BatchMatMul"),
        "attention.softmax": ("float32", f"{black}Softmax"),
        "attention.product": ("float16", white),
        "marked": ("float32", "to_float by the user"),
        "joined": ("as its inputs", "the widest of its inputs: Concat"),
        "exp": ("float32", f"{black}Exp"),
        "ops.norm": ("by operation", "its operations are looked up in auto's lists"),
        "ops.log": ("float32", f"{black}Log"),
        "ops.relu": ("as its inputs", plain),
        "ops.matmul": ("float16", "auto's white list: MatMul, BatchMatMul"),
    }
    assert report.missed == () and "by operation" in str(report)
    assert str(report).endswith("They compute as auto's lists say, or in the type of their inputs.")


@pytest.mark.parametrize("make", [ConvNet, Attention, Rows])
def test_the_receipt_is_what_a_run_shows(make, type_record):
    """Of each class of primitive: where a row names it with a type, a run computes it in that type."""
    net = amp.auto_mixed_precision(make(), "auto")
    calls = type_record.of(net, images()[0] if make is ConvNet else ms.Tensor(abs(X)))
    computed = {}
    for call in calls:
        if call.dtypes:
            computed.setdefault(type(call.primitive).__name__, set()).add(call.dtypes)
    for entry in net.amp_report.entries:
        names = [name for name in computed if name in entry.reason.partition(": ")[2].split(", ")]
        for name in names if entry.dtype in ("float16", "float32") else ():
            assert frozenset([entry.dtype]) in computed[name], (entry, computed[name])


def test_a_training_step_takes_a_network_at_auto():
    net = amp.auto_mixed_precision(ConvNet(), "auto")
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = amp.build_train_network(net, optimizer, loss, level="O0")
    losses = [float(step(*images(16))) for _ in range(8)]
    assert losses[-1] < losses[0] / 2
    with pytest.raises(ValueError, match="but got a network at auto"):
        amp.build_train_network(net, optimizer, loss, level="O3")
