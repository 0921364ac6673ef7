"""The stubs say what the package has, and a type checker that reads them knows right scripts from wrong ones."""

import ast
import functools
import importlib.util
import inspect
import os
import subprocess
import sys
import textwrap
import types
from pathlib import Path

import numpy as np
import pytest
from conformance.cases.operations import keyed
from conformance.record import observe

import minispore as ms
from minispore import nn, ops
from minispore.testing.primitives.feeding import arrays_of, feed
from minispore.testing.primitives.table import TABLE

CLONE = Path(__file__).parent.parent


def make_stubs():
    spec = importlib.util.spec_from_file_location("make_stubs", CLONE / "docs" / "make_stubs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MADE = make_stubs()
MADE.stub = functools.cache(MADE.stub)  # several tests look at each


def test_the_stubs_are_what_the_code_gives():
    found = {path: path.read_text() for path in (CLONE / "minispore").rglob("*.pyi")}
    wanted = {CLONE / "minispore" / path.relative_to(MADE.ROOT): text for path, text in MADE.stubs().items()}
    assert found.keys() == wanted.keys() and [p for p in found if found[p] != wanted[p]] == [], (
        "run python docs/make_stubs.py"
    )


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
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname: node for alias in node.names if alias.asname}
    return found


def arguments(node):
    """``(kind, name, default)`` of a function in a stub."""
    a = node.args
    plain = [*a.posonlyargs, *a.args]
    defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
    yield from (("plain", p.arg, d and ast.unparse(d)) for p, d in zip(plain, defaults, strict=True))
    yield from ([("rest", a.vararg.arg, None)] if a.vararg else [])
    yield from (("named", p.arg, d and ast.unparse(d)) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True))
    yield from ([("others", a.kwarg.arg, None)] if a.kwarg else [])


KINDS = dict(zip(inspect._ParameterKind, ["plain", "plain", "rest", "named", "others"], strict=True))


def wanted_arguments(function):
    for p in inspect.signature(function).parameters.values():
        shown = None if p.default is p.empty else repr(p.default)
        yield KINDS[p.kind], p.name, shown


def agree(node, function, bound):
    """Whether a stub's function has a function's arguments; ``...`` stands for a default that is no plain value."""
    found, wanted = list(arguments(node)), list(wanted_arguments(function))
    if bound:
        found, wanted = found[1:], wanted[1:]
    plain = [
        f if f == (kind, name, "...") and shown not in ("None", "True", "False") else (kind, name, shown)
        for f, (kind, name, shown) in zip(found, wanted, strict=False)
    ]
    return len(found) == len(wanted) and found == plain


def differing(place):
    """The functions of a place, and the methods of its classes, whose stubs have other arguments."""
    for name, node in defined(ast.parse(MADE.stub(place)).body).items():
        value = getattr(MADE.MODULES[place], name, None)
        if isinstance(node, ast.FunctionDef) and not agree(node, value, bound=False):
            yield name
        elif isinstance(node, ast.ClassDef):
            yield from (f"{name}.{n}" for n, m in defined(node.body).items() if not method_agrees(value, n, m))


def method_agrees(cls, name, node):
    value = inspect.getattr_static(cls, name, None)
    if not isinstance(node, ast.FunctionDef) or isinstance(value, property):
        return True
    values = [value, inspect.getattr_static(cls, "construct", value)] if name == "__call__" else [value]
    functions = [getattr(v, "__func__", v) for v in values]
    if isinstance(value, staticmethod):
        return agree(node, functions[0], bound=False)
    return any(agree(node, MADE.behind(function), bound=True) for function in functions)


@pytest.mark.parametrize("place", MADE.MODULES)
def test_a_stub_has_every_public_name_and_none_beside(place):
    bound = {n for n in defined(ast.parse(MADE.stub(place)).body) if n not in ("__all__", "_DType")}
    assert bound == MADE.public(place).keys()


@pytest.mark.parametrize("place", MADE.MODULES)
def test_a_stub_has_the_arguments_and_defaults_of_the_code(place):
    assert list(differing(place)) == []


def test_tensor_has_in_its_stub_what_it_has():
    (cls,) = (n for n in ast.parse(MADE.stub("minispore.tensor")).body if isinstance(n, ast.ClassDef))
    members = {n for n in vars(ms.Tensor) if n[0] != "_"}
    assert {n for n in defined(cls.body) if n[0] != "_"} == members and len(members) > 200


