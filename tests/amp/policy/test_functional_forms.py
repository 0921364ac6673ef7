"""functional=True: functional forms of listed primitives compute in float16 too, wherever the code may be changed.

The probe is 1 + 2**-12, which float16 rounds to 1.
"""

import copy
import inspect
import pickle

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn, ops
from minispore.amp.policy.functional_forms import FORMS, classes_of, stands_for, why_form_stays
from minispore.amp.policy.self_casting import in_float16
from minispore.ops import functional as F  # noqa: N812 - as users import it
from minispore.ops import relu as rectified
from minispore.rewrite import SymbolTree

TINY = np.float32(1 + 2**-12)


def probe():
    return ms.Tensor(np.full((1, 1), TINY, np.float32))


def converted(network, **keywords):
    return amp.auto_mixed_precision(network, "O1", functional=True, **keywords)


def values(outs):
    return [float(out) for out in outs]


class Straight(nn.Cell):
    """Each form, in straight-line code; the last does not stand for a listed class."""

    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(np.ones((1, 1), np.float32), name="w")

    def construct(self, x):
        image = x.reshape(1, 1, 1, 1)
        kernel = self.w.reshape(1, 1, 1, 1)
        return (
            ops.relu(x),
            rectified(x),
            x @ self.w,
            ops.matmul(x, self.w),
            F.matmul(x, other=self.w),
            ops.dense(x, weight=self.w),
            F.conv2d(image, kernel),
            ops.ger(x.reshape(1), self.w.reshape(1)),
            F.batch_matmul(x.reshape(1, 1, 1), self.w.reshape(1, 1, 1)),
            ops.abs(x),
        )


def test_every_form_in_straight_line_code_computes_in_float16_and_returns_float32():
    network = converted(Straight(), strict=True)
    outs = network(probe())
    assert all(out.dtype == ms.float32 for out in outs)
    assert values(outs) == [1.0] * 9 + [TINY]
    assert [entry.kind for entry in network.amp_report.entries if entry.dtype == "float16"] == [
        *("ReLU", "ReLU", "MatMul", "MatMul", "MatMul", "MatMul", "Conv2D", "Ger", "BatchMatMul")
    ]


def test_without_it_they_stay_and_the_receipt_names_them():
    network = amp.auto_mixed_precision(Straight(), "O1")
    assert values(network(probe())) == [TINY] * 10
    missed = network.amp_report.missed
    assert len(missed) == 9
    assert {entry.reason for entry in missed} == {"listed, but not converted: it is called as a function"}
    with pytest.raises(ValueError, match="it is called as a function"):
        amp.auto_mixed_precision(Straight(), "O1", strict=True)


