"""Faults planted in small networks, as they happen: each with what the verdict must name, and the network mended.

``PLANTED`` maps a name to a :class:`Planted`; the line of a fault is marked in the source.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from support.overflow_faults import line_of

import minispore as ms
from minispore import nn, ops

X = np.linspace(-1, 1, 24, dtype=np.float32).reshape(4, 6)
Y = np.zeros((4, 6), np.float32)
NAN_AT = np.where(np.arange(24).reshape(4, 6) == 9, np.nan, X).astype(np.float32)


@dataclass
class Planted:
    """A fault: how the step is made, its inputs, and the fields of the verdict.

    Attributes:
        make (Callable): Makes the step.
        kind (str): The kind.
        operation (str): The operation; None where it depends on the drawn weights.
        cell (str): The path of its cell; None as above.
        at (Any): The function whose marked line is named; None where no line of the user's runs.
        phase (str): The pass.
        inputs (tuple): Arrays.
        cured (bool): Whether there is a remedy.
        says (tuple): Words of the sentence.
        more (dict): Further fields of the verdict.
        mended (Callable): Makes the step as the advice would have it, which is finite; None without advice.
        options (dict): Of ``explain_overflow``.
    """

    make: Any
    kind: str
    operation: str
    cell: str = "network._backbone"
    at: Any = None
    phase: str = "forward"
    inputs: tuple = (X, Y)
    cured: bool = True
    says: tuple = ()
    more: dict = field(default_factory=dict)
    mended: Any = None
    options: dict = field(default_factory=dict)

    @property
    def where(self):
        return None if self.at is None else line_of(self.at)


def scaled(net, level="O3", scale=1024.0, loss=None, rate=0.1):
    """A training step with a dynamic loss scale."""
    optimizer = nn.Momentum(net.trainable_params(), rate, 0.9)
    manager = ms.amp.DynamicLossScaleManager(scale, 2, 1000)
    return ms.build_train_network(net, optimizer, loss or nn.MSELoss(), level=level, loss_scale_manager=manager)


def plain(net, optimizer=None, loss=None):
    """A training step without a loss scale, in float32."""
    optimizer = optimizer or nn.SGD(net.trainable_params(), 0.01)
    return nn.TrainOneStepCell(nn.WithLossCell(net, loss or nn.MSELoss()), optimizer)


class Between(nn.Cell):
    """A layer, a rule, a layer."""

    def __init__(self, rule, width=6):
        super().__init__()
        self.before, self.after, self.rule = nn.Dense(6, width), nn.Dense(width, 6), rule

    def construct(self, x):
        return self.after(self.rule(self.before(x)))


# The range of a type


class Attention(nn.Cell):
    def __init__(self, divisor=1.0):
        super().__init__()
        self.query, self.key = (nn.Dense(6, 64, weight_init=ms.common.initializer.Constant(6.0)) for _ in range(2))
        self.head, self.divisor = nn.Dense(4, 6), divisor

    def construct(self, x):
        query, key = self.query(x + 1), self.key(x + 1)
        scores = ops.matmul(query, key.T)  # FAULT
        return self.head(ops.softmax(scores / self.divisor, -1))


def variance_as_mean_of_squares(x):
    wide = x * 0 + 300
    return x * (ops.square(wide).mean() - wide.mean() ** 2)  # FAULT


def log_of_a_softmax(x):
    wide = ops.concat((x * 0, x * 0 + 60), -1)
    return x * ops.log(ops.softmax(wide, -1)).mean()  # FAULT


def stray_cast(x):
    large = x * 0 + 1e5
    return large.astype(ms.float16).astype(ms.bfloat16) * x  # FAULT


class Listed(nn.Cell):
    """Its cells are in a plain Python list."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(6, 6)
        self.others, self.last = [Power()], nn.Dense(6, 6)

    def construct(self, x):
        x = self.first(x)
        for other in self.others:
            x = other(x)
        return self.last(x)


