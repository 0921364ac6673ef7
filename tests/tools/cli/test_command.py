"""``minispore train`` from end to end, on few images."""

import contextlib
import errno
import json
import os
import re
import signal
import sys

import numpy as np
import pytest

import minispore as ms
from minispore import load_checkpoint
from minispore.__main__ import main
from minispore.core.errors import escaped
from minispore.tools.cli.networks import LeNet5
from minispore.tools.cli.progress import Progress
from minispore.tools.cli.skipped_steps import SkippedSteps
from minispore.tools.cli.training import Training


def parameters_of(path):
    """All that a checkpoint holds but how long it took, as arrays and texts."""
    found = load_checkpoint(path)
    return {
        name: value if isinstance(value, str) else value.asnumpy()
        for name, value in found.items()
        if name != "course.seconds"
    }


def assert_same_checkpoints(whole, parts):
    """Raise unless every checkpoint of a folder stands in another too, bit for bit."""
    for path in whole.glob("*.ckpt"):
        expected, got = parameters_of(path), parameters_of(parts / path.name)
        assert list(expected) == list(got)
        for name, value in expected.items():
            np.testing.assert_array_equal(value, got[name], err_msg=name)


def test_one_run_trains_all_levels_and_leaves_table_numbers_picture_and_checkpoints(train, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    out = tmp_path / "deep" / "out"
    assert train("--epochs 1", out, picture=True) == 0
    captured = capsys.readouterr()
    lines = captured.out.split("\n")
    assert lines[0].split() == ["level", "cells", "test", "accuracy", "seconds", "skipped", "steps", "loss", "scale"]
    assert [line.split()[0] for line in lines[1:] if line.startswith("O")] == ["O0", "O1", "O2", "O3"]
    assert [line.split()[-1] == "-" for line in lines if line.startswith("O")] == [True, True, False, True]
    assert sorted(path.name for path in out.iterdir()) == sorted(
        ["O0.ckpt", "O1.ckpt", "O2.ckpt", "O3.ckpt", "curves.png", "results.json"]
    )
    levels = json.loads((out / "results.json").read_text())["levels"]
    assert list(levels) == ["O0", "O1", "O2", "O3"]
    assert all(len(numbers["losses"]) == 3 for numbers in levels.values())  # 80 images in batches of 32
    assert levels["O2"]["skipped_steps"] == 3 and levels["O2"]["final_loss_scale"] == 2.0**21
    assert levels["O0"]["cells"] == {"float32": {"Conv2d": 2, "ReLU": 4, "MaxPool2d": 2, "Flatten": 1, "Dense": 3}}


@pytest.fixture
def colored(tmp_path):
    """A folder of images of 20x16 pixels, in two colors."""
    pillow = pytest.importorskip("PIL.Image")
    folder = tmp_path / "images"
    for name, color in {"blue": (0, 0, 250), "red": (250, 0, 0)}.items():
        (folder / name).mkdir(parents=True)
        for i in range(12):
            pillow.new("RGB", (16, 20), color).save(folder / name / f"{i:02}.png")
    return folder


def test_colored_images_of_a_size_train_and_resume_with_the_same_options_alone(colored, tmp_path, capsys, restored):
    pytest.importorskip("PIL.Image")
    out = tmp_path / "out"
    common = ["train", "--data-dir", str(colored), "--batch-size", "8", "--out", str(out), "--level", "O2"]
    asked = ["--color", "--image-size", "20x16"]
    assert main([*common, *asked, "--epochs", "1"]) == 0
    options = json.loads((out / "results.json").read_text())["options"]
    assert (options["color"], options["image_size"]) == (True, [20, 16])
    assert "grey" not in capsys.readouterr().err
    assert main([*common, *asked, "--epochs", "2", "--resume"]) == 0
    for other, sentence in (("--color", "'--image-size' must be '20x16'"), ("--image-size=20x16", "'--color' must be")):
        with pytest.raises(SystemExit) as error:
            main([*common, other, "--resume"])
        assert error.value.code == 2 and sentence in capsys.readouterr().err


OF_COLORS = """
from minispore import nn, ops


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 10, 3)

    def construct(self, x):
        return ops.mean(self.conv(x), (2, 3))
"""


def test_a_network_for_colors_on_grey_images_ends_in_a_line_that_names_the_option(colored, tmp_path, capsys, restored):
    (tmp_path / "net.py").write_text(OF_COLORS)
    common = ["train", "--data-dir", str(colored), "--batch-size", "8", "--level", "O0", "--epochs", "1"]
    common += ["--out", str(tmp_path / "out"), "--net", f"{tmp_path / 'net.py'}:Net"]
    assert main(common) == 1
    grey, line = capsys.readouterr().err.strip().splitlines()
    assert grey == "The images are read as grey ones of 28x28 pixels; --image-size and --color keep more."
    assert "In the cell" in line and "shape (1, 28, 28) (channels, height, width), which '--color'" in line
    assert main([*common, "--color", "--overwrite"]) == 0


def test_auto_trains_by_operation_with_a_dynamic_scale(train, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert train("--net mlp --level auto --level O0 --epochs 1", tmp_path, picture=True) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("auto"))
    assert "auto(float16):" in row and not row.endswith("-")
    levels = json.loads((tmp_path / "results.json").read_text())["levels"]
    assert list(levels) == ["auto", "O0"] and levels["auto"]["final_loss_scale"]
    assert levels["auto"]["cells"] == {"auto(float16)": {"Flatten": 1, "Dense": 3, "ReLU": 2}}


def test_away_from_a_terminal_progress_is_one_line_an_epoch(train, tmp_path, capsys):
    train("--net mlp --level O0 --epochs 2", tmp_path)
    first, second = capsys.readouterr().err.strip().split("\n")
    assert first.startswith("O0 epoch 1/2: loss ") and second.startswith("O0 epoch 2/2: loss ")


def test_the_first_three_skipped_steps_of_a_level_are_explained_and_change_nothing(
    train, tmp_path, capsys, monkeypatch
):
    train("--level O2 --epochs 2", tmp_path / "told")
    lines = [line for line in capsys.readouterr().err.split("\n") if "skipped" in line]
    assert [line.split(":")[0] for line in lines] == [f"O2 step {n} was skipped" for n in (1, 2, 3)]
    for line, exponent in zip(lines, (24, 23, 22), strict=True):
        assert f"The loss scale 2**{exponent} ({2**exponent}) is too high" in line
    assert [line.endswith("Later skipped steps are counted in the table.") for line in lines] == [False, False, True]
    monkeypatch.setattr(SkippedSteps, "note", lambda *arguments: None)
    train("--level O2 --epochs 2", tmp_path / "silent")
    told, silent = (parameters_of(tmp_path / name / "O2.ckpt") for name in ("told", "silent"))
    assert json.loads((tmp_path / "told" / "results.json").read_text())["levels"]["O2"]["skipped_steps"] > 3
    assert told.keys() == silent.keys()
    assert all(np.array_equal(told[name], silent[name]) for name in told)


def test_on_a_terminal_progress_is_a_bar(train, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    train("--net mlp --level O0 --epochs 1", tmp_path)
    assert "3/3" in capsys.readouterr().err


@pytest.mark.parametrize("scale, last", [("none", "-"), ("dynamic", "2.09715e+06"), ("512", "512")])
def test_the_loss_scale_option_names_the_manager_of_every_level(scale, last, train, tmp_path, capsys):
    train(f"--net mlp --level O2 --epochs 1 --loss-scale {scale}", tmp_path)
    assert capsys.readouterr().out.split("\n")[1].split()[-1] == last


def test_a_level_that_is_named_twice_is_trained_once_in_the_order_named(train, tmp_path):
    train("--net mlp --epochs 1 --level O3 --level O0 --level O3", tmp_path)
    assert list(json.loads((tmp_path / "results.json").read_text())["levels"]) == ["O3", "O0"]


def test_without_matplotlib_the_run_ends_normally_and_names_the_install_line(train, tmp_path, capsys, no_matplotlib):
    assert train("--net mlp --level O0 --epochs 1", tmp_path, picture=True) == 0
    assert 'pip install "matplotlib>=' in capsys.readouterr().out
    assert not (tmp_path / "curves.png").exists() and (tmp_path / "results.json").exists()


@pytest.mark.parametrize(
    "options",
    [
        "--net lenet5 --level O0 --level O1",
        "--net lenet5 --level O2 --level O3",
        "--net resnet20 --level O2 --loss-scale dynamic --batch-size 40",
        "--net lstm --level O1 --loss-scale 64",
        "--net mlp --level O3",
    ],
)
def test_a_resumed_run_equals_a_whole_one_bit_for_bit(options, train, tmp_path, capsys, narrow_resnet20, monkeypatch):
    monkeypatch.setattr("minispore.cli.skipped_steps.explain_overflow", lambda *step, scale: None)  # it takes long
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(f"{options} --epochs 3", whole)
    train(f"{options} --epochs 1", parts)
    train(f"{options} --epochs 3 --resume", parts)
    assert_same_checkpoints(whole, parts)
    expected, got = (json.loads((folder / "results.json").read_text())["levels"] for folder in (whole, parts))
    for level in expected:
        assert {**expected[level], "seconds": 0} == {**got[level], "seconds": 0}


def test_resuming_trains_a_level_that_was_not_begun_and_leaves_one_that_is_done(train, tmp_path, capsys):
    train("--net mlp --level O0 --epochs 1", tmp_path)
    before = (tmp_path / "O0.ckpt").read_bytes()
    capsys.readouterr()
    train("--net mlp --level O0 --level O3 --epochs 1 --resume", tmp_path)
    assert [line.split(":")[0] for line in capsys.readouterr().err.strip().split("\n")] == ["O3 epoch 1/1"]
    assert (tmp_path / "O0.ckpt").read_bytes() == before


@pytest.mark.parametrize("number", [1, 3, 4, 6])
def test_ctrl_c_keeps_the_steps_that_are_done_and_the_resumed_run_equals_a_whole_one(
    number, train, tmp_path, capsys, monkeypatch
):
    options, whole, parts = "--net mlp --level O0 --level O3 --epochs 2", tmp_path / "whole", tmp_path / "parts"
    train(options, whole)
    steps = []

    def step_and_interrupt(self, result):
        steps.append(result)
        if len(steps) == number:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Progress, "step", step_and_interrupt)
        assert train(options, parts) == 130 and len(steps) == number
    assert len(load_checkpoint(parts / "O0.ckpt")["course.losses"]) == number
    assert "--resume goes on" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert train(f"{options} --resume", parts) == 0
    assert_same_checkpoints(whole, parts)


def test_a_second_ctrl_c_ends_at_once_and_the_run_can_be_resumed(train, tmp_path, monkeypatch):
    def interrupt_twice(*_):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Progress, "step", interrupt_twice)
        assert train("--net mlp --level O0 --epochs 1", tmp_path) == 130
    assert train("--net mlp --level O0 --epochs 1 --resume", tmp_path) == 0


