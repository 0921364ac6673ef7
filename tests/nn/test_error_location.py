"""An error inside a network tells the cell's path and the user's line, and leaves out the package's own frames."""

import copy
import inspect
import pickle
import sys
import traceback
from pathlib import Path

import pytest

import minispore as ms
from minispore import amp, nn, ops
from minispore.nn import slips
from minispore.ops.functional import gradients

HERE = Path(__file__)


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        y = x + 1
        return self.fc(y)  # the call in Block


class Net(nn.Cell):
    def __init__(self, reach=lambda net, x: net.block(x)):
        super().__init__()
        self.block = Block()
        self.layers = nn.CellList([Block(), Block()])
        self.seq = nn.SequentialCell(nn.ReLU(), Block())
        self.branches = {"left": [Block()]}
        self.reach = reach

    def construct(self, x):
        return self.reach(self, x)


class Plain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.block(self.relu(x)))


class Raising(nn.Cell):
    def __init__(self, error):
        super().__init__()
        self.error = error

    def construct(self, x):
        raise self.error  # the raise in Raising


def place(text):
    """The line of this file that ends with the comment ``text``, as notes name it."""
    number, line = next((i, row) for i, row in enumerate(HERE.read_text().splitlines(), 1) if row.endswith(f"# {text}"))
    return f"{__file__}:{number}: {line.strip()}"


def raised_by(function, *args):
    with pytest.raises(Exception) as raised:
        function(*args)
    return raised.value


def frames(error):
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


def is_inner(filename):
    return filename.startswith((str(Path(ms.__file__).parent), "<minispore replay>"))


FOLDS = pytest.mark.skipif(sys.version_info < (3, 11), reason="a bare raise goes on with the traceback that it caught")
WIDE = ms.Tensor([[1.0, 2.0, 3.0]])
PATHS = [
    (lambda net, x: net.block(x), "Net.block.fc"),
    (lambda net, x: net.layers[1](x), "Net.layers.1.fc"),
    (lambda net, x: net.seq(x), "Net.seq.1.fc"),
    (lambda net, x: net.branches["left"][0](x), "Net.branches['left'][0].fc"),
    (lambda net, x: net.block.fc(x), "Net.block.fc"),
    (lambda net, x: Block()(x), "Net->Block.fc"),
]


@pytest.mark.parametrize(("reach", "path"), PATHS, ids=[path for _, path in PATHS])
def test_the_note_has_the_path_from_the_outermost_cell(reach, path):
    error = raised_by(Net(reach), WIDE)
    assert len(error.__notes__) == 1
    assert error.__notes__[0].startswith(f"In the cell {path} (Dense), at {__file__}:")


def test_the_line_is_that_of_the_innermost_construct_of_the_users():
    assert raised_by(Net(), WIDE).__notes__ == [f"In the cell Net.block.fc (Dense), at {place('the call in Block')}"]


def test_an_error_of_the_users_own_keeps_its_type_its_arguments_and_its_text():
    own = KeyError("key", 3)
    error = raised_by(nn.SequentialCell(nn.ReLU(), Raising(own)), WIDE)
    assert error is own
    assert error.args == ("key", 3)
    assert str(error) == "('key', 3)"
    assert error.__notes__ == [f"In the cell SequentialCell.1 (Raising), at {place('the raise in Raising')}"]


def test_a_cell_that_is_called_alone_is_named_by_its_class():
    assert raised_by(nn.Dense(4, 2), WIDE).__notes__ == ["In the cell Dense"]


def test_notes_of_the_users_stay():
    own = ValueError("x")
    own.__notes__ = ["first"]
    error = raised_by(nn.SequentialCell(Raising(own)), WIDE)
    assert error.__notes__[0] == "first"
    assert len(error.__notes__) == 2


def graph_mode(net):
    ms.set_context(mode=ms.GRAPH_MODE)
    return net


NEEDS_GRAPH = pytest.mark.needs("graph")
SURROUNDINGS = [
    ("Plain", lambda net: net),
    pytest.param("Plain", graph_mode, marks=NEEDS_GRAPH),
    pytest.param("Plain", lambda net: ms.jit(net), marks=NEEDS_GRAPH),
    ("Plain", ms.grad),
    pytest.param("Plain", lambda net: ms.jit(ms.value_and_grad(lambda x: net(x))), marks=NEEDS_GRAPH),
    ("Plain", ops.GradOperation()),
    ("Plain", lambda net: amp.auto_mixed_precision(net, "O1")),
    ("_OutputTo32._backbone", lambda net: amp.auto_mixed_precision(net, "O2")),
    ("WithLossCell._backbone", lambda net: lambda x: nn.WithLossCell(net, nn.MSELoss())(x, x)),
]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize(("head", "around"), SURROUNDINGS)
def test_it_is_the_same_in_all_surroundings(head, around):
    error = raised_by(around(Plain()), WIDE)
    assert isinstance(error, ValueError)
    assert error.__notes__ == [f"In the cell {head}.block.fc (Dense), at {place('the call in Block')}"]


