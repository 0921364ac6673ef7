"""Complex numbers: how Tensors of them are made, converted and shown, and the gradients of what makes or parts them."""

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn, ops
from minispore.nn import Cell

Z = Tensor(np.array([[1 + 2j, 3 - 1j], [-0.5 + 0.25j, 2j]]))
STEP = 1e-6


def slopes(function, x, step):
    """``d L / d x`` for each element of an array, by differences of the real number ``function``."""
    found = np.zeros(x.shape)
    for at in np.ndindex(*x.shape):
        moved = [x.copy(), x.copy()]
        moved[0][at] += step
        moved[1][at] -= step
        found[at] = ((function(Tensor(moved[0])) - function(Tensor(moved[1]))) / (2 * abs(step))).real
    return found


PARTS = [ops.Real(), ops.Imag(), ops.Conj(), ops.Angle(), ops.ComplexAbs(), ops.Abs(), ops.view_as_real, ops.adjoint]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: getattr(part, "name", None) or part.__name__)
def test_a_gradient_holds_the_slopes_for_the_real_and_the_imaginary_parts(part):
    weights = Tensor(np.random.default_rng(0).standard_normal(part(Z).shape))

    def total(z):
        return (ops.real(part(z)) * weights + ops.imag(part(z)) * weights * 2).sum()

    number = lambda z: float(total(z))  # noqa: E731 - of a Tensor, as a float
    expected = slopes(number, Z.asnumpy(), STEP) + 1j * slopes(number, Z.asnumpy(), STEP * 1j)
    np.testing.assert_allclose(ms.grad(total)(Z).asnumpy(), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("made_of", [ops.Complex(), ops.Polar()], ids=str)
def test_what_makes_a_complex_number_passes_gradients_to_both_parts(made_of):
    first, second = np.array([[1.0, -2.0]]), np.array([[0.5], [3.0]])

    def total(x, y):
        out = made_of(x, y)
        return (ops.real(out) * 2 + ops.imag(out * out)).sum()

    dx, dy = ms.grad(total, (0, 1))(Tensor(first), Tensor(second))
    np.testing.assert_allclose(dx.asnumpy(), slopes(lambda x: float(total(x, Tensor(second))), first, STEP), rtol=1e-6)
    np.testing.assert_allclose(dy.asnumpy(), slopes(lambda y: float(total(Tensor(first), y)), second, STEP), rtol=1e-6)


def test_the_second_derivative_of_a_square_of_the_size_is_twice_the_direction():
    def first(z):
        return ops.real(ms.grad(lambda z: ops.real(z * ops.conj(z)).sum())(z)).sum()

    np.testing.assert_allclose(ms.grad(first)(Z).asnumpy(), np.full((2, 2), 2.0))


def test_numbers_make_a_complex_tensor_and_are_shown():
    assert (Tensor(1 + 2j).dtype, Tensor([1, 2], ms.complex64).dtype) == (ms.complex128, ms.complex64)
    assert repr(Tensor([1 + 2j, 3.0])) == "Tensor(shape=[2], dtype=Complex128, value= [1+2j, 3+0j])"
    assert repr(Tensor(0.5 - 2j, ms.complex64)) == "Tensor(shape=[], dtype=Complex64, value= 0.5-2j)"
    assert (complex(Tensor(2j)), Tensor([1j]).item(), Tensor(2 + 1j, ms.float32).item()) == (2j, 1j, 2.0)
    assert (Tensor(1j) == 1j, Tensor(1j) != 1j) == (False, True)  # as in MindSpore
    for convert in (float, int):
        with pytest.raises(TypeError, match="the Tensor must hold a real number, but got Complex128"):
            convert(Tensor(1j))
    with pytest.raises(TypeError, match=r"\(a complex number goes in a Tensor\), but got 1j"):
        Tensor(1.0) + 1j


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (2, ms.complex64),
        (2.5, ms.complex64),
        (Tensor(2), ms.complex64),
        (Tensor(True), ms.complex64),
        (Tensor(2.0, ms.float16), ms.complex64),
        (Tensor(2.0, ms.bfloat16), ms.complex64),
        (Tensor(2.0), ms.complex64),
        (Tensor(2.0, ms.float64), ms.complex128),
        (Tensor(1j), ms.complex128),
    ],
    ids=str,
)
def test_a_complex_tensor_beside_another_makes_a_complex_one(other, kind):
    z = Tensor([1 + 1j], ms.complex64)
    for out in (z + other, other - z):
        assert out.dtype == kind
    if isinstance(other, Tensor) and other.is_floating_point():
        slope = ms.grad(lambda x: ops.real(x * z).sum())(other)
        assert (slope.dtype, slope.asnumpy().item()) == (other.dtype, 1.0)


def test_mixed_precision_leaves_complex_numbers_alone():
    class Net(Cell):
        def construct(self, z, x):
            return z * z, x * x

    z, x = Net().to_float(ms.float16)(Tensor([1j], ms.complex64), Tensor([2.0]))
    assert (z.dtype, x.dtype) == (ms.complex64, ms.float16)


def test_an_optimizer_refuses_a_complex_parameter():
    p = Parameter(Tensor([1j]), name="p")
    with pytest.raises(TypeError, match=r"^For '"):
        nn.SGD([p], 0.1)((Tensor([1j]),))


def test_parts_of_real_numbers_are_the_numbers_and_zeros():
    x = Tensor([1.0, -2.0])
    assert (ops.real(x).tolist(), ops.imag(x).tolist(), ops.conj(x).tolist()) == ([1, -2], [0, 0], [1, -2])
    assert ms.grad(lambda x: (ops.real(x) + ops.imag(x) * 3).sum())(x).tolist() == [1, 1]
    assert (ops.isreal(x).tolist(), ops.is_complex(x), ops.is_complex(Tensor(1j))) == ([True, True], False, True)
    assert (Tensor([1j, 2]).abs().tolist(), ops.sign(Tensor([2j, 0j])).tolist()) == ([1, 2], [1j, 0])


@pytest.mark.parametrize(
    ("call", "kind", "part"),
    [
        (lambda: ops.Complex()(Tensor(1.0), Tensor(1.0, ms.float64)), TypeError, "should be same as 'real'"),
        (lambda: ops.Complex()(Tensor(1), Tensor(1)), TypeError, "must be of float32 or float64"),
        (lambda: ops.Complex()(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0])), ValueError, "must broadcast"),
        (lambda: ops.Angle()(Tensor(1.0)), TypeError, "'input' must be a complex Tensor"),
        (lambda: ops.ComplexAbs()(Tensor(1.0)), TypeError, "'x' must be a complex Tensor"),
        (lambda: ops.view_as_real(Tensor(1.0)), TypeError, "'input' must be a complex Tensor"),
        (lambda: ops.adjoint(Tensor([1j])), ValueError, "at least 2 axes"),
        (lambda: ops.polar(1.0, 2.0), TypeError, "must be a Tensor"),
        (
            lambda: Tensor([1j]) < Tensor([2j]),
            TypeError,
            "the inputs must be real numbers, but got Tensor",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, kind, part):
    with pytest.raises(kind, match=f"^For '.*{part}"):
        call()