class Beside(nn.Cell):
    """A listed cell beside a functional form."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(1, 1, weight_init="ones", has_bias=False)

    def construct(self, x):
        return self.fc(x), ops.relu(x)


def test_listed_cells_beside_functional_forms_are_converted_too():
    assert values(converted(Beside())(probe())) == [1.0, 1.0]


def test_only_forms_of_the_list_are_converted():
    network = amp.custom_mixed_precision(Straight(), white_list=[ops.ReLU, ops.Abs], functional=True)
    assert values(network(probe())) == [1.0] * 2 + [TINY] * 7 + [1.0]


class InPython(nn.Cell):
    """The forms where the code stays Python: a comprehension, a lambda, a header, ``@=``, a loop, spread arguments."""

    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(np.ones((1, 1), np.float32), name="w")

    def construct(self, x, **named):
        (first,) = [ops.relu(v) for v in (x,)]
        product = lambda a: a @ self.w  # noqa: E731 - a lambda is what is tested
        chosen = x
        if (x @ self.w).sum() > 1.0:
            chosen = x * 0
        looped = x
        for _ in range(1):
            looped = ops.relu(looped)
        x @= self.w
        pair = (looped, self.w)
        return first, product(first * 1.000244140625), chosen, looped, x, ops.matmul(*pair), F.dense(x * TINY, **named)


def test_forms_in_python_code_compute_in_float16_too():
    network, x = converted(InPython(), strict=True), probe()
    outs = network(x, weight=x)
    assert all(out.dtype == ms.float32 for out in outs)
    assert values(outs) == [1.0, 1.0, TINY, 1.0, 1.0, 1.0, 1.0]
    source = network.amp_report.after
    assert "in_float16(ops.relu, v)" in source
    assert "from minispore.amp.policy.self_casting import in_float16" in source


class Product(nn.Cell):
    """A product that is assigned to its first factor, which may not be exchanged with the second."""

    def construct(self, x, w):
        x @= w
        return x


def test_a_product_assigned_to_its_first_factor_keeps_the_order():
    x, w = ms.Tensor(np.eye(2, k=1, dtype=np.float32)), ms.Tensor(np.diag(np.float32([1, 2])))
    out = converted(Product(), strict=True)(x, w)
    np.testing.assert_array_equal(out.asnumpy(), [[0, 2], [0, 0]])


class OtherAssignments(nn.Cell):
    """A product that is assigned to an element, and an assignment that changes a list in its place."""

    def construct(self, x, w):
        found, pair = {"x": x}, [x]
        found["x"] @= w
        same = pair
        pair += [w]
        return found["x"], same[-1]


def test_assignments_to_elements_and_by_other_operators_stay_as_they_are():
    x, w = ms.Tensor(np.eye(2, k=1, dtype=np.float32)), ms.Tensor(np.diag(np.float32([1, 2])))
    for out, expected in zip(converted(OtherAssignments())(x, w), OtherAssignments()(x, w), strict=True):
        np.testing.assert_array_equal(out.asnumpy(), expected.asnumpy())


class Whole(nn.Cell):
    """A nested function, because of which the body stays as it is written."""

    def construct(self, x):
        def inner(v):
            return rectified(v)

        return inner(x)


def test_forms_in_a_body_that_stays_whole_compute_in_float16():
    assert float(converted(Whole(), strict=True)(probe())) == 1.0


class Method(nn.Cell):
    def helper(self, x):
        return ops.relu(x)

    def construct(self, x):
        return self.helper(x), ops.relu(x)


def test_a_form_in_a_cell_that_has_no_tree_stays_since_its_source_is_not_read():
    tree = SymbolTree.create(Method()).get_handler()
    assert why_form_stays(tree, Straight(), "file.py:1") == "the source of its cell cannot be read"


def test_a_form_in_a_method_stays_and_is_named():
    network = converted(Method())
    assert values(network(probe())) == [TINY, 1.0]
    (missed,) = network.amp_report.missed
    first = inspect.getsourcelines(Method.helper)[1]
    assert missed.place == f"{__file__}:{first + 1}"
    assert missed.reason.endswith("it is called as a function, in a method")
    with pytest.raises(ValueError, match="in a method"):
        converted(Method(), strict=True)


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.own, self.free = Straight().to_float(ms.float32), nn.SequentialCell(Straight())

    def construct(self, x):
        return self.own(x)[0], self.free(x)[0]


def test_a_users_mark_holds_for_forms_and_cells_inside_are_entered():
    network = converted(Outer())
    assert values(network(probe())) == [TINY, 1.0]
    reasons = {entry.reason for entry in network.amp_report.missed}
    assert reasons == {"listed, but not converted: to_float was called on its cell, or on one that it stands in"}


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.w = nn.Dense(1, 1), ms.Parameter(np.ones((1, 1), np.float32), name="w")

    def construct(self, x):
        return self.fc(ops.relu(x @ self.w))


def test_casts_between_forms_and_cells_cancel():
    after = converted(Chain()).amp_report.after
    assert after.count("float32)") == 1
    assert after.count("float16)") == 2


def test_the_network_handed_over_goes_on_as_before_and_gradients_arrive_in_float32():
    network, x = InPython(), probe()
    before = values(network(x, weight=x))
    new = converted(network)
    assert values(network(x, weight=x)) == before
    weights = new.trainable_params()
    assert weights[0] is network.w
    gradient = ms.grad(lambda v: new(v, weight=v)[5].sum(), None, weights)(x)
    gradient = gradient[0] if isinstance(gradient, tuple) else gradient
    assert gradient.dtype == ms.float32
    assert float(gradient) == 1.0


@pytest.mark.parametrize("level", ["O2", "O3"])
def test_at_o2_and_o3_forms_compute_in_float16_with_or_without_it(level):
    for functional in (False, True):
        network = amp.auto_mixed_precision(Straight(), level, functional=functional)
        assert values(network(probe())) == [1.0] * 10


class Held(nn.Cell):
    """Forms that the cell, an object of elsewhere and a class hold, in nodes and in Python code."""

    def __init__(self):
        super().__init__()
        self.product, self.rectified = ops.matmul, ops.relu

    def construct(self, x):
        (first,) = [self.product(v, v) for v in (x,)]
        (second,) = [self.rectified(v) for v in (x,)]
        (third,) = [ELSEWHERE.product(v, v) for v in (x,)]
        in_python = (first, second, third)
        return *in_python, self.product(x, x), self.rectified(x), ELSEWHERE.product(x, x), Elsewhere.rectified(x)


class Elsewhere:
    rectified = staticmethod(ops.relu)

    def __init__(self):
        self.product = ops.matmul


ELSEWHERE = Elsewhere()


def test_a_form_that_an_object_holds_computes_in_float16_where_the_receipt_says_so():
    network = converted(Held(), strict=True)
    assert [entry.dtype for entry in network.amp_report.entries] == ["float16"] * 7
    assert values(network(probe())) == [1.0] * 7


def matmul(x, w):
    """A user's function of the same name."""
    return x * w


