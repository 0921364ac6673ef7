"""The forms in IPython: registered where it runs, for every class in the table, and for no other."""

import importlib
import subprocess
import sys

import pytest

import minispore as ms
from minispore.tools import notebook
from minispore.tools.notebook.registration import FORMS


class Formatter:
    """IPython's formatter of HTML, as far as a registration uses it."""

    def __init__(self):
        self.forms = {}

    def for_type_by_name(self, module, name, form):
        self.forms[module, name] = form


class Shell:
    """A shell of IPython, as far as a registration uses it."""

    def __init__(self):
        self.formatter = Formatter()
        self.display_formatter = self
        self.formatters = {"text/html": self.formatter}


@pytest.mark.parametrize("path", FORMS)
def test_a_class_of_the_table_exists_under_its_name(path):
    module, name = path.split(":")
    kind = getattr(importlib.import_module(module), name)
    assert (kind.__module__, kind.__qualname__) == (module, name)  # by which IPython looks it up


def test_a_shell_gets_every_form():
    shell = Shell()
    assert notebook.register(shell)
    assert {":".join(key) for key in shell.formatter.forms} == FORMS.keys()
    assert "float32" in shell.formatter.forms["minispore.core.tensor", "Tensor"](ms.Tensor(1.0))


def test_an_extension_registers_with_its_shell():
    shell = Shell()
    notebook.load_ipython_extension(shell)
    assert shell.formatter.forms


def test_no_class_has_the_method_of_another_library():
    assert not hasattr(ms.Tensor, "_repr_html_") and not hasattr(ms.nn.Cell, "_repr_html_")


def test_an_instance_without_a_form_is_refused():
    with pytest.raises(TypeError, match=r"For 'notebook.html', .* but got list"):
        notebook.html([])


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_nothing_of_it_is_loaded_without_ipython():
    code = "import sys, minispore\nprint([m for m in sys.modules if 'tools.notebook' in m or m == 'IPython'])"
    assert run(code).strip() == "[]"


SESSION = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import minispore as ms")
for code in ("ms.Tensor([[1.0, 2.0]])", "ms.nn.ReLU()", "ms.nn.MAE()", "ms.amp.DynamicLossScaleManager()", "[1]"):
    data, _ = shell.display_formatter.format(eval(code, shell.user_ns))
    print(sorted(data), "object at" in data["text/plain"])
"""


def test_ipython_shows_both_forms():
    pytest.importorskip("IPython")
    both = "['text/html', 'text/plain'] False"
    assert run(SESSION).splitlines() == [*[both] * 4, "['text/plain'] False"]


LATER = """
import minispore as ms
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for line in ("", "load_ext minispore.tools.notebook"):
    if line:
        shell.run_line_magic(*line.split())
    print(sorted(shell.display_formatter.format(ms.Tensor(1.0))[0]))
"""


def test_an_ipython_that_starts_later_loads_the_extension():
    pytest.importorskip("IPython")
    assert run(LATER).splitlines() == ["['text/plain']", "['text/html', 'text/plain']"]
