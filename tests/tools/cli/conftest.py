"""A folder of few images in idx files, and the command run on it."""

import struct
import sys
from functools import partial

import numpy as np
import pytest

from minispore.__main__ import main
from minispore.dataset import embedded_fashion_mnist
from minispore.tools.cli import command
from minispore.tools.cli.data import load_images
from minispore.tools.cli.networks import NETWORKS, ResNet20

TRAIN, TEST = 80, 40


def _write_idx(path, array):
    header = struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
    path.write_bytes(header + np.ascontiguousarray(array).tobytes())


@pytest.fixture
def write_idx():
    """``write_idx(path, array)``: write bytes in the idx format."""
    return _write_idx


@pytest.fixture(scope="session")
def few_images(tmp_path_factory):
    folder = tmp_path_factory.mktemp("few_images")
    for part, (images, labels), count in zip(("train", "t10k"), embedded_fashion_mnist(), (TRAIN, TEST), strict=True):
        _write_idx(folder / f"{part}-images-idx3-ubyte", images[:count])
        _write_idx(folder / f"{part}-labels-idx1-ubyte", labels[:count])
    return folder


@pytest.fixture(scope="session")
def images(few_images):
    return load_images(few_images)


@pytest.fixture
def train(few_images, restored, monkeypatch):
    """``train("--level O0", out)``: the command on the few images, in batches of 32; returns the exit code.

    The picture, which takes longer than the training, is drawn only with ``picture=True``.
    """

    def run(options, out, picture=False):
        few = f"--data-dir {few_images} --batch-size 32"
        with monkeypatch.context() as patched:
            if not picture:
                patched.setattr(command, "draw", lambda results, path: True)
            return main(["train", *few.split(), *options.split(), "--out", str(out)])

    return run


@pytest.fixture
def narrow_resnet20(monkeypatch):
    """Have ResNet-20 a quarter of its channels: all its layers, in a sixteenth of the time."""
    monkeypatch.setitem(NETWORKS, "resnet20", partial(ResNet20, width=4))


@pytest.fixture
def refused(train, capsys):
    """``refused("--level O9", out)``: the one sentence with which the command refuses, before any training."""

    def run(options, out):
        with pytest.raises(SystemExit) as end:
            train(options, out)
        captured = capsys.readouterr()
        assert end.value.code == 2
        assert captured.out == ""
        assert captured.err.startswith("minispore") and captured.err.count("\n") == 1
        return captured.err

    return run


@pytest.fixture
def no_matplotlib(monkeypatch):
    """Have every import of matplotlib fail, as where it is not installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
