"""What ``minispore train`` refuses: one sentence, exit code 2, and nothing trained or written."""

import gzip
import os
import shutil

import numpy as np
import pytest

from minispore import Parameter, load_checkpoint, save_checkpoint
from minispore.__main__ import main
from minispore.core import context, seeds
from minispore.tools.cli.networks import NETWORKS


@pytest.mark.parametrize(
    "options, words",
    [
        ("--net alexnet", ["--net", "alexnet", *NETWORKS]),
        ("--level O4", ["--level", "O4", "O0", "O3"]),
        ("--epochs 0", ["--epochs", "at least 1", "'0'"]),
        ("--epochs two", ["--epochs", "at least 1", "'two'"]),
        ("--batch-size -3", ["--batch-size"]),
        ("--lr 0", ["--lr", "above 0", "'0'"]),
        ("--lr nan", ["--lr", "above 0", "'nan'"]),
        ("--lr 1e300", ["--lr", "float32", "'1e300'"]),
        ("--lr 1e-300", ["--lr", "float32", "'1e-300'"]),
        ("--device tpu", ["--device", "tpu", "cpu", "gpu"]),
        ("--seed -1", ["--seed"]),
        ("--seed 1.5", ["--seed", "at least 0", "'1.5'"]),
        ("--loss-scale 0.5", ["--loss-scale", "none, dynamic or a number of at least 1", "'0.5'"]),
        ("--loss-scale 1e300", ["--loss-scale", "float32", "'1e300'"]),
        ("--loss-scale much", ["--loss-scale", "none, dynamic or a number of at least 1", "'much'"]),
        ("--colour red", ["--colour"]),
        ("--epoch 3", ["--epoch"]),
    ],
)
def test_a_wrong_option_is_named_with_what_is_right(options, words, refused, tmp_path):
    sentence = refused(options, tmp_path / "out")
    assert all(word in sentence for word in words), sentence
    assert not (tmp_path / "out").exists()


