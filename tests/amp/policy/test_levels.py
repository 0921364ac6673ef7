"""A level that is added to LEVELS is obeyed by every way in: each computes in the types that the record says."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, amp, nn
from minispore.amp.policy.levels import BLACK, OPERATIONS, WHITE, Level
from minispore.core.observation import Noting
from minispore.ops.casting import Cast

pytestmark = pytest.mark.usefixtures("restored")
KINDS = (nn.Dense, nn.LayerNorm, nn.Softmax, nn.PReLU)
NARROW = st.sampled_from([ms.float16, ms.bfloat16])


class Network(nn.Cell):
    """One cell of each kind."""

    def __init__(self):
        super().__init__()
        self.fc, self.norm, self.soft, self.act = nn.Dense(4, 4), nn.LayerNorm((4,)), nn.Softmax(), nn.PReLU(4)

    def construct(self, x):
        return self.act(self.soft(self.norm(self.fc(x))))


class Loss(nn.MSELoss):
    """A loss that can be told from the rest."""


class Types(Noting):
    """The types in which the cells of each kind compute."""

    def __init__(self):
        self.seen, self.cells = {}, []

    def around_cell(self, call, cell, args, kwargs):
        self.cells.append(cell)
        try:
            return call(cell, args, kwargs)
        finally:
            self.cells.pop()

    def note(self, primitive, args, arrays, made, single, results):
        for cell in self.cells:
            if type(cell) in (*KINDS, Loss) and not isinstance(primitive, Cast):
                self.seen.setdefault(type(cell), set()).add(ms.pytype_to_dtype(made[0].dtype.type))


def types_of(function, *arguments):
    """Kind -> the types in which its cells compute while a function runs."""
    with Types() as types:
        function(*arguments)
    return types.seen


def expected(level, dtype):
    """Kind -> its type at a level."""
    inside = {WHITE: dtype, BLACK: ms.float32, "": ms.float32}[level.convert]
    outside = {WHITE: ms.float32, BLACK: dtype, "": ms.float32}[level.convert]
    return {kind: {inside if kind in level.classes else outside} for kind in KINDS}


LEVEL = st.builds(
    Level,
    name=st.just("O9"),
    says=st.just("some"),
    convert=st.sampled_from([WHITE, BLACK, ""]),
    classes=st.lists(st.sampled_from(KINDS), unique=True).map(tuple),
    cast_model_type=st.sampled_from([ms.float32, ms.float16, ms.bfloat16]),
    keep_batchnorm_fp32=st.booleans(),
    dynamic_loss_scale=st.booleans(),
)
X = np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32)


def optimizer(net):
    return nn.SGD(net.trainable_params(), 0.0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(level=LEVEL.filter(lambda level: level.convert == BLACK), dtype=NARROW)
def test_a_type_that_is_asked_for_takes_the_place_of_the_levels(added, level, dtype):
    added(level)
    converted = amp.auto_mixed_precision(Network(), "O9", dtype)
    assert types_of(converted, Tensor(X)) == expected(level, dtype)
    assert ("in" in converted._amp_level) is (dtype != level.dtype)


def test_a_level_for_a_device_is_auto_there(added):
    added(Level("O9", "norms kept", BLACK, (nn.LayerNorm,), ms.bfloat16, True, recommended_for="CPU"))
    step = amp.build_train_network(net := Network(), optimizer(net), Loss(), "auto")
    kinds = {kind: {ms.bfloat16} for kind in KINDS} | {nn.LayerNorm: {ms.float32}, Loss: {ms.float32}}
    assert types_of(step, Tensor(X), Tensor(X)) == kinds


def test_the_keywords_override_a_level_as_they_do_o2(added):
    added(Level("O9", "norms kept", BLACK, (nn.LayerNorm,), ms.float16, True))
    for given_, inside, outside in (
        ({}, ms.float32, ms.float16),
        ({"keep_batchnorm_fp32": True}, ms.float32, ms.float16),
        ({"keep_batchnorm_fp32": False}, ms.float16, ms.float16),
        ({"cast_model_type": ms.float32}, ms.float32, ms.float32),
    ):
        step = amp.build_train_network(net := Network(), optimizer(net), Loss(), "O9", **given_)
        found = types_of(step, Tensor(X), Tensor(X))
        assert (found[nn.LayerNorm], found[nn.Dense]) == ({inside}, {outside})


def test_a_network_at_an_added_level_stays_so(added):
    added(Level("O9", "norms kept", BLACK, (nn.LayerNorm,), ms.float16, True))
    net = Network()
    amp.auto_mixed_precision(net, "O9")
    amp.build_train_network(net, optimizer(net), Loss(), "O9")
    with pytest.raises(ValueError, match=r"must not have been converted before.*at O9"):
        amp.build_train_network(net, optimizer(net), Loss(), "O2", loss_scale_manager=None)


def test_the_receipt_of_an_added_level_of_operations_says_what_its_rows_leave_out(added):
    added(Level("O9", "each operation", OPERATIONS))
    own, auto = (str(amp.explain(Network(), name)) for name in ("O9", "auto"))
    assert own.splitlines()[-1] == auto.splitlines()[-1] and "as auto's lists say, or" in own


def test_a_keyword_that_changes_the_type_leaves_a_level_its_own_classes(added):
    added(Level("O9", "softmax kept", BLACK, (nn.Softmax,), ms.bfloat16, True))
    step = amp.build_train_network(net := Network(), optimizer(net), Loss(), "O9", cast_model_type=ms.float16)
    kinds = {kind: {ms.float16} for kind in KINDS} | {nn.Softmax: {ms.float32}, Loss: {ms.float32}}
    assert types_of(step, Tensor(X), Tensor(X)) == kinds
    assert amp.auto_mixed_precision(net, "O9", ms.float16) is net
