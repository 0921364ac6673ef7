"""A wrong kind of argument, in each place of each public callable: a sentence that names the operation, and no more."""

import contextlib
import inspect
import io
import signal
import warnings
from functools import cache, reduce

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.public_callables import CALLABLES, NOT_DRAWN, ROOMS, Net, taken_arguments
from support.wrong_calls import WRONG, is_a_function, is_documented, is_told, is_warned

import minispore as ms
from minispore import amp, nn, ops
from minispore.common import initializer
from minispore.core import context
from minispore.core import nest as nest_of
from minispore.dataset import NumpySlicesDataset, read_idx
from minispore.ops.operations.summary import listening
from minispore.parallel.settings import parallel_settings
from minispore.rewrite import PatternNode, ScopedValue, SymbolTree, ValueType, check

SECONDS = 60  # of the processor's time, which other processes do not take from it; what takes longer hangs


@contextlib.contextmanager
def _limited():
    """Fail what computes without end; hide what callables print. Gives the warnings, as a list that grows."""

    def ring(*_):
        pytest.fail(f"it computed for {SECONDS} seconds")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            yield given
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture
def in_a_folder(tmp_path, monkeypatch):
    """Let callables write their files into a folder of their own, and leave no record of summaries open."""
    monkeypatch.chdir(tmp_path)
    yield
    for record in list(listening):
        record.close()


@contextlib.contextmanager
def _settings_kept():
    """Take back what a call sets rightly."""
    before, device = dict(context.settings), (ms.backend.xp, ms.backend.register)
    parallel = dict(parallel_settings)
    try:
        yield before
    finally:
        context.settings.update(before)
        parallel_settings.update(parallel)
        ms.backend.use(device[0])
        ms.backend.register = device[1]


@cache
def _arguments(name):
    """The function that makes arguments which a callable takes, and how many it makes."""
    make = taken_arguments(name)
    return make, len(make(CALLABLES[name].make()))


def _options(parameters):
    return [p.name for p in parameters if p.kind is not p.VAR_KEYWORD and p.default is not p.empty]


def test_every_public_room_is_drawn_and_what_is_left_out_exists():
    assert {name for name in ms.__all__ if inspect.ismodule(getattr(ms, name))} <= set(ROOMS)
    assert set(NOT_DRAWN) <= {f"{label}.{name}" for label, room in ROOMS.items() for name in room.__all__}


# Made once: there are thousands of names
NAMES, KINDS = st.sampled_from(sorted(CALLABLES)), st.sampled_from(sorted(WRONG))


@settings(max_examples=60 * settings.default.max_examples)
@given(name=NAMES, kind=KINDS, data=st.data())
def test_a_wrong_kind_ends_in_a_sentence_or_is_taken_for_a_reason(restored, in_a_folder, name, kind, data):
    call, parameters, make_owner = CALLABLES[name]
    with _settings_kept(), _limited():
        make, count = _arguments(name)
    places = [*range(count), *_options(parameters)]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    with _settings_kept() as before, _limited() as warned:
        owner = make_owner()
        values, keywords = list(make(owner)), {}
        (keywords if isinstance(place, str) else values)[place] = WRONG[kind]()
        argument = place if isinstance(place, str) else parameters[min(place, len(parameters) - 1)].name
        if is_a_function(name, argument, kind):
            return
        try:
            call(owner, *values, **keywords)
        except Exception as error:
            assert is_told(error), f"{name}, argument {place}: {type(error).__name__}: {error}"
            assert context.settings == before
        else:
            told = is_warned(warned, argument) or is_documented(name, argument, kind)
            assert told, f"{name} takes {kind} as '{argument}'"


CLASSES = sorted(
    f"{room}.{name}"
    for room in ("nn", "ops")
    for name, kind in vars(getattr(ms, room)).items()
    if isinstance(kind, type) and name in getattr(ms, room).__all__
)
GIVEN = {
    **{
        f"zeros{shape}": lambda s=shape: ops.zeros(s)
        for shape in ((), (0,), (1,), (2, 0), (2, 2), (2, 3), (1, 2, 4, 4))
    },
    "ints": lambda: ops.ones((2, 3), ms.int32),
    "a Parameter": lambda: ms.Parameter(np.ones((2, 3), np.float32), name="p"),
    "numbers": lambda: {1},
    "a list of Tensors": lambda: [ONES],
    "a pair": lambda: (2, 3),
    **{kind: WRONG[kind] for kind in ("a set", "a primitive", "a str", "None", "a dict", "a function")},
}
INPUTS = st.lists(st.sampled_from(sorted(GIVEN)), max_size=6)