def test_a_missing_gpu_is_told_with_what_is_missing(refused, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install" in refused("--device gpu", tmp_path / "out")


@pytest.fixture
def broken(few_images, tmp_path):
    """A copy of the folder of images, to be broken."""
    return shutil.copytree(few_images, tmp_path / "broken")


def test_a_missing_folder_of_data_is_named(refused, tmp_path):
    assert f"'{tmp_path / 'nowhere'}'" in refused(f"--data-dir {tmp_path / 'nowhere'}", tmp_path / "out")


@pytest.mark.parametrize("name", ["train-images-idx3-ubyte", "t10k-labels-idx1-ubyte"])
def test_a_missing_file_of_data_is_named(name, broken, refused, tmp_path):
    (broken / name).unlink()
    assert name in refused(f"--data-dir {broken}", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["train-images-idx3-ubyte", "t10k-labels-idx1-ubyte"])
@pytest.mark.parametrize("compressed", [False, True])
def test_a_truncated_file_of_data_is_named(name, compressed, broken, refused, tmp_path):
    data = (broken / name).read_bytes()
    (broken / name).write_bytes(gzip.compress(data)[:-5] if compressed else data[:-5])
    assert name in refused(f"--data-dir {broken}", tmp_path / "out")


def test_a_file_of_another_format_is_named(broken, refused, tmp_path):
    (broken / "train-labels-idx1-ubyte").write_bytes(b"hello, this is a text\n")
    assert "idx file" in refused(f"--data-dir {broken}", tmp_path / "out")


def test_an_output_that_is_a_file_is_refused(refused, tmp_path):
    (tmp_path / "out").write_text("mine")
    assert "--out" in refused("", tmp_path / "out")
    assert "--out" in refused("", tmp_path / "out" / "under")
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_an_output_that_may_not_be_written_is_refused(refused, tmp_path):
    tmp_path.chmod(0o500)
    assert "--out" in refused("", tmp_path / "out")
    assert "--out" in refused("", tmp_path)


def test_an_output_file_that_is_a_folder_is_refused(refused, tmp_path):
    (tmp_path / "results.json").mkdir()
    assert "results.json" in refused("", tmp_path)


def test_resuming_without_a_checkpoint_is_refused(refused, tmp_path):
    assert "--resume" in refused("--resume", tmp_path)


@pytest.mark.parametrize(
    "change, option",
    [
        ("--lr 0.5", "--lr"),
        ("--seed 9", "--seed"),
        ("--net lenet5", "--net"),
        ("--batch-size 8", "--batch-size"),
        ("--loss-scale 8", "--loss-scale"),
    ],
)
def test_resuming_with_another_option_is_refused_by_its_name(change, option, train, refused, tmp_path, capsys):
    train("--net mlp --level O0 --epochs 1", tmp_path)
    capsys.readouterr()
    before = (tmp_path / "O0.ckpt").read_bytes()
    sentence = refused(f"--net mlp --level O0 --epochs 2 --resume {change}", tmp_path)
    assert f"'{option}'" in sentence
    assert (tmp_path / "O0.ckpt").read_bytes() == before


def test_resuming_to_fewer_epochs_than_are_done_is_refused(train, refused, tmp_path, capsys):
    train("--net mlp --level O0 --epochs 2", tmp_path)
    capsys.readouterr()
    assert "'--epochs' must be at least 2" in refused("--net mlp --level O0 --epochs 1 --resume", tmp_path)


def test_resuming_with_other_images_is_refused(train, refused, tmp_path, broken, capsys):
    train("--net mlp --level O0 --epochs 1", tmp_path)
    capsys.readouterr()
    path = broken / "train-labels-idx1-ubyte"
    data = bytearray(path.read_bytes())
    data[-1] = (data[-1] + 1) % 10
    path.write_bytes(data)
    assert "--data-dir" in refused(f"--net mlp --level O0 --epochs 2 --resume --data-dir {broken}", tmp_path)


def test_resuming_with_other_test_images_is_refused(train, refused, tmp_path, broken, capsys):
    train("--net mlp --level O0 --epochs 1", tmp_path)
    capsys.readouterr()
    path = broken / "t10k-images-idx3-ubyte"
    path.write_bytes(path.read_bytes()[:-1] + b"\7")
    assert "--data-dir" in refused(f"--net mlp --level O0 --epochs 2 --resume --data-dir {broken}", tmp_path)


def test_a_batch_larger_than_the_images_is_refused(refused, tmp_path):
    assert "'--batch-size' must be at most 80" in refused("--batch-size 81", tmp_path / "out")


def tensor(values, kind=np.float64):
    return Parameter(np.array(values, kind), name="x")


@pytest.fixture(scope="module")
def trained(few_images, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    few = f"--data-dir {few_images} --batch-size 32 --net mlp --level O2 --epochs 1 --out {folder}"
    before = seeds.seed.value, dict(context.settings)
    main(["train", *few.split()])
    seeds.seed.value = before[0]
    context.settings.update(before[1])
    return folder / "O2.ckpt"


@pytest.mark.parametrize(
    "change",
    [
        *[{"settings": text} for text in (tensor(3), "[]", "null", "hello", "[" * 100_000, None)],
        *[{"draws": draws} for draws in (None, "7", tensor(-1, np.int64), tensor(2.5), tensor([1, 2], np.int64))],
        *[{"course.losses": losses} for losses in (None, "x", tensor(1.0), tensor([[1.0]]), tensor([]))],
        *[{"course.losses": tensor(losses)} for losses in ([1.0] * 2, [1.0] * 7)],
        *[{"course.accuracies": tensor(accuracies)} for accuracies in (0.5, [0.5] * 99, [1.5], [np.nan])],
        *[{"course.scales": tensor(scales)} for scales in ([2.0], [-1.0] * 3)],
        *[{"course.seconds": tensor(seconds)} for seconds in ([np.nan], [], [1.0] * 3)],
    ],
    ids=lambda change: f"{next(iter(change))}: {str(next(iter(change.values())))[:20]}",
)
def test_a_checkpoint_of_another_making_is_refused(change, trained, refused, tmp_path, capsys):
    items = {**load_checkpoint(trained), **change}
    texts = {name: value for name, value in items.items() if isinstance(value, str)}
    arrays = [{"name": name, "data": value} for name, value in items.items() if isinstance(value, Parameter)]
    save_checkpoint(arrays, tmp_path / "O2.ckpt", append_dict=texts)
    sentence = refused("--net mlp --level O2 --epochs 2 --resume", tmp_path)
    assert f"must be a checkpoint of 'minispore train', but got other '{next(iter(change)).split('.')[0]}'" in sentence


def test_resuming_from_a_truncated_or_foreign_checkpoint_is_refused(train, refused, tmp_path, capsys):
    train("--net mlp --level O0 --epochs 1", tmp_path)
    capsys.readouterr()
    path = tmp_path / "O0.ckpt"
    whole = path.read_bytes()
    for data in (whole[:-100], b"", b"not a checkpoint at all"):
        path.write_bytes(data)
        assert "O0.ckpt" in refused("--net mlp --level O0 --epochs 2 --resume", tmp_path)
