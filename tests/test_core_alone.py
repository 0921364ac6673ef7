"""The five rooms above the line work alone: a copy of the package without the others trains, and passes its tests.

LeNet-5 trains there at every level. Of the tests of the five rooms one in eight run there. All of them::

    ALONE_SHARE=1 python -m pytest tests/test_core_alone.py -k own_tests

The conformance kit comes along as a tool of these tests, which draw networks and primitives with it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_rooms import ABOVE, BELOW, ROOT

from minispore.data.dataset.fashion_mnist import embedded_fashion_mnist

TESTS = Path(__file__).parent

PROGRAM = """
import json
import sys

import numpy as np

import minispore as ms
from minispore import amp, nn, ops


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5), nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.pool, self.flatten = nn.MaxPool2d(2, 2), nn.Flatten()
        self.dense1, self.dense2, self.dense3 = nn.Dense(400, 120), nn.Dense(120, 84), nn.Dense(84, 10)

    def construct(self, x):
        x = self.pool(ops.relu(self.conv1(x)))
        x = self.flatten(self.pool(ops.relu(self.conv2(x))))
        return self.dense3(ops.relu(self.dense2(ops.relu(self.dense1(x)))))


ms.set_context(cpu_loss_scale=True)
ms.set_seed(1)
data = np.load(sys.argv[1])
net = LeNet5()
loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
manager = amp.DynamicLossScaleManager(2.0**24, 2, 1000)
step = amp.build_train_network(net, optimizer, loss_fn, level=sys.argv[2], loss_scale_manager=manager)
losses, skipped = [], 0
for turn in range(100):
    part = slice(turn % 10 * 32, turn % 10 * 32 + 32)
    loss, overflow, scale = step(ms.Tensor(data["images"][part]), ms.Tensor(data["labels"][part]))
    losses.append(float(loss))
    skipped += bool(overflow)
rooms = sorted({name.split(".")[1] for name in sys.modules if name.startswith("minispore.")})
print(json.dumps([losses, skipped, float(scale), rooms]))
"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    leave_out = shutil.ignore_patterns("__pycache__", "*.pyi")
    shutil.copytree(ROOT, folder / "minispore", ignore=leave_out)
    for room in BELOW:
        shutil.rmtree(folder / "minispore" / room)
    (images, labels), _ = embedded_fashion_mnist()
    images, labels = images[:320, None].astype(np.float32) / 255, labels[:320].astype(np.int32)
    (folder / "train.py").write_text(PROGRAM)
    np.savez(folder / "data.npz", images=images, labels=labels)
    return folder


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
def test_lenet_trains_where_the_other_rooms_are_taken_away(alone, level):
    command = [sys.executable, "train.py", "data.npz", level]
    environment = {**os.environ, "PYTHONPATH": str(alone)}
    done = subprocess.run(command, cwd=alone, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    losses, skipped, scale, rooms = json.loads(done.stdout)
    assert rooms == ["amp", "core", "nn", "ops", "rewrite"]
    assert np.mean(losses[-10:]) < 0.8 * np.mean(losses[:10])
    assert (skipped > 0) == (level in ("O1", "O2", "O3")), "the first scales are beyond float16"
    assert scale == 2.0 ** (24 - skipped)


@pytest.fixture(scope="module")
def with_tests(alone):
    """The copy with the tests of its rooms, what they share, and the kit."""
    tools, leave_out = Path("minispore", "tools"), shutil.ignore_patterns("__pycache__", "*.pyi", "build")
    shutil.copytree(ROOT / "tools" / "testing", alone / tools / "testing", ignore=leave_out)
    shutil.copy(ROOT / "tools" / "hopeless_skips.py", alone / tools)  # has a mark that the kit sets
    for name in (*ABOVE, "support", "cpucuda"):
        shutil.copytree(TESTS / name, alone / "tests" / name, ignore=leave_out)
    shutil.copy(TESTS / "conftest.py", alone / "tests")
    shutil.copy(TESTS.parent / "setup.cfg", alone)
    return alone


def test_the_five_rooms_pass_their_own_tests_alone(with_tests):
    share = os.environ.get("ALONE_SHARE", "8")
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "--tb=short", "--share", share]
    environment = {**os.environ, "PYTHONPATH": str(with_tests), "CPUCUDA": "off"}
    folders = [f"tests/{room}" for room in ABOVE]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *folders],
        cwd=with_tests,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    passed, _, _ = done.stdout.splitlines()[-1].partition(" passed")
    assert int(passed.split()[-1]) > 7000 / int(share)


def test_what_it_leaves_out_is_there_in_the_package():
    assert [room for room in BELOW if not (Path(ROOT) / room / "__init__.py").exists()] == []
