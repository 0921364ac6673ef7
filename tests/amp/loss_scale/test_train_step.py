"""The training step with loss scaling: what it computes, and that a skipped step changes nothing."""

import numpy as np
import pytest
from support.mixed_networks import ConvNet, images
from support.strict_cupy import strict_cupy

import minispore as ms
from minispore import Tensor, amp, nn, ops
from minispore.core import backend

pytestmark = pytest.mark.usefixtures("restored")


class PoisonedDense(nn.Cell):
    """A Dense and a BatchNorm, and a switch that makes the gradient infinite."""

    def __init__(self):
        super().__init__()
        self.dense, self.bn, self.dropout = nn.Dense(3, 3), nn.BatchNorm1d(3), nn.Dropout(p=0.5)
        self.poison = 1.0

    def construct(self, x):
        return (self.dropout(self.bn(self.dense(x))) * self.poison).sum()


def train_step(network, optimizer=nn.Momentum, scale=None, rate=0.1):
    """A step over a network whose output is the loss."""
    arguments = (rate, 0.9) if optimizer is nn.Momentum else (rate,)
    scale = nn.DynamicLossScaleUpdateCell(1024, 2, 3) if scale is None else scale
    optimizer = optimizer(network.trainable_params(), *arguments)
    return nn.TrainOneStepWithLossScaleCell(network, optimizer, scale).set_train()


def test_a_good_step_equals_the_step_without_a_scale():
    ms.set_seed(3)
    plain = PoisonedDense()
    ms.set_seed(3)
    scaled = PoisonedDense()
    x = ms.Tensor(np.random.default_rng(0).standard_normal((5, 3), np.float32))
    reference = nn.TrainOneStepCell(plain, nn.Momentum(plain.trainable_params(), 0.1, 0.9)).set_train()
    step = train_step(scaled)
    for seed in range(4):
        ms.set_seed(seed)
        expected = reference(x)
        ms.set_seed(seed)
        loss, overflow, scale = step(x)
        assert not bool(overflow)
        assert float(scale) in (1024.0, 2048.0)
        assert float(loss) == float(expected)
    for p, q in zip(plain.get_parameters(), scaled.get_parameters(), strict=True):
        np.testing.assert_allclose(p.asnumpy(), q.asnumpy(), rtol=1e-6)


def test_the_returned_scale_is_a_value_of_its_own():
    step = train_step(PoisonedDense(), scale=ms.Tensor(8.0))
    _, _, scale = step(ms.ops.ones((5, 3)))
    step.set_sense_scale(ms.Tensor(16.0))
    assert float(scale) == 8.0
    assert float(step.scale_sense) == 16.0


def test_a_float16_gradient_is_unscaled_in_float32():
    weight = ms.Parameter(np.zeros(3, np.float16), name="w")
    step = nn.TrainOneStepWithLossScaleCell(nn.Identity(), nn.Momentum([weight], 0.1, 0.9), ms.Tensor(2.0**26))
    (gradient,) = step.unscaled((ms.Tensor(np.full(3, 6e4, np.float16)),))
    assert gradient.dtype == ms.float32
    np.testing.assert_allclose(gradient.asnumpy(), np.float16(6e4) / np.float32(2.0**26), rtol=1e-6)


def test_a_float64_gradient_stays_float64_and_exact():
    weight = ms.Parameter(np.zeros(1, np.float64), name="w")
    step = nn.TrainOneStepWithLossScaleCell(nn.Identity(), nn.SGD([weight], 1.0), ms.Tensor(1024.0))
    exact = 1 + 2.0**-40
    (gradient,) = step.unscaled((ms.Tensor(np.full(1, 1024 * exact)),))
    assert gradient.dtype == ms.float64
    assert gradient.asnumpy() == [exact]


def test_a_scale_that_a_float16_loss_cannot_carry_is_lowered_before_the_first_step(caplog):
    network = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss()).to_float(ms.float16)
    step = train_step(network, scale=nn.DynamicLossScaleUpdateCell(2.0**24, 2, 100))
    with caplog.at_level("WARNING", logger="minispore"):
        loss, overflow, scale = step(ms.ops.ones((4, 2)) * 0.1, ms.ops.zeros((4, 1)))
    assert loss.dtype == ms.float16
    assert not bool(overflow)
    assert float(scale) == 2.0**15
    assert "lowered from 1.67772e+07 to 32768" in caplog.text


