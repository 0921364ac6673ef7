"""Functions of the top level that later MindSpores have, where they are true here."""

import numpy as np
import pytest

import minispore as ms
from minispore import _c_expression
from minispore.common import api
from minispore.dropin import later


def test_the_installation_is_checked(capsys):
    ms.run_check()
    assert ms.__version__ in capsys.readouterr().out


def test_tensors_are_made_by_functions():
    assert (later.tensor([1.0, 2.0], ms.float16).asnumpy() == np.array([1, 2], np.float16)).all()
    assert ms.is_tensor(ms.from_numpy(np.ones(2))) and not ms.is_tensor(np.ones(2))


def test_decorators_for_the_compiler_leave_functions_as_they_are():
    def function():
        pass

    assert ms.lazy_inline(function) is ms.lazy_inline(attrs=["a"])(function) is ms.no_inline(function) is function


def test_settings_take_their_legal_values_only():
    ms.set_deterministic(True)
    ms.set_recursion_limit(10)
    ms.ms_memory_recycle()
    for call, kind in (
        (lambda: ms.set_deterministic(1), TypeError),
        (lambda: ms.set_recursion_limit("a"), TypeError),
        (lambda: ms.set_recursion_limit(0), ValueError),
        (lambda: later.tensor(1, const_arg=1), TypeError),
    ):
        with pytest.raises(kind, match=r"^For '"):
            call()


def test_a_deprecated_function_warns_in_the_log(capfd):
    assert later.deprecated("2.0", "other")(abs)(-1) == 1
    assert "'abs' is deprecated since version 2.0; use 'other' instead" in capfd.readouterr().err


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "jit"])
def test_what_is_computed_under_no_grad_is_a_constant(compiled):
    def cube(x):
        with ms._no_grad():
            square = x * x
        return square * x

    gradient = ms.grad(ms.jit(cube) if compiled else cube)
    for _ in range(3):
        assert gradient(ms.Tensor([2.0])).asnumpy().tolist() == [4.0]


def test_a_seed_and_a_block_for_checkpoints(restored):
    ms.manual_seed(5)
    assert ms.get_seed() == 5
    with ms.nn.utils.no_init_parameters():
        assert ms.nn.Dense(2, 3).weight.asnumpy().std() > 0


def test_the_logger_is_that_of_the_log(caplog):
    logger = ms.log._get_logger()
    logger.addHandler(caplog.handler)
    try:
        ms.log.error("told")
    finally:
        logger.removeHandler(caplog.handler)
    assert caplog.messages == ["told"]


def test_names_of_later_releases_are_at_their_addresses():
    assert api._no_grad is ms._no_grad and _c_expression.disable_multi_thread() is None
    assert (ms.STRICT, ms.LAX) == (0, 2)