def test_a_full_disk_ends_the_run_with_a_sentence(train, tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("minispore.cli.training.Training._save", full)
    assert train("--net mlp --level O0 --epochs 1", tmp_path) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "No space left on device" in error
    assert f"nothing is saved in '{tmp_path}' yet: the same command begins anew" in error
    assert "--resume" not in error
    monkeypatch.undo()
    assert train("--net mlp --level O0 --epochs 1", tmp_path) == 0


def test_a_disk_that_is_full_after_an_epoch_ends_the_run_with_what_is_saved(train, tmp_path, capsys, monkeypatch):
    save, saved = Training._save, []

    def full(training):
        if saved:
            raise OSError(errno.ENOSPC, "No space left on device")
        saved.append(save(training))

    monkeypatch.setattr(Training, "_save", full)
    assert train("--net mlp --level O0 --epochs 2", tmp_path) == 1
    assert f"the same command with --resume goes on from what is saved in '{tmp_path}'" in capsys.readouterr().err
    monkeypatch.undo()
    assert train("--net mlp --level O0 --epochs 2 --resume", tmp_path) == 0


def is_shown(text):
    """Whether a terminal shows all of a text."""
    return "\x1b" not in text and "\x07" not in text and "\u202e" not in text


@pytest.mark.parametrize("name", ["\x1b]0;PWNED\x07", "\x1b[2J", "\u202efdp", "\x9b31m", "a\udcffb"])
def test_names_of_files_reach_no_terminal_as_orders(name, train, tmp_path, capsys):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "net.py").write_text(
        "from minispore import nn\n\ndef net():\n    return nn.SequentialCell(nn.Flatten(), nn.Dense(784, 10))\n"
    )
    (folder / "script.py").write_text("import mindspore.nothing_here\nx =\n")
    calls = [
        ["explain", f"{folder}/net.py:net"],
        ["explain", f"{folder}/none.py:net"],
        ["explain", f"{folder}/net.py:{name}"],
        ["check", str(folder)],
        ["check", f"{folder}/none"],
        ["convert", f"{folder}/none.ckpt", f"{folder}/b.ckpt"],
        ["convert", f"{folder}/net.py", f"{folder}/b.{name}"],
        ["run", f"{folder}/none.py"],
        [name],
    ]
    for call in calls:
        with contextlib.suppress(SystemExit):
            main(call)
    with contextlib.suppress(SystemExit):
        train(f"--net {folder}/net.py:net --level O2 --epochs 1", folder / "out")
    captured = capsys.readouterr()
    assert is_shown(captured.out) and is_shown(captured.err)
    assert escaped(name) in captured.out and escaped(name) in captured.err
    (captured.out + captured.err).encode()