@settings(max_examples=30 * settings.default.max_examples)
@given(name=st.sampled_from(CLASSES), options=st.lists(st.sampled_from(sorted(GIVEN)), max_size=2), inputs=INPUTS)
@example(name="ops.Partial", options=["a pair"], inputs=[])
@example(name="nn.Metric", options=["a pair"], inputs=[])
@example(name="nn.EvaluationBase", options=["a str"], inputs=[])
@example(name="ops.RNNStep", options=[], inputs=["zeros(2, 0)"])
@example(name="ops.LSTMStep", options=[], inputs=["zeros(2, 0)"])
@example(name="ops.GRUStep", options=[], inputs=["zeros(2, 3)", "a set", "ints", "ints"])
@example(name="ops.ApplyAdagrad", options=[], inputs=[])
@example(name="ops.ApplyAdagrad", options=[], inputs=["a Parameter"])
@example(name="nn.L1Loss", options=[], inputs=["a set", "a primitive"])
@example(name="ops.Print", options=[], inputs=["a str"])
@example(name="ops.ArgMinWithValue", options=[], inputs=["zeros(0,)"])
def test_drawn_inputs_of_any_number_and_kind_end_in_a_sentence(restored, in_a_folder, name, options, inputs):
    room, _, kind = name.partition(".")
    with _settings_kept(), _limited():
        try:
            made = getattr(getattr(ms, room), kind)(*(GIVEN[option]() for option in options))
            if callable(made):
                made(*(GIVEN[each]() for each in inputs))
        except Exception as error:
            assert is_told(error), f"{type(error).__name__}: {error}"


def test_a_call_without_a_number_names_the_primitive_not_a_method():
    for call in (lambda: ops.ApplyAdagrad()(), lambda: ops.RNNStep()(), lambda: nn.Metric(), lambda: ops.Partial(3)):
        with pytest.raises(TypeError) as found:
            call()
        assert "infer" not in str(found.value)
        assert "adapt" not in str(found.value)


ONES = ops.ones((2, 3))


@pytest.mark.parametrize("cut", [ops.hsplit, ops.vsplit, lambda x, n: ops.tensor_split(x, n, 1)])
def test_a_tensor_is_not_cut_into_billions_of_pieces(cut):
    with _limited(), pytest.raises(ValueError, match="For 'tensor_split', the 'indices_or_sections' must be in"):
        cut(ONES, 2**31)
    assert len(cut(ONES, 5)) == 5


@pytest.mark.parametrize("layer", [nn.Dense(3, 3), nn.Conv1d(1, 2, 3), nn.BatchNorm2d(3), nn.MaxPool2d(), nn.Flatten()])
@pytest.mark.parametrize("x", ["a text", None, [1.0], int])
def test_a_layer_is_told_apart_from_its_input_that_is_no_tensor(layer, x):
    with pytest.raises(TypeError, match=f"For '{type(layer).__name__}', the 'x' must be a Tensor, but got"):
        layer(x)


def test_an_attribute_that_a_users_own_code_lacks_is_told_as_python_tells_it():
    class Network(nn.Cell):
        def construct(self, x):
            return x.nothing

    with pytest.raises(AttributeError, match="nothing"):
        nn.SequentialCell(Network())("x")


@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (lambda: ops.BatchNorm(epsilon=set()), "epsilon"),
        (lambda: ops.MatMul(transpose_a="x"), "transpose_a"),
        (lambda: ops.Stack(axis=1j), "axis"),
        (lambda: ops.Mul(3), "name"),
        (lambda: ops.ReduceSum(keep_dims=1), "keep_dims"),
        (lambda: nn.Softmax(slice(None)), "axis"),
        (lambda: nn.HuberLoss(delta=nn.ReLU()), "delta"),
        (lambda: nn.GELU(approximate=int), "approximate"),
        (lambda: nn.Upsample(mode=int), "mode"),
        (lambda: nn.Softsign(flags=3), "flags"),
        (lambda: ops.topk(ONES, 1, 0, "yes"), "largest"),
        (lambda: ops.reduce_sum(ONES, 0, []), "keep_dims"),
        (lambda: ONES.rot90({}, (0, 1)), "k"),
    ],
)
def test_an_argument_of_a_wrong_kind_is_refused_by_its_name(make, argument):
    with pytest.raises(TypeError, match=rf"(?s)^For '\w+', the '{argument}' must be .*, but got .*\."):
        make()


@pytest.mark.parametrize("make", [ops.RNNSequence, ops.RNNSequenceGrad])
@pytest.mark.parametrize("nonlinearity", [None, "sine", ["tanh"], np.ones(2)])
def test_a_recurrence_has_one_of_two_nonlinearities(make, nonlinearity):
    with pytest.raises((TypeError, ValueError), match=r"the 'nonlinearity' must be (one of .*'relu'\]|a str), but got"):
        make(nonlinearity=nonlinearity)