@FOLDS
def test_a_step_names_the_path_through_its_wrappers():
    net = Plain()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params()))
    error = raised_by(step, WIDE, WIDE)
    assert error.__notes__[0].startswith("In the cell TrainOneStepCell.network._backbone.block.fc (Dense), at ")
    assert not any(map(is_inner, frames(error)))


@FOLDS
@pytest.mark.parametrize(
    "around",
    [
        lambda net: net,
        pytest.param(lambda net: ms.jit(net), marks=NEEDS_GRAPH),
        lambda net: amp.auto_mixed_precision(net, "O1"),
    ],
)
def test_no_frame_of_the_package_is_in_the_traceback(around):
    error = raised_by(around(Plain()), WIDE)
    assert not any(map(is_inner, frames(error)))
    assert len(frames(error)) == 3  # the call, and the constructs of Plain and Block


@FOLDS
def test_a_gradient_shows_no_more_than_the_frame_of_the_call():
    error = raised_by(ms.grad(lambda x: ms.value_and_grad(Plain())(x)[0]), WIDE)
    assert [name for name in frames(error) if is_inner(name)] == [gradients.__file__] * 2
    assert error.__notes__ == [f"In the cell Plain.block.fc (Dense), at {place('the call in Block')}"]


@FOLDS
def test_an_error_that_is_no_sentence_of_the_package_keeps_the_last_frame():
    error = raised_by(nn.SequentialCell(nn.Dense(4, 4)))
    assert isinstance(error, TypeError)
    assert [is_inner(name) for name in frames(error)] == [False, True]


def test_all_frames_are_shown_on_request(monkeypatch):
    monkeypatch.setenv("MINISPORE_FULL_TRACEBACK", "1")
    error = raised_by(Net(), WIDE)
    assert sum(map(is_inner, frames(error))) > 4
    assert error.__notes__ == [f"In the cell Net.block.fc (Dense), at {place('the call in Block')}"]


def test_an_interrupt_passes_as_it_is():
    class Interrupted(nn.Cell):
        def construct(self, x):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as raised:
        nn.SequentialCell(Interrupted())(WIDE)
    assert not hasattr(raised.value, "__notes__")
    assert any(map(is_inner, frames(raised.value)))


def test_an_error_with_its_note_can_be_pickled_and_copied():
    error = raised_by(Net(), WIDE)
    for other in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(other) is ValueError
        assert other.args == error.args
        assert other.__notes__ == error.__notes__
    assert type(pickle.loads(pickle.dumps(error)).__notes__[0]) is str