class Power(nn.Cell):
    def construct(self, x):
        return ops.exp(x * 0 + 12) * x  # FAULT


class Doubled(nn.Cell):
    """A linear RNN whose state doubles."""

    def __init__(self, times=30):
        super().__init__()
        self.read, self.write, self.times = nn.Dense(6, 6), nn.Dense(6, 6), times

    def construct(self, x):
        state = self.read(x) + 1
        for _ in range(self.times):
            state = state + state  # FAULT
        return self.write(state)


class BehindLSTM(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTMCell(6, 6), nn.Dense(6, 6)

    def construct(self, x):
        state, total = (x * 0, x * 0), x * 0 + 5
        for _ in range(3):
            state = self.lstm(x, state)
            total = total * total  # FAULT
        return self.head(state[0]) * total


def small_eps(x):
    same = x - x
    return same / ops.sqrt(ops.square(same).mean() + 1e-8)  # FAULT


def mean_as_sum(x):
    large = x * 0 + 3e4
    return x * (large.sum() / 24)  # FAULT


@ms.jit
def exponential_under_jit(x):
    return ops.exp(x * 0 + 12) * x  # FAULT


def replayed():
    """A function under jit, after the recording is replayed."""
    step = scaled(Between(exponential_under_jit))
    for _ in range(3):
        step(ms.Tensor(X), ms.Tensor(Y))
    return step


def steep_root(x):
    return ops.sqrt(x * 0 + 1e-7)  # FAULT


# A loss scale that is too high


def accumulated():
    net = nn.GradAccumulationCell(
        nn.WithLossCell(ms.amp.auto_mixed_precision(Between(ops.tanh), "O3"), nn.MSELoss()), 2
    )
    scale = nn.DynamicLossScaleUpdateCell(2**40, 2, 100)
    return nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), scale)


def fixed():
    net = nn.WithLossCell(ms.amp.auto_mixed_precision(Between(ops.tanh), "O3"), nn.MSELoss())
    scale = nn.FixedLossScaleUpdateCell(2**30)
    return nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), scale)


def with_sens():
    """A scale that is fixed in the step, and divided by in the optimizer."""
    net = Between(ops.tanh)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=2.0**30)
    manager = ms.amp.FixedLossScaleManager(2.0**30, drop_overflow_update=False)
    return ms.build_train_network(net, optimizer, nn.MSELoss(), level="O3", loss_scale_manager=manager)


def model():
    net = Between(mean_as_sum)
    manager = ms.amp.DynamicLossScaleManager(8.0)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    return ms.train.Model(net, nn.MSELoss(), optimizer, amp_level="O2", loss_scale_manager=manager)


# What is given


def poisoned():
    step = scaled(Between(ops.tanh))
    weight = next(p for p in step.network.trainable_params() if p.name == "after.weight")
    value = weight.asnumpy().copy()
    value[1, 2] = np.inf
    weight.set_data(ms.Tensor(value))
    return step


class Positions(nn.Cell):
    """A table that the network holds, of which a row is -inf."""

    def __init__(self, value=float("-inf")):
        super().__init__()
        self.fc, self.pos = nn.Dense(6, 6), ms.Tensor(np.full((4, 6), value, np.float32))

    def construct(self, x):
        return self.fc(x + self.pos)  # FAULT


# No finite result


def root(x, eps=0.0):
    return ops.sqrt(x * 0 + eps) + x  # FAULT


def mended_root(x):
    return root(x, 1e-6)


def empty_mask(x, least=0):
    mask = (x > 1e6).astype(x.dtype)
    count = ops.maximum(mask.sum(), least) if least else mask.sum()
    return x * ((x * mask).sum() / count)  # FAULT


def mended_mask(x):
    return empty_mask(x, 1)


def constant_feature(x, eps=0.0):
    x = x * ms.Tensor([1, 1, 0, 1, 1, 1], ms.float32)
    deviation = ops.sqrt(ops.square(x - x.mean(0)).mean(0) + eps)
    return (x - x.mean(0)) / deviation  # FAULT


