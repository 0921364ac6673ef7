"""What Python and which of its instructions graph mode knows; all else runs eagerly, and says so."""

import dis
import logging
import sys
import types

import pytest

import minispore as ms
from minispore import Tensor
from minispore.graph import bytecode, jit_function, opcodes

SOURCE = """
def reading(a, b=(1, 2), *args, c=3, **kwargs):
    global told
    x, *rest = [1, 2, 3]
    (y, z), told = (1, 2), {**{"k": 1}, "j": x}
    s, t = {*rest, x}, f"{y!r:>{z}}{x}"
    rest[0], rest[1:] = rest[-1], rest[:1]
    x += y; x -= y; x *= y; x //= y; x **= y; x |= y; x &= y; x ^= y; x <<= y; x >>= y; x %= y; x /= 2
    x = -+~z + (not y) - (a is b) * (a in args) @ a if y < z <= 3 else y and z or None
    del told["j"], rest[0]
    try:
        with open(a) as f, f:
            assert f, "file"
    except (ValueError, KeyError) as error:
        raise TypeError(*args, **kwargs) from error
    except* OSError:
        pass
    finally:
        del z
    while y:
        if (n := y) > 3 or y is None:
            break
        elif n is not None:
            continue
    for i in range(3):
        yield [j * i for j in args if j], {j for j in args}, {j: i for j in args}, (j async_ for j in args)
    def inner(v: int = y) -> int:
        nonlocal x
        x = v
        return lambda: (x, a)
    class Kind(inner, metaclass=type):
        k: int = told
        def method(self):
            return super().method(__class__, x)
    yield from inner(v=a)
    match a:
        case Kind(p, k=q) | [Kind(p), *_, q] if p:
            a.k, a[0] = p, q
        case {"k": p, **others} if others:
            del a.k
        case 1 | "a" | None:
            print(a)
        case _:
            return slice(a[1:2:3])
""".replace("(j async_ for", "(j for")


def codes(code):
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from codes(part)


def source():
    """The forms of code that this Python has, those of except* apart: these must not stand beside except."""
    return SOURCE.replace("    except* OSError:\n        pass\n", "")


def test_every_form_of_code_is_understood():
    compiled = compile(source(), "forms", "exec")
    found = {x.opname for code in codes(compiled) for x in dis.get_instructions(code)}
    assert found - opcodes.UNDERSTOOD == set() and len(found) > 50


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* came with 3.11")
def test_groups_of_exceptions_are_understood():
    compiled = compile(
        "def f(a):\n    try:\n        a()\n    except* OSError as e:\n        print(e)\n", "groups", "exec"
    )
    assert {x.opname for code in codes(compiled) for x in dis.get_instructions(code)} - opcodes.UNDERSTOOD == set()


def test_the_lists_hold_instructions_of_this_python_alone():
    known = {name for name, number in dis.opmap.items() if number < 256}
    assert known >= opcodes.UNDERSTOOD
    assert not [name for name in opcodes.UNDERSTOOD if "ASYNC" in name or "AWAIT" in name]


def test_an_instruction_that_is_not_listed_is_a_reason_to_run_eagerly(monkeypatch):
    def function(x):
        return -x

    monkeypatch.setattr(bytecode, "UNDERSTOOD", opcodes.UNDERSTOOD - {"UNARY_NEGATIVE"})
    bytecode.reads_of.cache_clear()
    replayed = ms.jit(function)
    for _ in range(4):
        assert float(replayed(Tensor(2.0))) == -2
    assert replayed.recorded.reason == "the state that 'the instruction UNARY_NEGATIVE' reads cannot be seen"
    bytecode.reads_of.cache_clear()


@pytest.mark.parametrize(
    ("python", "told"),
    [
        (("cpython", (3, 11, 7), True), ""),
        (("cpython", (3, 14, 0), True), "cpython 3.14"),
        (("cpython", (3, 15, 0), True), "cpython 3.15"),
        (("cpython", (3, 13, 0), False), "cpython 3.13, free-threaded"),
        (("pypy", (3, 10, 13), True), "pypy 3.10"),
    ],
)
def test_a_python_that_is_not_tested_is_named(python, told):
    assert opcodes.untested_python(*python) == told


def test_this_python_is_tested():
    assert not opcodes.untested_python()


def test_on_a_python_that_is_not_tested_all_runs_eagerly_and_one_sentence_says_so(monkeypatch, caplog):
    monkeypatch.setattr(jit_function, "untested_python", lambda: "cpython 3.15")
    monkeypatch.setattr(jit_function, "_warned", set())
    both = ms.jit(lambda x: x * 2), ms.jit(lambda x: x * 3)
    with caplog.at_level(logging.WARNING, "minispore"):
        for _ in range(4):
            assert [float(function(Tensor(1.0))) for function in both] == [2, 3]
    assert both[0].recorded.reason == both[1].recorded.reason == "graph mode is not tested on cpython 3.15"
    assert caplog.messages == [
        "Graph mode is not tested on cpython 3.15, so every function and cell runs operation by operation."
    ]