def test_an_array_is_no_number_of_epochs():
    with pytest.raises(TypeError, match="For 'BackupAndRestore', the 'save_freq' must be an int, but got"):
        ms.train.BackupAndRestore("backups", save_freq=np.ones(2))


def test_an_error_says_how_much_memory_an_operation_asked_for():
    with pytest.raises(MemoryError, match=r"For 'Zeros', the output must fit into memory, but got: .*allocate"):
        ops.zeros((2**50,))
    with pytest.raises(MemoryError, match=r"For 'initializer', the output must fit into memory, but got: .*allocate"):
        nn.LayerNorm((2**50,))
    with pytest.raises(ValueError, match=r"the 'shape' must be of fewer than 2 \*\* 60 elements, but got \(1152921"):
        nn.LayerNorm((2**60,))


def test_an_int_that_no_dtype_holds_is_told_beside_a_tensor():
    with pytest.raises(ValueError, match=r"For 'Add', the number beside a Tensor\[Int32\] must fit into it, but got 1"):
        ms.Tensor([1], ms.int32) + 10**400


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="NumPy 1 makes no array of so many axes")
def test_more_axes_than_numpy_broadcasts_are_told():
    with pytest.raises(ValueError, match="For 'Add', the 'x' and 'y' must have at most 32 axes, but got 41 and 1"):
        ms.Tensor(np.ones((1,) * 41)) + ONES[0]


DEEP = reduce(lambda inner, _: [inner], range(3000), ONES)
SELF = [ONES]
SELF.append(SELF)


@pytest.mark.parametrize("nest", [DEEP, SELF], ids=["3,000 deep", "holds itself"])
@pytest.mark.parametrize(
    "call",
    [
        lambda nest: ms.vjp(Net(), nest),
        lambda nest: ms.vjp(Net(), ONES)[1](nest),
        lambda nest: ms.jvp(Net(), ONES, nest),
        lambda nest: ms.grad(Net())(nest),
        lambda nest: ms.jit(lambda x: x)(nest),
        lambda nest: ops.mixed_precision_cast(ms.float16, nest),
        lambda nest: amp.all_finite(nest),
        lambda nest: amp.StaticLossScaler(2.0).scale(nest),
        lambda nest: amp.StaticLossScaler(2.0).unscale(nest),
    ],
)
def test_a_nest_deeper_than_pythons_stack_is_told(call, nest):
    with pytest.raises(ValueError, match=r"^For 'nest', tuples, lists and dicts must stand at most 200 deep"):
        call(nest)


def test_a_nest_as_deep_as_is_allowed_is_walked():
    deep = reduce(lambda inner, _: [inner], range(200), ONES)
    assert nest_of.select(ms.Tensor, nest_of.map_leaves(lambda x: x, deep)) == nest_of.leaves(deep)


def step_of(scale):
    net = Net()
    return nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params()), ms.Tensor(scale, ms.float32))


SLICES = NumpySlicesDataset([1, 2])
UPDATE = "DynamicLossScaleUpdateCell"


