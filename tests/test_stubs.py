"""A type checker knows the public names: by annotations where they are written, by stubs where they are made.

The stubs are made by a build, so that these tests make them too, into a copy of the package: what a user has.
"""

import ast
import functools
import importlib
import importlib.util
import inspect
import os
import re
import shutil
import subprocess
import sys
import textwrap
import types
from pathlib import Path

import numpy as np
import pytest
from conformance.cases.operations import keyed
from conformance.record import observe
from support.language_server import Client

import minispore as ms
from minispore import nn, ops
from minispore.dropin import addresses
from minispore.dropin.tensor_spellings import _Spellings
from minispore.nn.slips import Missing
from minispore.tools.cli import mindspore_stubs
from minispore.tools.testing.primitives.feeding import arrays_of, feed
from minispore.tools.testing.primitives.table import TABLE

CLONE = Path(__file__).parent.parent


def generator():
    """The package ``stubs`` of the clone, which no path leads to."""
    folder = CLONE / "stubs"
    spec = importlib.util.spec_from_file_location(
        "stubs", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    sys.modules["stubs"] = importlib.util.module_from_spec(spec)
    return [importlib.import_module(f"stubs.{name}") for name in ("places", "signatures", "stub")]


PLACES, SIGNATURES, STUB = generator()
MADE = functools.cache(STUB.stubs)  # several tests look at each


def addressed():
    """The modules that users import from: all addresses, and packages that the front door opens."""
    names = {*addresses.MODULES, *addresses.NAMES, *addresses.LAZY, "amp", "graph", "nn", "ops", "rewrite"}
    return sorted({*(f"minispore.{name}".rstrip(".") for name in names), *PLACES.moved()})


# Names, arguments and defaults, read from the stubs' text and from the package


def defined(body):
    """What a stub's or a class's body binds: name -> node; the getter of a property."""
    found = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.setdefault(node.name, node)
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = node
        elif isinstance(node, ast.Assign):
            found |= {target.id: node for target in node.targets}
    return found


def value_text(node):
    """A default as ``repr`` writes it; ``...`` stands for one that is no plain value."""
    return "..." if ast.unparse(node) == "..." else repr(ast.literal_eval(node))


def arguments(node):
    """``(kind, name, default)`` of a function in a stub."""
    a = node.args
    plain = [*a.posonlyargs, *a.args]
    defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
    yield from (("plain", p.arg, d and value_text(d)) for p, d in zip(plain, defaults, strict=True))
    yield from ([("rest", a.vararg.arg, None)] if a.vararg else [])
    yield from (("named", p.arg, d and value_text(d)) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True))
    yield from ([("others", a.kwarg.arg, None)] if a.kwarg else [])


KINDS = dict(zip(inspect._ParameterKind, ["plain", "plain", "rest", "named", "others"], strict=True))


def wanted_arguments(function):
    for p in inspect.signature(function).parameters.values():
        shown = None if p.default is p.empty else repr(p.default)
        yield KINDS[p.kind], p.name, shown


def agree(node, function, bound):
    """Whether a stub's function has a function's arguments; ``...`` stands for a default that is no plain value."""
    found, wanted = list(arguments(node))[bound:], list(wanted_arguments(function))[bound:]
    pairs = zip(found, wanted, strict=False)
    return len(found) == len(wanted) and all(f[:2] == w[:2] and f[2] in ("...", w[2]) for f, w in pairs)


def differing(place):
    """The functions of a place, and the methods of its classes, whose stubs have other arguments."""
    for name, node in defined(ast.parse(MADE()[place]).body).items():
        value = getattr(sys.modules[place], name, None)
        if isinstance(node, ast.FunctionDef) and not agree(node, value, bound=0):
            yield name
        elif isinstance(node, ast.ClassDef) and value is not None:
            yield from (f"{name}.{n}" for n, m in defined(node.body).items() if not method_agrees(value, n, m))


def method_agrees(cls, name, node):
    value = inspect.getattr_static(cls, name, None)
    if not isinstance(node, ast.FunctionDef) or isinstance(value, property):
        return True
    return agree(node, getattr(value, "__func__", value), bound=not isinstance(value, staticmethod))


@pytest.mark.parametrize("place", MADE())
def test_a_stub_has_the_arguments_and_defaults_of_the_code(place):
    assert list(differing(place)) == []