@pytest.mark.parametrize(("dtype", "given", "used"), [(ms.float16, 2049.0, 2048.0), (ms.bfloat16, 1001.0, 1000.0)])
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_scale_that_a_narrow_losses_type_does_not_have_is_rounded_before_it_is_used(dtype, given, used, mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(1.0, name="w")

        def construct(self):
            return self.w.astype(dtype)

    ms.set_context(mode=mode)
    net = Net()
    step, expected = train_step(net, nn.SGD, Tensor(given, ms.float32)), np.float32(1)
    for _ in range(4):
        loss, overflow, scale = step()
        expected -= np.float32(0.1)
        assert (loss.dtype, bool(overflow), float(scale), net.w.item()) == (dtype, False, used, expected)


def test_a_subclass_reuses_the_methods_as_the_page_describes():
    class Manual(nn.TrainOneStepWithLossScaleCell):
        def construct(self, *inputs):
            loss = self.network(*inputs)
            sens = ms.ops.ones_like(loss) * self.scale_sense
            status, sens = self.start_overflow_check(loss, sens)
            gradients = ms.ops.GradOperation(get_by_list=True, sens_param=True)(self.network, self.weights)(
                *inputs, sens
            )
            gradients = self.unscaled(gradients)
            overflow = self.get_overflow_status(status, gradients)
            if not self.process_loss_scale(overflow):
                self.optimizer(gradients)
            return loss, overflow

    network = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
    step = Manual(network, nn.Momentum(network.trainable_params(), 0.1, 0.9), nn.DynamicLossScaleUpdateCell(8, 2, 1))
    before = network.trainable_params()[0].asnumpy().copy()
    _, overflow = step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1)))
    assert not bool(overflow)
    assert float(step.scale_sense) == 16.0
    assert not np.array_equal(before, network.trainable_params()[0].asnumpy())


def two_outputs():
    class Two(nn.Cell):
        def construct(self, x):
            return x, x

    return Two()


@pytest.mark.parametrize("scale", [3.0, ms.Tensor([1.0, 2.0]), None])
def test_a_step_that_is_refused_leaves_the_network_as_it_is(scale):
    network = nn.Dense(2, 1)
    with pytest.raises((TypeError, ValueError), match="'scale_sense'"):
        nn.TrainOneStepWithLossScaleCell(network, nn.SGD(network.trainable_params()), scale)
    with pytest.raises(TypeError, match="'sens' must be a number"):
        nn.TrainOneStepCell(network, nn.SGD(network.trainable_params()), "1")
    assert not network.requires_grad


def test_a_network_of_two_outputs_is_refused():
    weight = ms.Parameter([1.0], name="w")
    step = nn.TrainOneStepWithLossScaleCell(two_outputs(), nn.Momentum([weight], 0.1, 0.9), ms.Tensor(2.0))
    with pytest.raises(TypeError, match="must have one output"):
        step(weight)


def test_gradients_that_vanish_in_float16_survive_with_a_scale():
    """A loss whose gradient, 1e-8, is below float16's smallest subnormal."""

    class Tiny(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 1, weight_init="ones", has_bias=False).to_float(ms.float16)

        def construct(self, x):
            return self.dense(x).astype(ms.float32).sum() * 1e-8

    def moved(scale):
        network = Tiny()
        step = train_step(network, scale=ms.Tensor(scale), rate=1e8)
        step(ms.ops.ones((1, 2)))
        return 1 - network.dense.weight.asnumpy().ravel()

    np.testing.assert_array_equal(moved(1.0), [0, 0])
    np.testing.assert_allclose(moved(2.0**14), [1, 1], rtol=2e-3)


def test_a_batch_of_images_trains_through_the_whole_step():
    network = nn.WithLossCell(ConvNet(), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = train_step(network)
    losses = [float(step(*images())[0]) for _ in range(20)]
    assert losses[-1] < 0.2 * losses[0]


def test_a_float16_scale_is_lowered_too():
    network = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss()).to_float(ms.float16)
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepWithLossScaleCell(network, optimizer, Tensor(60000.0, ms.float16)).set_train()
    _, _, scale = step(ops.ones((4, 2)) * 0.1, ops.zeros((4, 1)))
    assert (float(scale), scale.dtype) == (2.0**15, ms.float16)


@pytest.mark.needs("dropin")
def test_a_step_of_ones_own_finds_the_operations_that_judge_an_overflow():
    net = nn.WithLossCell(nn.Dense(1, 1), nn.MSELoss())
    step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params()), ms.Tensor(8.0))
    flags = ms.Tensor([0.0, 1.0])
    assert bool(step.less_equal(step.base, step.reduce_sum(flags)))
    assert not bool(step.logic_not(step.equal(step.base0, ms.Tensor(0, ms.int32))))
    assert step.reduce_sum(ops.ones((2, 3)), 0).shape == step.reduce_all(ops.ones((2, 3)) > 0, 0).shape == (3,)
    assert step.allreduce(flags) is not None
    assert (step.is_distributed, step.gpu_target, step.reducer_flag) == (False, False, False)