def test_what_init_assigns_is_found_on_the_instance():
    dense = nn.Dense(3, 4)
    (cls,) = (n for n in ast.parse(MADE.stub("minispore.nn")).body if getattr(n, "name", "") == "Dense")
    assert {n for n in defined(cls.body) if not hasattr(dense, n)} == set()
    assert {"weight", "bias", "in_channels"} <= defined(cls.body).keys()


# Answers


def is_as_told(out, answer):
    if answer in (MADE.PAIR, MADE.SEVERAL):
        lengths = isinstance(out, tuple) and (answer == MADE.SEVERAL or len(out) == 2)
        return lengths and all(isinstance(x, ms.Tensor) for x in out)
    return answer == "Any" or isinstance(out, ms.Tensor)


def test_primitives_answer_as_their_stubs_say():
    wrong = set()
    for line in TABLE:
        out = line(*feed(line, arrays_of(line, 0, np.float32)))
        if not is_as_told(out, MADE.call_answer(type(line.primitive))):
            wrong.add(line.primitive.name)
    assert wrong == set()


class Heard:
    """``ops`` or ``nn``, of which each call's answer is compared with what the stub says."""

    def __init__(self, module, wrong):
        self.module, self.wrong = module, wrong

    def __getattr__(self, name):
        value = getattr(self.module, name)
        if isinstance(value, types.FunctionType) and name in ops.functional.__all__:
            return self.hearing(value, name, MADE.function_answer(name))
        if isinstance(value, type):
            return lambda *args, **named: self.hearing(value(*args, **named), name, MADE.call_answer(value))
        return value

    def hearing(self, function, name, answer):
        def call(*args, **named):
            out = function(*args, **named)
            if not is_as_told(out, answer):
                self.wrong.add((name, answer))
            return out

        return call if callable(function) else function


@pytest.mark.usefixtures("restored")
def test_functions_and_layers_answer_as_their_stubs_say():
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
def checked(tmp_path_factory):
    """A function that gives mypy's words about a script that stands in no clone."""
    pytest.importorskip("mypy", reason="mypy, of the extra 'dev', is not installed")
    folder = tmp_path_factory.mktemp("scripts")

    def check(text):
        (folder / "script.py").write_text(textwrap.dedent(text))
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), "script.py"]
        environment = {"MYPYPATH": str(CLONE), "PATH": ""}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        return done.stdout + done.stderr

    return check


def test_a_training_script_with_types_is_right(checked):
    assert checked(GOOD).startswith("Success")


WRONG = {
    'nn.Dense("3", 4)': 'Argument 1 to "Dense" has incompatible type "str"; expected "int"',
    "nn.Dense(3)": 'Missing positional argument "out_channels"',
    "nn.Conv2d(1, 8, kernel=3)": 'Unexpected keyword argument "kernel"',
    "x.asnumpyy()": '"Tensor" has no attribute "asnumpyy"',
    "(1 + x).asnumpyy()": '"Tensor" has no attribute "asnumpyy"',
    "nn.Dense(3, 4)(x).asnumpyy()": '"Tensor" has no attribute "asnumpyy"',
    "ops.relu(x).asnumpyy()": '"Tensor" has no attribute "asnumpyy"',
    "ops.exp(x).asnumpyy()": '"Tensor" has no attribute "asnumpyy"',
    "ops.reluu(x)": 'Module has no attribute "reluu"',
    "ops.matmul(x)": 'Missing positional argument "other"',
    "ops.mean(x, keepdims=True)": 'Unexpected keyword argument "keepdims"',
    "ms.Parameter(x, name=3)": 'Argument "name" to "Parameter" has incompatible type "int"',
    "ms.float31": 'Module has no attribute "float31"',
}


def test_wrong_calls_are_errors(checked):
    head = "import minispore as ms\nfrom minispore import nn, ops\nx = ms.Tensor([1.0])\n"
    lines = checked(head + "\n".join(WRONG)).splitlines()
    for number, (call, words) in enumerate(WRONG.items(), 4):
        assert any(line.startswith(f"script.py:{number}:") and words in line for line in lines), (call, lines)


def test_the_stubs_themselves_are_right(checked):
    """But for ``==``, which answers a Tensor where Python's objects answer a bool."""
    paths = sorted(str(path.relative_to(CLONE)) for path in (CLONE / "minispore").rglob("*.pyi"))
    options = ["--follow-imports=silent", "--disable-error-code=override", f"--cache-dir={os.devnull}"]
    command = [sys.executable, "-m", "mypy", *options, *paths]
    done = subprocess.run(command, cwd=CLONE, capture_output=True, text=True, timeout=300)
    assert done.stdout.startswith("Success"), done.stdout