def test_the_bar_shows_loss_and_scale(train, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    train("--net mlp --level O2 --epochs 1 --loss-scale 512", tmp_path)
    assert re.search(r"loss \d\.\d{4}, scale 512", capsys.readouterr().err)


def test_a_scale_that_stands_while_every_step_is_skipped_is_told_once(train, tmp_path, capsys):
    train("--net mlp --level O2 --epochs 5 --loss-scale 1e38", tmp_path)
    error = capsys.readouterr().err
    assert error.count("WARNING") == 1 and "the loss scale stands at 1e+38; try a lower --loss-scale" in error


def test_a_folder_of_the_same_run_is_trained_anew_and_one_of_another_only_if_told(train, refused, tmp_path, capsys):
    for options in ("--net mlp --level O0 --epochs 1", "--net mlp --level O3 --epochs 1"):
        assert train(options, tmp_path) == 0
    capsys.readouterr()
    before = (tmp_path / "O0.ckpt").read_bytes()
    sentence = refused("--net mlp --level O0 --epochs 1 --lr 0.5", tmp_path)
    assert "--overwrite" in sentence and "'--lr' must be 0.02" in sentence
    assert (tmp_path / "O0.ckpt").read_bytes() == before
    assert train("--net mlp --level O0 --epochs 1 --lr 0.5 --overwrite", tmp_path) == 0


OWN = """
from minispore import nn


class Own(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flatten, self.fc = nn.Flatten(), nn.Dense(784, 10)

    def construct(self, x):
        return self.fc(self.flatten(x))


number = int
"""


def test_a_network_of_the_users_is_trained_at_every_level_and_resumed(train, refused, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "own.py").write_text(OWN)
    own, out = f"--net {tmp_path / 'own.py'}", tmp_path / "out"
    assert train(f"{own}:Own --epochs 1", out) == 0
    assert train(f"{own}:Own --epochs 2 --level O1 --resume", out) == 0
    levels = json.loads((out / "results.json").read_text())["levels"]
    assert levels["O1"]["cells"] == {"float16": {"Dense": 1}, "float32": {"Flatten": 1}}
    capsys.readouterr()
    assert "must name a Cell's class" in refused(f"{own}:number", tmp_path / "other")
    assert "must define 'Missing'" in refused(f"{own}:Missing", tmp_path / "other")


def test_an_interrupted_run_says_how_to_go_on(train, tmp_path, capsys, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("minispore.cli.training.accuracy", interrupt)
    assert train("--net mlp --level O0 --epochs 1", tmp_path) == 130
    assert "--resume" in capsys.readouterr().err


def test_a_checkpoint_loads_into_a_network_of_the_users(train, tmp_path):
    train("--level O2 --epochs 1", tmp_path)
    network = LeNet5()
    missing, extra = ms.load_param_into_net(network, load_checkpoint(tmp_path / "O2.ckpt"))
    assert missing == [] and "scale_sense" in extra