def test_an_error_raised_from_another_keeps_its_cause():
    class Translating(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(4, 4)

        def construct(self, x):
            try:
                return self.fc(x)
            except ValueError as cause:
                raise KeyError("width") from cause

    error = raised_by(Translating(), WIDE)
    assert isinstance(error, KeyError)
    assert error.__notes__[0].startswith("In the cell Translating, at ")
    assert error.__cause__.__notes__ == ["In the cell Dense"]


def test_endless_recursion_is_told_as_python_tells_it():
    class Endless(nn.Cell):
        def construct(self, x):
            return self(x)

    error = raised_by(Endless(), WIDE)
    assert isinstance(error, RecursionError)


def test_an_error_that_the_network_catches_leaves_no_trace():
    class Catching(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(4, 4)

        def construct(self, x):
            try:
                return self.fc(x)
            except ValueError:
                return x

    assert Catching()(WIDE).shape == (1, 3)


# Layers speak in their own names

MISFITS = [
    (lambda: nn.BatchNorm1d(3)(ops.ones((2, 4))), ValueError, "For 'BatchNorm1d', axis 1 of 'x' .* 'num_features', 3"),
    (lambda: nn.LayerNorm((4,))(WIDE), ValueError, "For 'LayerNorm', the axes of 'x' from -1 on .* 'normalized_shape'"),
    (lambda: nn.LayerNorm((3,))([1.0]), TypeError, "For 'LayerNorm', the 'x' must be a Tensor, but got list"),
    (lambda: nn.Embedding(3, 2)([1]), TypeError, "For 'Embedding', the 'x' must be a Tensor of integers, but got list"),
    (lambda: nn.Conv2d(1, 1, 1)(None), TypeError, "For 'Conv2d', the 'x' must be a Tensor, but got NoneType"),
    (lambda: nn.PReLU()(2), TypeError, "For 'PReLU', the 'x' must be a Tensor, but got int"),
]


@pytest.mark.parametrize(("call", "kind", "message"), MISFITS)
def test_a_layer_whose_input_does_not_fit_is_named_itself(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_an_error_of_the_layer_that_is_not_of_its_input_stays():
    with pytest.raises(ValueError, match="For 'Conv2D', the kernel must fit"):
        nn.Conv2d(1, 1, 5, pad_mode="valid")(ops.ones((1, 1, 3, 3)))


def test_a_subclass_with_a_construct_of_its_own_is_not_judged_as_the_layer():
    class Turned(nn.Dense):
        def construct(self, x):
            raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        Turned(4, 2)(WIDE)


# Names of other frameworks

IN_NN = [
    (lambda: nn.Linear, "has no attribute 'Linear'. The name is nn.Dense."),
    (lambda: nn.Module, "The name is nn.Cell."),
    (lambda: nn.Sequential, "The name is nn.SequentialCell."),
    (lambda: nn.Dens, "Did you mean 'Dense'?"),
    (lambda: nn.Qqqqqq, "The module 'minispore.nn' has no attribute 'Qqqqqq'."),
]
SLIPS = [
    *(pytest.param(*case, marks=pytest.mark.needs("dropin")) for case in IN_NN),
    (lambda: WIDE.backward(), "ms.value_and_grad(forward, None, net.trainable_params())"),
    (lambda: WIDE.cuda(), 'ms.set_context(device_target="GPU")'),
    (lambda: WIDE.detach(), "Use ops.stop_gradient(x)."),
    (lambda: WIDE.requires_grad_(), "Use ms.Parameter(x)"),
    (lambda: ms.Parameter(1.0).backward(), "nn.TrainOneStepCell"),
    (lambda: Block().parameters(), "Use trainable_params() or get_parameters()."),
    (lambda: Block().fcc, "Did you mean 'fc'?"),
    (lambda: Block().eval(), "Use set_train(False)."),
    (lambda: nn.SGD(Block().trainable_params()).step(), "Call the optimizer itself: optimizer(gradients)"),
    (lambda: nn.SGD(Block().trainable_params()).zero_grad(), "Nothing is to be done"),
]


@pytest.mark.parametrize(("slip", "instead"), SLIPS)
def test_a_name_that_is_not_there_gets_the_remedy(slip, instead):
    with pytest.raises(AttributeError) as raised:
        slip()
    assert instead in str(raised.value)
    assert instead in str(pickle.loads(pickle.dumps(raised.value)))


@pytest.mark.parametrize("owner", [nn, WIDE, ms.Parameter(1.0), ms.Tensor, Block(), nn.SGD(Block().trainable_params())])
def test_what_is_not_there_is_still_not_there(owner):
    for name in ("Linear", "backward", "cuda", "step", "__nothing__"):
        assert not hasattr(owner, name)
        assert getattr(owner, name, 3) == 3


@pytest.mark.needs("dropin")
def test_no_remedy_hides_a_name_and_all_that_is_named_exists():
    for name, text in slips.SLIPS["minispore.nn"].items():
        assert name not in nn.__all__
        word = text.removeprefix("the name is ").partition(",")[0]
        *path, last = word.replace("minispore", "ms").split(".")
        assert hasattr(eval(".".join(path), {"ms": ms, "nn": nn}), last), text
    for name in slips.SLIPS["Cell"]:
        assert name not in dir(nn.Cell)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [({"lr": 0.1}, "'learning_rate'"), ({"weight_dcay": 0.1}, "'weight_decay'"), ({"qqqq": 1}, "one of .*'dampening'")],
)
def test_an_optimizers_argument_that_is_not_there_is_refused_by_the_one_that_is_meant(arguments, meant):
    with pytest.raises(
        TypeError, match=f"For 'SGD', the argument must be {meant}.*, but got '{next(iter(arguments))}'"
    ):
        nn.SGD(Block().trainable_params(), **arguments)


def test_an_optimizer_of_the_users_may_take_any_argument_and_shows_its_own_signature():
    class Mine(nn.SGD):
        def __init__(self, params, lr):
            super().__init__(params, lr)

    optimizer = Mine(Block().trainable_params(), lr=0.5)
    assert optimizer.get_lr() == 0.5
    assert next(iter(inspect.signature(nn.Optimizer).parameters)) == "learning_rate"
    assert copy.deepcopy(optimizer).get_lr() == pickle.loads(pickle.dumps(nn.SGD([ms.Parameter(1.0)], 0.5))).get_lr()


def test_a_cell_that_defines_forward_is_told_to_define_construct():
    class Torch(nn.Cell):
        def forward(self, x):
            return x

    with pytest.raises(AttributeError, match=r"'construct' is not defined\. Rename 'forward' to 'construct'"):
        Torch()(WIDE)
