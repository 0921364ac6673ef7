"""Graph mode's words, in every form in which MindSpore takes them."""

import importlib
import sys

import pytest
from amp.policy.test_autocasting import F16, F32, X, product
from core.test_tape import Single
from ops.test_mapping import X as ROWS
from ops.test_mapping import ensemble, plain

import minispore as ms
from minispore import Tensor, amp, jit, nn, ops


def double(x):
    """Twice x."""
    return x + x


@pytest.mark.parametrize("decorate", [ms.jit, ms.jit(jit_config=ms.JitConfig()), ms.ms_function])
def test_jit_in_each_form_gives_a_function_of_the_same_name_and_results(decorate):
    function = decorate(double)
    assert (function.__name__, function.__doc__) == ("double", "Twice x.")
    assert [float(function(ms.Tensor(x))) for x in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]


@pytest.mark.usefixtures("restored")
def test_a_cell_with_a_decorated_construct_computes_and_differentiates_in_graph_mode():
    class Net(nn.Cell):
        @ms.jit
        def construct(self, x):
            return x * x

    ms.set_context(mode=ms.GRAPH_MODE)
    assert float(ms.grad(Net())(ms.Tensor(3.0))) == 6.0


def test_a_configuration_is_kept_by_the_cell():
    net = nn.Dense(1, 1)
    net.set_jit_config(ms.JitConfig("O2", extra="x"))
    assert net.jit_config_dict == {"extra": "x", "jit_level": "O2", "exc_mode": "auto"}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ms.JitConfig("O9"), ValueError, "'jit_level' must be one of"),
        (lambda: ms.JitConfig(exc_mode="x"), ValueError, "'exc_mode' must be one of"),
        (lambda: ms.jit(3), TypeError, "'fn' must be a function"),
        (lambda: ms.jit(jit_config={}), TypeError, "'jit_config' must be a JitConfig"),
    ],
)
def test_a_bad_argument_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_function_of_a_users_module_that_calls_further_ones_is_replayed(tmp_path, monkeypatch):
    (tmp_path / "jitted_helpers.py").write_text(
        "K = 2.0\nL = 3.0\n\n\ndef helper(x):\n    return further(x) * K\n\n\n"
        "def further(x):\n    return last(x) + L\n\n\ndef last(x):\n    return x * K - L\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    helpers = importlib.import_module("jitted_helpers")
    monkeypatch.setitem(sys.modules, "jitted_helpers", helpers)
    f = ms.jit(lambda x: helpers.helper(x) + 1)
    for _ in range(5):
        assert f(ms.Tensor([1.0])).tolist() == [5.0]
    assert f.recorded.sources, f.recorded.reason
    helpers.K = 5.0  # which the replay must not keep
    assert f(ms.Tensor([1.0])).tolist() == [26.0]


def test_a_jitted_hook_is_refused():
    hook = ms.jit(lambda *arguments: None)
    net = Single()
    registers = (net.register_forward_pre_hook, net.register_forward_hook, net.register_backward_hook, ops.HookBackward)
    for register in registers:
        with pytest.raises(TypeError, match="the hook must be a function without the decorator 'jit'"):
            register(hook)


def test_print_writes_at_every_call_in_graph_mode(capsys):
    @ms.jit
    def function(x):
        ops.print_("here")
        return x + 1

    for _ in range(4):
        function(Tensor(1.0))
    assert capsys.readouterr().out == "here\n" * 4


def test_the_bounds_of_a_slice_are_read_anew_at_each_call_of_a_compiled_function():
    f = jit(lambda x, b: ops.slice(x, b, [2]) * 1)
    found = [f(Tensor([1, 2, 3, 4]), Tensor([i % 3])).tolist() for i in range(8)]
    assert found == [[i % 3 + 1, i % 3 + 2] for i in range(8)]


@pytest.mark.usefixtures("restored")
def test_functions_under_jit_and_cells_with_a_bprop_compute_by_the_lists():
    @ms.jit
    def compiled(x):
        return product(x), ops.exp(x)

    class OwnGradient(nn.Cell):
        def construct(self, x):
            return product(x)

        def bprop(self, x, out, dout):
            return (dout @ x,)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.own = OwnGradient()

        def construct(self, x):
            return (*compiled(x), self.own(x))

    half = ms.Tensor(X, F16)
    assert compiled(half)[1].dtype == F16
    for _ in range(3):
        assert [y.dtype for y in amp.auto_mixed_precision(Net(), "auto")(half)] == [F16, F32, F16]
        assert compiled(half)[1].dtype == F16, "and outside as before"


def test_an_ensemble_in_graph_mode_gives_the_same():
    models = ensemble(1.0, 2.0)
    replayed = ms.jit(lambda x: ops.vmap(models)(x)[0])
    for _ in range(3):
        assert plain(replayed(ROWS)) == [[0, 1, 2], [6, 8, 10]]