class Namesake(nn.Cell):
    def construct(self, x, relu):
        return matmul(x, x), relu(x)


def test_a_users_function_of_the_same_name_is_none():
    first, second = converted(Namesake())(probe(), lambda x: x)
    assert float(first) == float(TINY * TINY)
    assert float(second) == TINY
    assert not stands_for(matmul, [ops.MatMul])
    assert not stands_for(ops.ReLU(), [ops.ReLU])  # made by a user: a primitive of the network's own


def test_a_name_tells_the_listed_classes_that_it_stands_for():
    assert classes_of("matmul", [ops.BatchMatMul, ops.MatMul, ops.ReLU]) == [ops.BatchMatMul, ops.MatMul]
    assert classes_of("ReLU", [ops.ReLU]) == classes_of("relu", [ops.ReLU]) == [ops.ReLU]
    assert classes_of("bias_add", [ops.BiasAdd]) == [ops.BiasAdd]
    assert classes_of("tanh", [ops.ReLU]) == []


def test_every_form_is_a_function_of_the_package_that_computes_in_float16():
    vector, matrix, batch = (ms.Tensor(np.full(shape, TINY, np.float32)) for shape in ((1,), (1, 1), (1, 1, 1)))
    image, volume, zero = (
        batch.reshape(1, 1, 1, 1),
        batch.reshape(1, 1, 1, 1, 1),
        ms.Tensor(np.zeros((1, 1), np.float32)),
    )
    arguments = {
        **dict.fromkeys(("matmul", "dense", "mm"), (matrix, matrix)),
        **dict.fromkeys(("dot", "inner"), (matrix, matrix)),
        **dict.fromkeys(("batch_matmul", "bmm"), (batch, batch)),
        **{"mv": (matrix, vector), "addmm": (zero, matrix, matrix), "addmv": (zero[0], matrix, vector)},
        **{"addr": (zero, vector, vector), "addbmm": (zero, batch, batch), "baddbmm": (batch * 0, batch, batch)},
        **{"tensor_dot": (matrix, matrix, 1), "einsum": ("ij,jk->ik", matrix, matrix), "ger": (vector, vector)},
        **{"conv1d": (batch, batch), "conv2d": (image, image), "conv3d": (volume, volume)},
        **{"relu": (matrix,), "prelu": (-image, vector)},
    }
    assert set(arguments) == {*FORMS, "batch_matmul", "conv3d", "ger", "prelu", "relu"}
    for name, args in arguments.items():
        function = getattr(F, name)
        assert stands_for(function, amp.get_white_list()), name
        out = in_float16(function, *args)
        assert out.dtype == ms.float32, name
        assert abs(float(out.reshape(()))) == 1.0, name
        assert abs(float(function(*args).reshape(()))) > 1.0, name