@pytest.fixture
def waits():
    """Computes on the stand-in for CuPy; gives how often a call waits for the device."""
    before = backend.use(strict_cupy)

    def counted(call, *args):
        already = strict_cupy.synchronisations
        call(*args)
        return strict_cupy.synchronisations - already

    yield counted
    backend.use(before)


@pytest.mark.needs("devices")
@pytest.mark.parametrize("level", ["O0", "O2", "O3"])
def test_a_step_waits_for_the_device_once_to_learn_whether_it_overflowed(waits, level):
    ms.set_context(cpu_loss_scale=True)
    net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 3))
    manager = amp.DynamicLossScaleManager(2**14, 2, 2)
    step = amp.build_train_network(
        net, nn.Adam(net.trainable_params()), nn.MSELoss(), level=level, loss_scale_manager=manager
    )
    step(ops.ones((5, 4)), ops.ones((5, 3)))  # the first reads the state of the scale as well
    good, bad = Tensor(np.ones((5, 4), np.float32)), Tensor(np.full((5, 4), np.inf, np.float32))
    assert [waits(step, x, ops.ones((5, 3))) for x in (good, bad, good, good, bad)] == [1] * 5


@pytest.mark.needs("devices")
def test_a_scale_that_somebody_else_has_set_counts(waits):
    step = train_step(PoisonedDense())
    for _ in range(2):
        step(ops.ones((5, 3)))
    ops.assign(step.scale_sense, Tensor(64.0))
    assert waits(step, ops.ones((5, 3))) == 1 and step.scale_sense.item() == 128
    step.loss_scaling_manager.last_overflow_iter.set_data(Tensor(3, ms.int32))
    for expected in (128, 128, 256):
        step(ops.ones((5, 3)))
        assert step.scale_sense.item() == expected


@pytest.mark.needs("devices")
def test_a_scaler_waits_once_for_each_step(waits):
    scaler = amp.DynamicLossScaler(8, 2, 2)
    finite = amp.all_finite(ops.ones((3,)))
    scaler.adjust(finite)
    assert [waits(scaler.adjust, amp.all_finite(ops.ones((3,)))) for _ in range(3)] == [1, 1, 1]
    assert scaler.scale_value.item() == 32


class Unscaling(nn.TrainOneStepWithLossScaleCell):
    """A user's step that looks at the gradients itself."""

    def get_overflow_status(self, status, compute_output):
        return super().get_overflow_status(status, compute_output)


def trained(step_kind, factor):
    """The overflow flags and scales of steps of which two overflow, and their losses, at O2 by class numbers."""
    ms.set_seed(1)
    net = amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 3)), "O0")
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    manager = amp.DynamicLossScaleManager(2.0**10, factor, 2)
    optimizer = nn.Adam(net.trainable_params(), 0.05)
    step = amp.build_train_network(net, optimizer, loss, level="O2", loss_scale_manager=manager)
    step = step_kind(step.network, optimizer, step.loss_scaling_manager).set_train()
    rng, rows = np.random.default_rng(0), []
    for k in range(8):
        x = np.full((5, 4), np.inf, np.float32) if k in (3, 4) else rng.standard_normal((5, 4)).astype(np.float32)
        rows.append([y.asnumpy() for y in step(Tensor(x), Tensor(rng.integers(0, 3, 5).astype(np.int32)))])
    losses, overflows, scales = map(np.array, zip(*rows, strict=True))
    return losses, overflows, scales, [p.asnumpy() for p in step.loss_scaling_manager.get_parameters()]


@pytest.mark.parametrize("step_kind", [nn.TrainOneStepWithLossScaleCell, Unscaling])
def test_a_gpus_kernels_skip_and_scale_as_the_host_does(on_cupy, step_kind):
    found = trained(step_kind, 3)
    ms.set_context(device_target="CPU", cpu_loss_scale=True)
    expected = trained(step_kind, 3)
    ms.set_context(device_target="GPU")
    finite = ~expected[1]
    assert list(found[1]) == list(expected[1]) and list(found[2]) == list(expected[2]) and found[3] == expected[3]
    np.testing.assert_allclose(found[0][finite], expected[0][finite], rtol=3e-3)


# Where a device with kernels of its own decides whether a step is skipped
