"""Advice: the argument that was meant is told where an error ends a program; the package's frames are not."""

import subprocess
import sys

import pytest

SLIPS = [
    ("ops.softmax(x, dim=1)", "For 'softmax', the argument must be 'axis', but got 'dim'."),
    ("ops.mean(x, dim=1)", "For 'mean', the argument must be 'axis', but got 'dim'."),
    ("x.softmax(dim=1)", "For 'softmax', the argument must be 'axis', but got 'dim'."),
    ("nn.Conv2d(3, 4, kernel=3)", "For 'Conv2d', the argument must be 'kernel_size', but got 'kernel'."),
    (
        "nn.Dense(in_features=3, out_features=4)",
        "For 'Dense', the argument must be 'in_channels', but got 'in_features'.",
    ),
    ("nn.ReLU(slope=1)", "For 'ReLU', there must be no argument, but got 'slope'."),
    (
        "amp.build_train_network(nn.Dense(2, 2), optimiser=None)",
        "For 'build_train_network', the argument must be 'optimizer', but got 'optimiser'.",
    ),
    ("nn.Dense(2, 3, colour=3)", "For 'Dense', the arguments must be among ['in_channels', "),
    ("x.size()", "The size of a Tensor is an attribute: write '.size' without parentheses."),
    ("x.shape()", "The shape of a Tensor is an attribute: write '.shape' without parentheses."),
]
PROGRAM = "import minispore as ms\nfrom minispore import amp, nn, ops\n\nx = ms.Tensor([[1.0, 2.0]])\n"


def shown(tmp_path, lines):
    """The last lines that a program writes as an error ends it."""
    file = tmp_path / "program.py"
    file.write_text(PROGRAM + lines)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
    assert done.returncode == 1
    return done.stderr


EACH = """
for call in CALLS:
    try:
        eval(compile(call, "<calls>", "eval"))
    except TypeError as error:
        linecache.cache["<calls>"] = (len(call), None, [call], "<calls>")
        print(advice_on(error))
"""


@pytest.fixture(scope="module")
def advised():
    """The advice on each slip, by one process."""
    head = f"{PROGRAM}import linecache\nfrom minispore.tools.advice import advice_on\nCALLS = {[c for c, _ in SLIPS]}\n"
    done = subprocess.run([sys.executable, "-c", head + EACH], capture_output=True, text=True, check=True)
    return dict(zip([call for call, _ in SLIPS], done.stdout.splitlines(), strict=True))


@pytest.mark.parametrize(("call", "sentence"), SLIPS, ids=[call for call, _ in SLIPS])
def test_the_argument_that_was_meant_is_named(advised, call, sentence):
    assert advised[call].startswith(sentence)


def test_a_program_that_ends_shows_the_advice_below_pythons_error(tmp_path):
    last, advice = shown(tmp_path, "ops.softmax(x, dim=1)\n").splitlines()[-2:]
    assert last == "TypeError: softmax() got an unexpected keyword argument 'dim'"
    assert advice == "For 'softmax', the argument must be 'axis', but got 'dim'."


def test_an_error_of_the_package_shows_the_users_line_alone(tmp_path):
    text = shown(tmp_path, "nn.Conv2d(-1, 2, 3)\n")
    assert text.count("File ") == 1 and "program.py" in text
    assert text.splitlines()[-1] == "ValueError: For 'Conv2d', the 'in_channels' must be above 0, but got -1."


def test_the_conversion_of_a_class_typed_at_a_prompt_is_refused_in_a_sentence():
    typed = "import minispore as ms\nclass Net(ms.nn.Cell):\n    def construct(self, x):\n        return x\n\n"
    typed += 'ms.amp.auto_mixed_precision(Net(), "O1")\n'
    done = subprocess.run([sys.executable, "-i", "-q"], input=typed, capture_output=True, text=True)
    assert done.stderr.count("File ") == 1 and "must have source that can be read" in done.stderr


def test_users_own_functions_are_left_to_python(tmp_path):
    assert shown(tmp_path, "def mine(a):\n    return a\n\nmine(b=1)\n").splitlines()[-1].startswith("TypeError: mine()")


def test_a_hook_of_the_users_is_called_with_the_advice(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(
        f"import sys\nsys.excepthook = lambda kind, error, trace: print(error.__notes__)\n{PROGRAM}x.size()\n"
    )
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
    assert "write '.size'" in done.stdout