def test_tensor_has_in_its_stub_what_it_has():
    (cls,) = (n for n in ast.parse(MADE()[ms.Tensor.__module__]).body if isinstance(n, ast.ClassDef))
    members = {n for n, value in vars(ms.Tensor).items() if n[0] != "_" and not isinstance(value, Missing)}
    members -= {n for n, value in vars(_Spellings).items() if isinstance(value, (bool, int, type(None)))}  # no effect
    assert {n for n in defined(cls.body) if n[0] != "_"} == members and len(members) > 200


def test_a_module_has_a_stub_only_where_names_are_made_at_import():
    written = ["minispore.core.tape", "minispore.core.nest", "minispore.nn.cell_hooks"]
    assert not {*written, "minispore.nn.layer.conv_base", "minispore.ops.functional.reduce"} & MADE().keys()
    added_to = [f"minispore.{place}" for place in ("core.tensor", "core.parameter", "core.primitive", "nn.cell")]
    assert {*added_to, "minispore.ops", "minispore.common.initializer"} <= MADE().keys()


def without_docstrings(text):
    """The lines of a stub's text but those of docstrings, which editors show."""
    bodies = [node.body[0] for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    texts = [part for part in bodies if isinstance(part, ast.Expr) and isinstance(part.value.value, str)]
    left_out = {number for part in texts for number in range(part.lineno, part.end_lineno + 1)}
    return [line for number, line in enumerate(text.splitlines(), 1) if number not in left_out]


def lines_of(places):
    return [line for place in places for line in without_docstrings(MADE()[place])]


def test_the_stubs_are_short():
    lines = lines_of(MADE().keys() - PLACES.moved().keys())
    assert len(lines) <= 3783 and max(map(len, lines)) <= 400


def test_a_function_that_is_made_has_its_docstring_in_the_stub():
    node = defined(ast.parse(MADE()["minispore.ops.functional.math_unary"]).body)["exp"]
    assert ast.get_docstring(node) == inspect.getdoc(ops.exp) and "2.718282" in inspect.getdoc(ops.exp)
    (cls,) = (n for n in ast.parse(MADE()[ms.Tensor.__module__]).body if isinstance(n, ast.ClassDef))
    assert ast.get_docstring(defined(cls.body)["sum"]) == inspect.getdoc(ms.Tensor.sum)


def test_an_address_of_a_module_in_a_room_has_a_stub_that_hands_on_its_names():
    """A file of its own, of a heading and an import: these are as many as the addresses, whatever they hand on."""
    moved = PLACES.moved()
    assert moved["minispore.tensor"] == "minispore.core.tensor" and moved.keys() <= MADE().keys()
    assert {"minispore.dataset.engine.samplers", "minispore.testing.primitives.table"} <= moved.keys()
    defining = [place for place in moved if defined(ast.parse(MADE()[place]).body)]
    assert defining == [] and len(lines_of(moved)) <= 2.5 * len(moved)


# Answers


def answer_of(function):
    """What a function's line in a stub answers, or its definition."""
    return SIGNATURES.made_line("f", function, SIGNATURES.Names("minispore")).rpartition(" -> ")[2][: -len(": ...")]


def answer_of_call(cls):
    """What a call of a layer or primitive answers."""
    if issubclass(cls, nn.Cell):
        return "Any" if "__call__" in vars(cls) else answer_of(cls.construct)
    node, _ = SIGNATURES.declared_answer(cls)
    return ast.unparse(node) if node is not None else answer_of(cls.__call__)


def is_as_told(out, answer):
    kinds = {"Tensor": ms.Tensor, "Tensor | Any": ms.Tensor, "bool": bool, "int": int, "None": type(None)}
    if answer in ("tuple[Tensor, Tensor]", "tuple[Tensor, ...]"):
        lengths = isinstance(out, tuple) and (answer.endswith("...]") or len(out) == 2)
        return lengths and all(isinstance(x, ms.Tensor) for x in out)
    return answer not in kinds or isinstance(out, kinds[answer])


def test_primitives_answer_as_their_types_say():
    wrong = set()
    for line in TABLE:
        out = line(*feed(line, arrays_of(line, 0, np.float32)))
        if not is_as_told(out, answer_of_call(type(line.primitive))):
            wrong.add(line.primitive.name)
    assert wrong == set()


class Heard:
    """``ops`` or ``nn``, of which each call's answer is compared with what its type says."""

    def __init__(self, module, wrong):
        self.module, self.wrong = module, wrong

    def __getattr__(self, name):
        value = getattr(self.module, name)
        if isinstance(value, types.FunctionType) and name in ops.functional.__all__:
            return self.hearing(value, name, answer_of(value))
        if isinstance(value, type):
            is_called = issubclass(value, (nn.Cell, ops.Primitive))
            answer = answer_of_call(value) if is_called else "Any"
            return lambda *args, **named: self.hearing(value(*args, **named), name, answer)
        return value

    def hearing(self, function, name, answer):
        def call(*args, **named):
            out = function(*args, **named)
            if not is_as_told(out, answer):
                self.wrong.add((name, answer))
            return out

        return call if callable(function) else function


@pytest.mark.usefixtures("restored")
def test_functions_and_layers_answer_as_their_types_say():
    """On the rows of the comparison with MindSpore, which use every function and layer."""
    wrong = set()
    heard = types.SimpleNamespace(**{**vars(ms), "ops": Heard(ops, wrong), "nn": Heard(nn, wrong)})
    for row in keyed.keyed().values():
        for expression in row.expressions:
            observe.observe(heard, row, expression, row.draw(0)[0], grad=False)
    assert wrong == set()


# A type checker

GOOD = """
from collections.abc import Iterator

import numpy as np

import minispore as ms
from minispore import Parameter, Tensor, amp, nn, ops
from minispore.common.initializer import Normal
from minispore.nn.optim import Momentum


class Net(nn.Cell):
    def __init__(self, classes: int = 10) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, pad_mode="same", weight_init=Normal(0.02))
        self.bn = nn.BatchNorm2d(8)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.fc = nn.Dense(8 * 14 * 14, classes, activation="relu")
        self.scale = Parameter(Tensor(np.ones(1, np.float32)), name="scale")
        self.body = nn.SequentialCell([nn.Dense(3, 4), nn.ReLU()])

    def construct(self, x: Tensor) -> Tensor:
        x = self.relu(self.bn(self.conv(x)))
        x = ops.relu(self.pool(x)).reshape(x.shape[0], -1) * self.scale
        return ops.log_softmax(self.fc(x), axis=-1) + 1


def batches(count: int) -> Iterator[tuple[Tensor, Tensor]]:
    for _ in range(count):
        yield ops.ones((32, 1, 28, 28)), Tensor(np.zeros(32), ms.int32)


ms.set_seed(1)
ms.set_context(cpu_loss_scale=True)
net = Net()
rates = nn.cosine_decay_lr(0.0, 0.1, 10, 5, 2)
optimizer = Momentum(net.trainable_params(), learning_rate=rates, momentum=0.9)
groups = nn.Adam([{"params": net.trainable_params(), "lr": 0.1}], learning_rate=0.01)
loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
manager = amp.DynamicLossScaleManager(2**16, 2, 1000)
step = amp.build_train_network(net, optimizer, loss_fn, level="O2", loss_scale_manager=manager)
step.set_train()
for images, labels in batches(2):
    loss, overflow, scale = step(images, labels)
    print(float(loss), bool(overflow), scale.asnumpy().max())


def forward(x: Tensor) -> Tensor:
    return loss_fn(net(x), ops.zeros((32,), ms.int32))


value, gradients = ms.value_and_grad(forward, None, optimizer.parameters)(ops.ones((32, 1, 28, 28)))
print([g.shape for g in gradients], (1 - value).item(), -value > 0, value[None, ..., 0:1].dtype == ms.float32)
values, places = ops.top_k(ops.ones((2, 3)), 2)
print(values.asnumpy(), places.sum(), ops.MatMul(transpose_b=True)(values, values).shape)
for name, parameter in net.parameters_and_names():
    print(name, parameter.name, parameter.requires_grad, parameter.data.asnumpy())
ms.save_checkpoint(net, "net.ckpt")
missing = ms.load_param_into_net(net, ms.load_checkpoint("net.ckpt"))
net.set_train(False).to_float(ms.float16)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder with a copy of the package as a build makes it: its files, ``py.typed`` and the stubs."""
    folder = tmp_path_factory.mktemp("site")
    only = shutil.ignore_patterns("__pycache__", "*.pyi", "*.gz", "*.json", "*.cu")
    shutil.copytree(CLONE / "minispore", folder / "minispore", ignore=only)
    for place, text in MADE().items():
        path = folder / "minispore" / STUB.path_of(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture(scope="module")
def checked(package, tmp_path_factory):
    """A function that gives mypy's words about a script that stands in no clone."""
    pytest.importorskip("mypy", reason="mypy, of the extra 'dev', is not installed")
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "mypy.ini").write_text("[mypy]\n[mypy-minispore.*]\nignore_errors = True\n")  # as if installed

    def check(text):
        (folder / "script.py").write_text(textwrap.dedent(text))
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), "script.py"]
        environment = {"MYPYPATH": str(package), "PATH": ""}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        return done.stdout + done.stderr

    return check


