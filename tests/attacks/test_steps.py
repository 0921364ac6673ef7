"""Training steps under attack: interrupted at any moment, in threads side by side, thousands of them in a row."""

import gc
import os
import signal
import sys
import threading
import time

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn
from minispore.core.layers import LOUD
from minispore.core.running import running

pytestmark = pytest.mark.usefixtures("restored")
MODES = [ms.PYNATIVE_MODE, ms.GRAPH_MODE]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.relu, self.fc = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dense(256, 3)

    def construct(self, x):
        h = self.relu(self.bn(self.conv(x)))
        return self.fc(h.reshape(h.shape[0], -1))


def batch(seed, size=16):
    rng = np.random.default_rng(seed)
    images, labels = rng.standard_normal((size, 1, 8, 8)).astype(np.float32), rng.integers(0, 3, size).astype(np.int32)
    return ms.Tensor(images), ms.Tensor(labels)


BATCHES = [batch(seed) for seed in range(4)]


def new_step(level):
    ms.set_context(cpu_loss_scale=True)
    ms.set_seed(1)
    net = Net()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    manager = amp.FixedLossScaleManager(8.0)
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    return amp.build_train_network(net, optimizer, loss, level=level, loss_scale_manager=manager)


def trained(step, steps=8):
    """All bits that a step's training leaves."""
    losses = [step(*BATCHES[k % 4])[0].asnumpy().tobytes() for k in range(steps)]
    return losses + [p.asnumpy().tobytes() for p in step.get_parameters()]


def take_values(step, other):
    for p, q in zip(step.get_parameters(), other.get_parameters(), strict=True):
        p.set_data(q)


@pytest.fixture
def alarm(monkeypatch):
    """``alarm(seconds)``: raise KeyboardInterrupt so many seconds from now; ``alarm(0)`` takes it back.

    An interrupt that falls into a callback of the garbage collector (hypothesis has one) is reported by Python and
    goes no further: that step was not interrupted.
    """
    report = sys.unraisablehook
    quiet = lambda lost: None if lost.exc_type is KeyboardInterrupt else report(lost)  # noqa: E731
    monkeypatch.setattr(sys, "unraisablehook", quiet)

    def ring(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a timer interrupts")
@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("mode", MODES)
def test_after_an_interrupted_step_the_next_steps_are_those_of_a_twin(mode, level, alarm, tries, dice):
    ms.set_context(mode=mode)
    step, twin, interrupted = new_step(level), new_step(level), 0
    trained(step)
    begun = time.perf_counter()
    trained(step, 1)
    took = time.perf_counter() - begun
    for _ in range(tries(15, 500)):
        try:
            alarm(dice.uniform(1e-4, took))
            begun = time.perf_counter()
            trained(step, 3)
            alarm(0)
            took = min(took, time.perf_counter() - begun)  # the first step may have been a slow one
        except KeyboardInterrupt:
            interrupted += 1
        # An interrupt between two bytecodes may leave these set; the law here is about values
        running.tape = running.cast = running.cast_cache = None
        running.begin(LOUD)
        running.followed = {}
        take_values(twin, step)
        assert trained(step, 2) == trained(twin, 2)
    assert interrupted


@pytest.mark.parametrize("mode", MODES)
def test_networks_that_threads_train_side_by_side_are_those_trained_alone(mode, tries):
    ms.set_context(mode=mode)
    levels = ["O0", "O1", "O2", "O3"]
    alone = [trained(new_step(level)) for level in levels]
    for _ in range(tries(2, 50)):
        steps, found, meeting = [new_step(level) for level in levels], {}, threading.Barrier(len(levels), timeout=300)

        def work(i, steps=steps, found=found, meeting=meeting):
            meeting.wait()
            found[i] = trained(steps[i])

        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(levels))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
        assert [found[i] for i in range(len(levels))] == alone


def resident():
    """The memory of this process in MiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


def objects():
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is read from /proc")
@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("mode", MODES)
def test_thousands_of_steps_take_no_more_memory_than_a_few(mode, level, tries):
    ms.set_context(mode=mode)
    step = new_step(level)
    trained(step, 50)
    before = objects(), resident()
    for _ in range(tries(200, 4000)):
        step(*BATCHES[0])
    after = objects(), resident()
    assert after[0] - before[0] < 50 and after[1] - before[1] < 8


def test_ever_new_conversions_leave_nothing_behind(tries):
    def convert():
        amp.auto_mixed_precision(Net(), "O1")(BATCHES[0][0])

    for _ in range(3):
        convert()
    before = objects()
    for _ in range(tries(10, 300)):
        convert()
    assert objects() - before < 100