@pytest.mark.parametrize(
    ("error", "operation", "argument", "make"),
    [
        (TypeError, "SymbolTree.create_as_one_call", "network", lambda: SymbolTree.create_as_one_call(int)),
        (TypeError, "check", "tree", lambda: check("x")),
        (TypeError, UPDATE, "overflow", lambda: nn.DynamicLossScaleUpdateCell(2, 2, 1)(ONES[0, 0], b"x")),
        (TypeError, UPDATE, "overflow", lambda: nn.DynamicLossScaleUpdateCell(2, 2, 1)(ONES[0, 0], DEEP)),
        (TypeError, UPDATE, "loss_scale", lambda: nn.DynamicLossScaleUpdateCell(2, 2, 1)(b"x", True)),
        (TypeError, UPDATE, "loss_scale", lambda: nn.DynamicLossScaleUpdateCell(2, 2, 1)(ONES, True)),
        (TypeError, "FixedLossScaleUpdateCell", "overflow", lambda: nn.FixedLossScaleUpdateCell(2)(ONES[0, 0], DEEP)),
        (TypeError, "adjust", "grads_finite", lambda: amp.DynamicLossScaler(2, 2, 1).adjust("yes")),
        (TypeError, "update_loss_scale", "overflow", lambda: amp.DynamicLossScaleManager().update_loss_scale("no")),
        (TypeError, "read_idx", "path", lambda: read_idx(None)),
        (TypeError, "NumpySlicesDataset", "column_names", lambda: NumpySlicesDataset([1], column_names=3)),
        (TypeError, "NumpySlicesDataset", "column_names", lambda: NumpySlicesDataset([1], column_names=[1])),
        (TypeError, "create_iterator", "columns", lambda: SLICES.create_tuple_iterator(columns=3)),
        (TypeError, "create_iterator", "columns", lambda: SLICES.create_tuple_iterator(columns=[[]])),
        (ValueError, "BatchNorm3d", "data_format", lambda: nn.BatchNorm3d(3, data_format=np.ones(2))),
        (ValueError, "LSTM", "num_layers", lambda: nn.LSTM(2, 2, 2**62)),
        (ValueError, "GRU", "num_layers", lambda: nn.GRU(2, 2, num_layers=0)),
        (ValueError, "TransformerEncoder", "num_layers", lambda: nn.Transformer(num_encoder_layers=10**400)),
        (ValueError, "value_and_grad", "grad_position", lambda: ms.grad(Net(), 10**400)),
        (ValueError, "JitConfig", "jit_level", lambda: ms.JitConfig(np.array(["O1"]))),
        (ValueError, "auto_mixed_precision", "amp_level", lambda: amp.auto_mixed_precision(Net(), DEEP)),
        (ValueError, "Tensor", "shape", lambda: ms.Tensor(1.0, shape=(2,))),
        (TypeError, "Tensor", "init", lambda: ms.Tensor(shape=(2,), dtype=ms.float32, init="ones")),
        (TypeError, "Normal", "sigma", lambda: initializer.Normal("0.1")),
        (TypeError, "Dirac", "groups", lambda: initializer.Dirac(1.0)),
        (TypeError, "HeUniform", "nonlinearity", lambda: initializer.HeUniform(nonlinearity=3)),
        (TypeError, "initializer", "shape", lambda: initializer.initializer("ones", range(2))),
        (TypeError, "SGD", "gradients", lambda: nn.SGD(Net().trainable_params())(3)),
        (TypeError, "TrainOneStepCell", "optimizer", lambda: nn.TrainOneStepCell(Net(), [1])),
        (TypeError, "SequentialCell", "index", lambda: nn.SequentialCell(Net()).insert("a", Net())),
        (TypeError, "save_checkpoint", "choice_func", lambda: ms.save_checkpoint(Net(), "a.ckpt", choice_func=3)),
        (ValueError, "save_checkpoint", "ckpt_file_name", lambda: ms.save_checkpoint(Net(), "a\ud800.ckpt")),
        (ValueError, "load_checkpoint", "ckpt_file_name", lambda: ms.load_checkpoint("a\0.ckpt")),
        (TypeError, "ScopedValue", "arg_type", lambda: ScopedValue(3)),
        (TypeError, "ScopedValue", "value", lambda: ScopedValue(ValueType.NamingValue, "", 3)),
        (TypeError, "PatternNode", "node", lambda: PatternNode("a").match(3)),
        (TypeError, "get_context", "attr_key", lambda: ms.get_context([])),
        (TypeError, "map", "output_columns", lambda: SLICES.map(abs, output_columns=3)),
        (TypeError, "batch", "num_parallel_workers", lambda: SLICES.batch(1, num_parallel_workers="all")),
        (ValueError, "repeat", "count", lambda: SLICES.repeat(10**400)),
        (TypeError, "value_and_grad", "has_aux", lambda: ms.value_and_grad(Net(), has_aux=1)),
        (TypeError, "value_and_grad", "return_ids", lambda: ms.grad(Net(), return_ids="yes")),
        (TypeError, "vjp", "has_aux", lambda: ms.vjp(Net(), ONES, has_aux=1)),
        (TypeError, "jvp", "has_aux", lambda: ms.jvp(Net(), ONES, ONES, has_aux=None)),
        (ValueError, "TrainOneStepWithLossScaleCell", "scale_sense", lambda: step_of(float("nan"))),
        (ValueError, "set_sense_scale", "sens", lambda: step_of(2.0).set_sense_scale(ms.Tensor(float("inf")))),
    ],
)
def test_a_wrong_argument_of_the_other_rooms_is_refused_by_its_name(error, operation, argument, make):
    with _limited(), pytest.raises(error, match=rf"(?s)^For '{operation}', the '{argument}' must be .*, but got .*\."):
        make()


@pytest.mark.parametrize("batch", [[[None]], [["a"]], [[1j]]])
def test_a_metric_takes_real_numbers_alone(batch):
    with pytest.raises(TypeError, match=r"^For 'MAE.update', the inputs must be .* of real numbers, but got"):
        nn.MAE().update(batch, ONES)


def test_lists_deeper_than_an_array_has_axes_are_no_batch():
    with pytest.raises(ValueError, match=r"^For 'MAE.update', an input must have one shape"):
        nn.MAE().update(DEEP, ONES)


def test_a_range_that_memory_cannot_hold_is_told():
    with pytest.raises(MemoryError, match=r"^For 'arange', the output must fit into memory, but got: .*allocate"):
        ops.arange(2**50)