@pytest.fixture(scope="module")
def pyright(package, tmp_path_factory):
    """The same of pyright, where there is one."""
    if shutil.which("pyright") is None:
        pytest.skip("pyright is not installed")
    folder = tmp_path_factory.mktemp("pyright")
    (folder / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{package}"], "reportMissingModuleSource": false}}')

    def check(text):
        (folder / "script.py").write_text(textwrap.dedent(text))
        done = subprocess.run(["pyright", "script.py"], cwd=folder, capture_output=True, text=True, timeout=300)
        return done.stdout

    return check


SHOWN = """
    import minispore as ms
    from minispore import amp, nn, ops

    x = ms.Tensor([1.0])
    net = nn.Dense(2, 3)
    step = amp.build_train_network(net, nn.Momentum(net.trainable_params(), 0.1, 0.9), nn.MSELoss())
    ops.softmax(x), ops.exp(x), x.sum(), x.max(), nn.Conv2d(1, 2, 3), ops.Softmax(), net.weight
"""
HOVERED = {  # word -> part of the text that an editor shows over it
    "ops.softmax": "[0.09003057 0.24472846 0.66524094]",
    "ops.exp": "[1.       2.718282 0.      ]",
    "x.sum": "10.0",
    "x.max": "[5. 3.] [1 0]",
    "nn.Conv2d": "2-D convolution",
    "ops.Softmax": "Probabilities along an axis",
    "net.weight": "weight: Parameter",
    "step": "TrainOneStepCell",
}


def test_an_editor_shows_docstrings_and_types(package, tmp_path):
    command = shutil.which("pyright-langserver")
    if command is None:
        pytest.skip("pyright is not installed")
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{package}"], "reportMissingModuleSource": false}}')
    server = Client([command, "--stdio"], tmp_path)
    shown = dict(zip(HOVERED, server.hover(textwrap.dedent(SHOWN), *HOVERED), strict=True))
    server.close()
    assert [word for word, part in HOVERED.items() if part not in shown[word]] == []


def names_at(place):
    """The names that users import from an address: those of a file that was not imported, by its text."""
    file = PLACES.moved().get(place)
    if file is not None and not PLACES.is_open(file):
        return sorted(PLACES.offered(file))
    importlib.import_module(place)  # another test may have imported the file by its own place
    return PLACES.public(place)


def every_path():
    """A script that imports every public name from every public address.

    Names of MindSpore's with an underscore are left out where the module itself is written by hand.
    """
    for number, place in enumerate(addressed()):
        names = [name for name in names_at(place) if name[0] != "_" or place in MADE()]
        yield from (f"from {place} import {name} as {name}_{number}" for name in names)


def test_every_public_path_is_known(checked):
    assert checked("\n".join(every_path())).startswith("Success")


def test_every_public_path_is_known_to_pyright(pyright):
    assert "0 errors" in pyright("\n".join(every_path()))


def test_a_training_script_with_types_is_right(checked):
    assert checked(GOOD).startswith("Success")


def test_a_training_script_with_types_is_right_for_pyright(pyright):
    assert "0 errors" in pyright(GOOD)


WRONG = {
    'nn.Dense("3", 4)': 'Argument 1 to "Dense" has incompatible type "str"; expected "int"',
    "nn.Dense(3)": 'Missing positional argument "out_channels"',
    "nn.Conv2d(1, 8, kernel=3)": 'Unexpected keyword argument "kernel"',
    "x.asnumpyy()": '"Tensor" has no attribute "asnumpyy"',
    "(1 + x).asnumpyy()": '"Tensor" has no attribute "asnumpyy"',
    "nn.Dense(3, 4)(x).asnumpyy()": '"Tensor" has no attribute "asnumpyy"',
    "nn.Dense(3, 4)(3)": 'has incompatible type "int"; expected "Tensor"',
    "ops.relu(x).asnumpyy()": '"Tensor | Any" has no attribute "asnumpyy"',
    "ops.exp(x).asnumpyy()": '"Tensor" has no attribute "asnumpyy"',
    "ops.reluu(x)": 'Module has no attribute "reluu"',
    "ops.matmul(x)": 'Missing positional argument "other"',
    "ops.mean(x, keepdims=True)": 'Unexpected keyword argument "keepdims"',
    "ms.Parameter(x, name=3)": 'Argument "name" to "Parameter" has incompatible type "int"',
    "ms.float31": 'Module has no attribute "float31"',
}
HEAD = "import minispore as ms\nfrom minispore import nn, ops\nx = ms.Tensor([1.0])\n"


def test_wrong_calls_are_errors(checked):
    lines = checked(HEAD + "\n".join(WRONG)).splitlines()
    for number, (call, words) in enumerate(WRONG.items(), 4):
        assert any(line.startswith(f"script.py:{number}:") and words in line for line in lines), (call, lines)


def test_wrong_calls_are_errors_for_pyright(pyright):
    said = pyright(HEAD + "\n".join(WRONG))
    assert [call for number, call in enumerate(WRONG, 4) if f"script.py:{number}:" not in said] == []


OWN = """
    import minispore as ms
    from minispore import Tensor, nn, ops
    from minispore.rewrite import SymbolTree


    class Pair(nn.Cell):
        def construct(self, x: Tensor, scale: float = 1.0) -> tuple[Tensor, Tensor]:
            return x * scale, x


    class Twice(ops.Primitive):
        def infer(self, x: ops.Spec) -> ops.Spec:
            return x


    x = ms.Tensor([1.0])
    left, right = Pair()(x, scale=2.0)
    reveal_type(Pair()(x))
    reveal_type(Twice()(x))
    reveal_type(nn.Dense(1, 2)(x))
    reveal_type(complex(x))
    reveal_type(ops.shape(x))
    reveal_type(ops.slogdet(x))
    reveal_type(SymbolTree.create(Pair()).get_network())
    reveal_type(Pair().set_train())
"""
REVEALED = """
    tuple[Tensor, Tensor]
    Tensor | Any
    Tensor
    complex
    tuple[int, ...]
    tuple[Tensor, Tensor]
    Cell
    Pair
"""


def revealed(said):
    """What a checker reveals, without the modules of the classes' names."""
    texts = re.findall(r'(?:Revealed type is|Type of ".*" is) "(.*)"', said)
    return [re.sub(r"(\w+\.)+(?=[A-Za-z])|builtins\.", "", text) for text in texts]


def test_a_call_of_an_own_cell_has_the_type_of_its_construct(checked):
    said = checked(OWN)
    assert revealed(said) == textwrap.dedent(REVEALED).split("\n")[1:-1] and "error" not in said


def test_a_call_of_an_own_cell_has_the_type_of_its_construct_for_pyright(pyright):
    said = pyright(OWN)
    assert revealed(said) == textwrap.dedent(REVEALED).split("\n")[1:-1]


def test_the_stubs_themselves_are_right(package):
    """But for what a class makes of its base's, and ``==``, which answers a Tensor where Python's answers a bool."""
    pytest.importorskip("mypy", reason="mypy, of the extra 'dev', is not installed")
    paths = sorted(str(path.relative_to(package)) for path in package.rglob("*.pyi"))
    options = ["--follow-imports=silent", "--disable-error-code=override", f"--cache-dir={os.devnull}"]
    command = [sys.executable, "-m", "mypy", *options, *paths]
    done = subprocess.run(command, cwd=package, capture_output=True, text=True, timeout=300)
    assert done.stdout.startswith("Success"), done.stdout


MINDSPORE = """
    import mindspore as ms
    import mindspore.nn as nn
    from mindspore import Tensor, ops
    from mindspore.common import dtype as mstype
    from mindspore.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell

    ms.set_context(mode=ms.GRAPH_MODE)
    reveal_type(ms.nn.Dense(2, 3))
    reveal_type(ops.relu(Tensor([1.0], mstype.float32)))
    nn.Nothing
"""


def test_a_script_of_mindspore_has_the_types_of_minispore(checked, package):
    """``minispore stubs`` writes a package that checkers look for among installed ones; on a path it has no suffix."""
    made = package / "made"
    if not made.exists():
        mindspore_stubs.write_stubs(made)
        (made / "mindspore-stubs").rename(package / "mindspore")
    said = checked(MINDSPORE)
    assert '"minispore.nn.layer.dense.Dense"' in said and '"minispore.core.tensor.Tensor | Any"' in said
    assert said.count("error:") == 1 and 'no attribute "Nothing"' in said
