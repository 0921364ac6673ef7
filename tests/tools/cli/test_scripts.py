"""``minispore run``: a script that imports mindspore runs as Python runs it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import minispore as ms
from minispore.__main__ import main
from minispore.dropin import compat


@pytest.fixture(autouse=True)
def process_as_it_was(monkeypatch, tmp_path):
    """The process's arguments, paths and modules are restored; the current folder is an empty one."""
    for name in ("argv", "path", "meta_path"):
        monkeypatch.setattr(sys, name, list(getattr(sys, name)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    before = set(sys.modules)
    compat.uninstall()
    yield
    compat.uninstall()
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("mindspore", "net", "package"):
            del sys.modules[name]


SCRIPT = """
import sys
import mindspore as ms
from mindspore import nn, ops
from mindspore.common import dtype as mstype
import net
print(__name__, sys.argv, net.VALUE, ms.Tensor(1, mstype.int32) + 1, nn.__name__)
"""


def test_a_script_has_its_name_arguments_and_folder(tmp_path, capsys):
    (tmp_path / "net.py").write_text("VALUE = 3\n")
    (tmp_path / "script.py").write_text(SCRIPT)
    assert main(["run", "script.py", "--epochs", "2", "-x"]) == 0
    assert capsys.readouterr().out == "__main__ ['script.py', '--epochs', '2', '-x'] 3 2 minispore.nn\n"


def test_a_module_runs_by_its_name(tmp_path, capsys):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "step.py").write_text("import mindspore, sys; print(__name__, __package__, sys.argv[1:])")
    assert main(["run", "-m", "package.step", "3"]) == 0
    assert capsys.readouterr().out == "__main__ package ['3']\n"


def test_an_error_has_the_scripts_own_traceback(tmp_path, capsys):
    (tmp_path / "script.py").write_text("def f():\n    raise KeyError(3)\n\nf()\n")
    assert main(["run", "script.py"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(", ")[1:] for line in lines if "File" in line] == [["line 4", "in <module>"], ["line 2", "in f"]]
    assert lines[-1] == "KeyError: 3"


def test_the_scripts_exit_code_is_the_commands(tmp_path):
    (tmp_path / "script.py").write_text("import sys; sys.exit(7)")
    with pytest.raises(SystemExit) as end:
        main(["run", "script.py"])
    assert end.value.code == 7


def test_an_interrupted_script_ends_as_one(tmp_path, capsys):
    (tmp_path / "script.py").write_text("raise KeyboardInterrupt")
    assert main(["run", "script.py"]) == 130
    assert "KeyboardInterrupt" in capsys.readouterr().err


@pytest.mark.parametrize(("argv", "words"), [(["a.py"], "no script 'a.py'"), (["-m", "x.y"], "no module 'x.y'")])
def test_what_is_not_there_is_refused_in_one_line(argv, words, capsys):
    with pytest.raises(SystemExit) as end:
        main(["run", *argv])
    assert end.value.code == 2 and f"there is {words}" in capsys.readouterr().err


def test_a_real_mindspore_is_used_unless_the_environment_asks(tmp_path, monkeypatch, capsys):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "mindspore.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path / "real")
    (tmp_path / "script.py").write_text("import mindspore; print(getattr(mindspore, '__version__', 'real'))")
    main(["run", "script.py"])
    found = capsys.readouterr()
    assert found.out == "real\n" and "MINISPORE_SHADOW=1" in found.err
    monkeypatch.setenv("MINISPORE_SHADOW", "1")
    main(["run", "script.py"])
    assert capsys.readouterr().out == "2.0.0\n"
    monkeypatch.setenv("MINISPORE_SHADOW", "yes")
    with pytest.raises(SystemExit):
        main(["run", "script.py"])


SPAWNING = """
import multiprocessing, subprocess, sys
import mindspore

def show(queue):
    from mindspore import nn
    queue.put((nn.__name__, sys.modules["mindspore"].__version__))

if __name__ == "__main__":
    spawned = multiprocessing.get_context("spawn")
    queue = spawned.Queue()
    process = spawned.Process(target=show, args=(queue,))
    process.start()
    print(*queue.get(timeout=300))
    process.join()
    code = "from mindspore import nn; import mindspore; print(nn.__name__, mindspore.__version__)"
    print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
"""


def test_processes_that_the_script_spawns_or_runs_find_minispore_too(tmp_path):
    (tmp_path / "script.py").write_text(SPAWNING)
    line = [sys.executable, "-m", "minispore", "run", "script.py"]
    environment = {**os.environ, "PYTHONPATH": str(Path(ms.__file__).parent.parent)}
    environment.pop("MINISPORE_SHADOW", None)
    done = subprocess.run(line, capture_output=True, text=True, env=environment)
    assert (done.stdout.split(), done.stderr) == (["minispore.nn", "2.0.0"] * 2, "")


LOSS_SCALE = """
import numpy as np
import mindspore as ms
from mindspore import nn
net, manager = nn.Dense(2, 1), ms.DynamicLossScaleManager(16.0, 2, 10)
optimizer = nn.SGD(net.trainable_params(), 0.1)
step = ms.amp.build_train_network(net, optimizer, nn.MSELoss(), level="O2", loss_scale_manager=manager)
print(len(step(ms.Tensor(np.ones((1, 2)), ms.float32), ms.Tensor(np.ones((1, 1)), ms.float32))))
"""


def test_loss_scaling_on_the_cpu_is_asked_for_by_a_switch(tmp_path, capsys, restored):
    (tmp_path / "script.py").write_text(LOSS_SCALE)
    assert main(["run", "script.py"]) == 1
    assert "as 'minispore run --cpu-loss-scale' does" in capsys.readouterr().err
    assert main(["run", "--cpu-loss-scale", "script.py"]) == 0
    assert capsys.readouterr().out == "3\n"


def test_numpys_refusal_of_an_array_with_an_axis_is_told_with_its_remedy(tmp_path, capsys):
    text = "only 0-dimensional arrays can be converted to Python scalars"
    (tmp_path / "script.py").write_text(f"raise TypeError('{text}')")
    assert main(["run", "script.py"]) == 1
    assert capsys.readouterr().err.count("minispore run: NumPy makes no number of an array with an axis any more") == 1
    (tmp_path / "script.py").write_text("raise TypeError('another')")
    assert main(["run", "script.py"]) == 1 and "minispore run" not in capsys.readouterr().err