def mended_feature(x):
    return constant_feature(x, 1e-5)


def under_a_where(x):
    b = ops.relu(x)
    return ops.where(b == 0, x * 0, x / b)  # FAULT


def where_before(x):
    b = ops.relu(x)
    return ops.where(b == 0, x * 0, x / ops.where(b == 0, ops.ones_like(b), b))


def negative_base(x):
    return ops.pow(x, 1.5)  # FAULT


def mended_base(x):
    return ops.sign(x) * ops.pow(ops.abs(x), 1.5)


def wrapping(x, kind=ms.int8):
    count = (x * 0 + 200).astype(kind)
    return x * ops.sqrt(count.astype(ms.float32))  # FAULT


def mended_wrapping(x):
    return wrapping(x, ms.int32)


def masked_row(x, mask=-np.inf):
    hidden = ops.tile(ms.Tensor([[True], [False], [False], [False]]), (1, 6))
    return ops.softmax(ops.masked_fill(x, hidden, mask), -1)  # FAULT


def mended_row(x):
    return masked_row(x, -1e4)


class LogLoss(nn.Cell):
    """A log of what a ReLU makes 0, whose gradient the ReLU stops."""

    def __init__(self, eps=0.0):
        super().__init__()
        self.fc, self.eps = nn.Dense(6, 1), eps

    def construct(self, x, y):
        return ops.log(ops.relu(self.fc(x) - 100) + self.eps).mean()  # FAULT


def log_loss(eps=0.0):
    net = LogLoss(eps)
    manager = nn.DynamicLossScaleUpdateCell(8, 2, 100)
    return nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), manager)


# Parameters that are large


def with_rate(rate, activation="tanh"):
    """A deep network after a step at a learning rate."""

    def make():
        step = scaled(
            nn.SequentialCell([nn.Dense(6, 6, activation=activation) for _ in range(6)]), scale=1.0, rate=rate
        )
        step(ms.Tensor(X), ms.Tensor(Y + 1))
        return step

    return make


def with_sigma(sigma):
    def make():
        cells = [nn.Dense(6, 6, weight_init=ms.common.initializer.Normal(sigma)) for _ in range(12)]
        return scaled(nn.SequentialCell(cells), scale=4.0)

    return make


# The optimizer, own gradients, own loops


def adam(eps):
    def make():
        net = Between(ops.relu)
        return plain(net, nn.Adam(net.trainable_params(), eps=eps))

    return make


class Own(nn.Cell):
    """A cell with a gradient of its own, which overflows in float16 and takes no float32."""

    def construct(self, x):
        return ops.sigmoid(x)

    def bprop(self, x, out, dout):
        if out.dtype != ms.float16:
            raise ValueError("only float16")
        return (dout / (out * (1 - out)) * 1e4 * 1e4,)  # FAULT


class Straight(nn.Cell):
    """A sign with a gradient of its own, which divides."""

    def __init__(self, eps=0.0):
        super().__init__()
        self.eps = eps

    def construct(self, x):
        return ops.sign(x)

    def bprop(self, x, out, dout):
        width = x - x + self.eps
        return (dout / width,)  # FAULT


def functional(level="O3"):
    """The training function of a user's own loop: ``(loss, gradients)``."""
    net = ms.amp.auto_mixed_precision(Between(mean_as_sum), level)
    loss = nn.MSELoss()

    def forward(x, y):
        return loss(net(x).astype(ms.float32), y)

    return ms.value_and_grad(forward, None, net.trainable_params())


SCALER = ms.amp.DynamicLossScaler(2.0**40, 2, 100)