def test_the_function_that_casts_follows_the_mark_of_the_cell_that_calls_it():
    class Caller(nn.Cell):
        def construct(self, x):
            return in_float16(ops.relu, x)

    assert in_float16(ops.relu, probe()).dtype == ms.float32
    assert float(Caller()(probe())) == 1.0
    assert Caller().to_float(ms.float16)(probe()).dtype == ms.float16
    assert float(Caller().to_float(ms.float32)(probe())) == TINY


@pytest.mark.parametrize("make", [Straight, Chain, Whole])
def test_a_converted_network_is_copied_and_pickled_with_its_casts(make):
    network = converted(make())
    expected = [out.asnumpy().tobytes() for out in _tuple(network(probe()))]
    for again in (copy.deepcopy(network), pickle.loads(pickle.dumps(network))):
        assert [out.asnumpy().tobytes() for out in _tuple(again(probe()))] == expected


class OnlyInAComprehension(nn.Cell):
    """Its only listed form stands in Python code."""

    def construct(self, x):
        (first,) = [ops.relu(v) for v in (x,)]
        return first


class InAPart(nn.Cell):
    """A form in an assignment to a part of something."""

    def construct(self, x):
        table = {"a": x * 0}
        table["a"] += ops.relu(x)
        return table["a"]


@pytest.mark.parametrize("make", [OnlyInAComprehension, InAPart])
def test_a_network_whose_only_form_stands_in_python_code_is_converted(make):
    held = nn.SequentialCell(make())
    for network in (converted(make(), strict=True), converted(held, strict=True)):
        assert float(network(probe())) == 1.0
    assert float(amp.auto_mixed_precision(make(), "O1")(probe())) == TINY


def _tuple(out):
    return out if isinstance(out, tuple) else (out,)


def test_the_device_may_be_another(device):
    outs = converted(InPython())(probe(), weight=probe())
    assert values(outs)[:2] == [1.0, 1.0]
    assert all(out.dtype == ms.float32 for out in outs)


relu = ops.relu  # which the parameters below hide


class Hiding(nn.Cell):
    """Names of listed functions that a lambda, a comprehension and a function inside bind; the last is the form."""

    def construct(self, x):
        first = (lambda relu: relu(x))(ops.abs)
        (second,) = [relu(x) for relu in (ops.abs,)]
        third = (lambda t, relu=ops.abs: relu(t))(x)
        return first, second, third, relu(x)


class InAComprehension(nn.Cell):
    """Apart from ``Hiding``: in one function with its comprehension, Python 3.12 takes the name for a local one."""

    def construct(self, x):
        return tuple([relu(x) for _ in range(2)])


class HidingInAFunction(nn.Cell):
    def construct(self, x):
        def inner(relu, t):
            return relu(t)

        return inner(ops.abs, x), relu(x)


@pytest.mark.parametrize("cell", [Hiding, HidingInAFunction])
def test_a_name_that_is_bound_anew_is_no_form(cell):
    *hidden, form = values(converted(cell())(probe()))
    assert form == 1.0 and hidden == [TINY] * len(hidden)


def test_a_form_in_a_comprehension_is_one():
    assert values(converted(InAComprehension())(probe())) == [1.0, 1.0]


class Own(nn.Cell):
    """A ready-made primitive as an attribute, called in Python code: it is substituted as all of those are."""

    def __init__(self):
        super().__init__()
        self.act = ops.relu

    def construct(self, x):
        (out,) = [self.act(each) for each in (x,)]
        return (out,)


def test_a_primitive_of_the_cells_own_is_cast_once():
    network = converted(Own())
    assert "in_float16" not in getattr(type(network), "rewritten_source", "")
    assert values(network(probe())) == [1.0]