def functional_with_scaler():
    net = ms.amp.auto_mixed_precision(Between(ops.tanh), "O3")
    loss, optimizer = nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)

    def forward(x, y):
        return SCALER.scale(loss(net(x).astype(ms.float32), y))

    differentiated = ms.value_and_grad(forward, None, optimizer.parameters)

    def train(x, y):
        value, gradients = differentiated(x, y)
        finite = ms.amp.all_finite(gradients)
        if finite:
            optimizer(SCALER.unscale(gradients))
        SCALER.adjust(finite)
        return SCALER.unscale(value), finite

    return train


def exponential_in_float32(x):
    return ops.exp(x * 0 + 100) * x  # FAULT


def between(rule, **options):
    return lambda: scaled(Between(rule), **options)


FAULT = "network._backbone"
PLANTED = {
    "attention scores without a divisor": Planted(
        lambda: scaled(Attention()), "forward", "MatMul", at=Attention.construct, says=("fp32=True",)
    ),
    "variance as mean of squares": Planted(
        between(variance_as_mean_of_squares), "forward", "Square", at=variance_as_mean_of_squares
    ),
    "log of a softmax": Planted(between(log_of_a_softmax), "forward", "Log", at=log_of_a_softmax),
    "stray cast among bfloat16": Planted(
        lambda: plain(ms.amp.auto_mixed_precision(Between(stray_cast), "O3", dtype=ms.bfloat16)),
        "forward",
        "Cast",
        f"{FAULT}._backbone",
        stray_cast,
        cured=False,
        says=("without the narrowing cast at",),
    ),
    "cell of a plain list": Planted(lambda: scaled(Listed()), "forward", "Exp", f"{FAULT}.others[0]", Power.construct),
    "under jit, replayed": Planted(replayed, "forward", "Exp", at=exponential_under_jit),
    "scale under accumulation": Planted(
        accumulated,
        "scale",
        "Cast",
        "network.network._backbone",
        phase="backward",
        says=("2**40 (1099511627776) is too high",),
    ),
    "fixed scale of 2**30": Planted(fixed, "scale", "Cast", FAULT, phase="backward"),
    "scale of the step and the optimizer": Planted(with_sens, "scale", "Cast", "network", phase="backward"),
    "nan in a label": Planted(
        between(ops.tanh), "data", "Sub", "network._loss_fn", inputs=(X, NAN_AT), more={"given": "inputs[1]"}
    ),
    "nan in the data": Planted(
        between(ops.tanh), "data", "Cast", f"{FAULT}.before", inputs=(NAN_AT, Y), more={"given": "inputs[0]"}
    ),
    "linear RNN that doubles": Planted(lambda: scaled(Doubled()), "forward", "Add", at=Doubled.construct),
    "loop behind an LSTM": Planted(lambda: scaled(BehindLSTM()), "forward", "Mul", at=BehindLSTM.construct),
    "eps that float16 has not": Planted(between(small_eps), "forward", "Div", at=small_eps),
    "mean as sum": Planted(between(mean_as_sum), "forward", "ReduceSum", at=mean_as_sum),
    "inf in a Parameter": Planted(poisoned, "parameter", "Cast", f"{FAULT}.after", more={"given": "after.weight"}),
    "Model at O2": Planted(model, "forward", "ReduceSum", at=mean_as_sum),
    "slope of a root at 0": Planted(
        between(root),
        "invalid",
        "Div",
        at=root,
        phase="backward",
        cured=False,
        says=("slope of a root at 0 is infinite", "ops.sqrt(x + eps)"),
        mended=between(mended_root),
    ),
    "empty mask": Planted(
        between(empty_mask),
        "invalid",
        "Div",
        at=empty_mask,
        cured=False,
        says=("nan of 0 and 0", "empty mask", "ops.maximum(count, 1)"),
        mended=between(mended_mask),
    ),
    "constant feature": Planted(
        between(constant_feature),
        "invalid",
        "Div",
        at=constant_feature,
        cured=False,
        says=("nan at [0, 2] of 0 and 0 (4 of 24)", "constant feature", "ops.sqrt(v + eps)"),
        mended=between(mended_feature),
    ),
    "division under a where": Planted(
        between(under_a_where),
        "invalid",
        "Div",
        at=under_a_where,
        phase="backward",
        cured=False,
        says=(" and 0 (", "ops.where(b == 0, 1, b)", "A where behind the division"),
        mended=between(where_before),
    ),
    "negative base": Planted(
        between(negative_base),
        "invalid",
        "Pow",
        at=negative_base,
        cured=False,
        says=("nan at [", "below 0", "ops.abs(x)"),
        mended=between(mended_base),
    ),
    "int8 that wraps": Planted(
        between(wrapping),
        "invalid",
        "Sqrt",
        at=wrapping,
        cured=False,
        says=("Cast at", "wraps in int8: 200 becomes -56"),
        mended=between(mended_wrapping),
    ),
    "learning rate of 1e6": Planted(
        with_rate(1e6), "large", None, None, says=("Parameters are large", "0.weight", "learning rate")
    ),
    "sigma of 30": Planted(
        with_sigma(30.0),
        "large",
        None,
        None,
        says=("Parameters are large", "0.weight", "smaller sigma"),
        mended=with_sigma(0.3),
    ),
    "table of -inf": Planted(
        lambda: scaled(Positions()),
        "data",
        "Cast",
        at=Positions.construct,
        says=("step.network._backbone.pos is not finite",),
        mended=lambda: scaled(Positions(0.0)),
        cured=True,
    ),
    "row masked whole": Planted(
        between(masked_row),
        "invalid",
        "Softmax",
        at=masked_row,
        cured=False,
        says=("nan at [0, 0]", "masked whole", "-1e4"),
        mended=between(mended_row),
    ),
    "log of 0 behind a ReLU": Planted(
        log_loss,
        "invalid",
        "Log",
        "network",
        LogLoss.construct,
        cured=False,
        says=("-inf at [0, 0] of 0", "ops.log(ops.relu(x) + eps)"),
        mended=lambda: log_loss(1e-6),
        more={"found": "loss"},
    ),
    "optimizer that makes nan": Planted(
        adam(1e-60),
        "update",
        "Adam",
        "optimizer",
        phase="update",
        cured=False,
        inputs=(X * 0, Y),
        says=("It spoils before.weight", "eps of Adam, 1e-60, is 0 in float32"),
        mended=adam(1e-8),
        more={"found": "parameters"},
    ),
    "gradient of one's own": Planted(
        between(Own()),
        "forward",
        "Mul",
        f"{FAULT}.rule",
        Own.bprop,
        phase="backward",
        cured=False,
        more={"differentiated": "Own"},
    ),
    "gradient of one's own that divides by 0": Planted(
        between(Straight()),
        "invalid",
        "Div",
        f"{FAULT}.rule",
        Straight.bprop,
        phase="backward",
        cured=False,
        says=("The divisor is 0",),
        mended=between(Straight(1.0)),
        more={"differentiated": "Straight"},
    ),
    "slope that overflows at every scale": Planted(
        between(steep_root, loss=nn.MSELoss("sum")),
        "forward",
        "Div",
        at=steep_root,
        phase="backward",
        inputs=(X, Y + 500),
        more={"differentiated": "Sqrt"},
    ),
    "data that float16 cannot hold": Planted(
        between(ops.tanh),
        "forward",
        "Cast",
        f"{FAULT}.before",
        inputs=(X * 1e6, Y),
        says=("inputs[0] is too large for float16: scale the data.",),
    ),
    "loop of one's own": Planted(functional, "forward", "ReduceSum", FAULT, mean_as_sum, says=("network.",)),
    "loop of one's own with a scaler": Planted(
        functional_with_scaler,
        "scale",
        "Cast",
        "network",
        phase="backward",
        options={"scaler": SCALER},
        says=("2**40 (1099511627776) is too high",),
    ),
    "float32 without a loss scale": Planted(
        lambda: plain(Between(exponential_in_float32)),
        "forward",
        "Exp",
        at=exponential_in_float32,
        cured=False,
    ),
}
