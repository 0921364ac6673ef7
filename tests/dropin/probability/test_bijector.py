"""Bijectors: MindSpore 2.0.0's numbers, inverses that undo, and derivatives that agree with the gradient."""

import numpy as np
import pytest

import minispore as ms
from minispore.nn.probability import bijector

METHODS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")
X = np.float32([0.2, 0.5, 0.9])
MADE = {
    "Exp": bijector.Exp(),
    "Softplus": bijector.Softplus(1.5),
    "ScalarAffine": bijector.ScalarAffine(2.0, 1.0),
    "PowerTransform": bijector.PowerTransform(0.5),
    "Powers": bijector.PowerTransform([0.0, 1.0, 2.0]),
    "GumbelCDF": bijector.GumbelCDF(0.5, 2.0),
    "Invert": bijector.Invert(bijector.Exp()),
}
# Recorded from MindSpore 2.0.0, whose logarithms add about 1e-6 to their arguments
RECORDED = {
    "Exp": (
        [1.2214026, 1.6487211, 2.459603],
        [-1.6094403, -0.6931486, -0.10536153],
        X,
        [1.6094403, 0.6931486, 0.10536153],
    ),
    "Softplus": (
        [0.56956923, 0.75791246, 1.0536714],
        [-0.7001481, 0.07376659, 0.6999473],
        [-0.5543584, -0.38687292, -0.23051101],
        [1.3502221, 0.6393501, 0.300079],
    ),
    "ScalarAffine": ([1.4, 2.0, 2.8], [-0.4, -0.25, -0.05], 0.69314575, -0.69314575),
    "PowerTransform": (
        [1.21, 1.5625, 2.1025],
        [-1.1055739, -0.5857875, -0.10263436],
        [0.0953102, 0.22314355, 0.37156358],
        [0.80472016, 0.3465743, 0.05268076],
    ),
    "Powers": ([1.2214027, 1.5, 1.6733199], None, [0.2, 0.0, -0.5148098], [1.6094403, 0.0, -0.1053615]),
    "GumbelCDF": (
        [0.31291175, 0.36787948, 0.440991],
        [-0.45176816, 1.233016, 5.000722],
        [-1.7049799, -1.6931458, -1.7118764],
        [1.8266964, 1.7528051, 3.0488636],
    ),
    "Invert": (
        [-1.6094403, -0.6931486, -0.10536153],
        [1.2214026, 1.6487211, 2.459603],
        [1.6094403, 0.6931486, 0.10536153],
        X,
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_answers_are_mindspores(name):
    for method, expected in zip(METHODS, RECORDED[name], strict=True):
        found = MADE[name](method, ms.Tensor(X))
        if expected is not None:
            assert found.dtype == ms.float32 and found.shape == np.shape(expected)
            np.testing.assert_allclose(found.asnumpy(), expected, rtol=3e-5, atol=5e-6, err_msg=method)


@pytest.mark.parametrize("name", MADE)
def test_the_inverse_undoes_and_the_jacobians_are_those_of_the_gradient(name):
    made, x = MADE[name], ms.Tensor(X)
    y = made.forward(x)
    np.testing.assert_allclose(made.inverse(y).asnumpy(), X, rtol=2e-5)
    for method, at in (("forward", x), ("inverse", y)):
        slope = ms.grad(getattr(made, method))(at).asnumpy()
        told = getattr(made, f"{method}_log_jacobian")(at).asnumpy()
        np.testing.assert_allclose(np.broadcast_to(told, X.shape), np.log(np.abs(slope)), rtol=1e-4, atol=2e-5)


def test_large_values_stay_finite_and_halves_are_rounded_once():
    soft = bijector.Softplus()
    for x in (-90.0, 100.0):
        assert np.isfinite(soft.forward_log_jacobian(ms.Tensor([x])).asnumpy()).all()
    np.testing.assert_allclose(soft.inverse(soft.forward(ms.Tensor([100.0]))).asnumpy(), [100.0])
    y = bijector.Exp().forward(ms.Tensor([1.0, 2.0], ms.float16))
    assert y.dtype == ms.float16
    np.testing.assert_array_equal(y.asnumpy(), np.exp([1.0, 2.0]).astype(np.float16))


def test_what_a_bijector_tells_of_itself():
    affine, inverse = MADE["ScalarAffine"], MADE["Invert"]
    assert affine.is_constant_jacobian and affine.is_injective and affine.name == "ScalarAffine"
    assert affine.parameters == {"scale": 2.0, "shift": 1.0} and affine.dtype is None
    assert repr(affine) == "ScalarAffine<scale = 2.0, shift = 1.0>" and repr(MADE["Exp"]) == "Exp<exp>"
    assert inverse.name == "InvertExp" and not inverse.is_constant_jacobian and type(inverse.bijector) is bijector.Exp


class Affine(bijector.Bijector):
    """A user's bijector, written as MindSpore's tutorials do."""

    def __init__(self, scale, shift, dtype=None):
        super().__init__(name="Affine", dtype=dtype, param={"param_dict": {"scale": scale, "shift": shift}})
        self.scale, self.shift = self._add_parameter(scale, "scale"), self._add_parameter(shift, "shift")

    def _forward(self, value):
        value = self._check_value_dtype(value)
        return value * self.cast_param_by_value(value, self.scale) + self.cast_param_by_value(value, self.shift)


HALF, SINGLE = np.float16([2.0]), np.float32([2.0])


@pytest.mark.parametrize(
    "given", [(2.0, [1.0]), (HALF, HALF), (SINGLE, ms.Tensor([1.0])), (np.float64(2.0), np.ones(1))]
)
def test_a_users_bijector_adds_its_parameters(given):
    affine, x = Affine(*given), ms.Tensor([3.0], ms.float16)
    kind = ms.Tensor(given[0]).dtype if isinstance(given[0], (np.ndarray, np.floating)) else ms.float32
    assert affine.scale.dtype == affine.shift.dtype == kind
    assert affine.forward(x).dtype == ms.float16
    assert affine.forward(x).item() == 6 + affine.shift.asnumpy().item()


@pytest.mark.parametrize("given", [(HALF, SINGLE), (1.0, HALF), (1, 2), ([1, 2], [2, 4]), (True, 1.0), (None, 1.0)])
def test_parameters_of_two_dtypes_or_of_no_floats_are_refused(given):
    with pytest.raises(TypeError, match=r"^For 'Affine', the '(scale|shift)' must be "):
        Affine(*given)


def test_a_bijector_of_one_dtype_takes_no_other():
    affine = Affine(SINGLE, 1.0, ms.float32)
    assert affine.forward(ms.Tensor([3.0])).item() == 7
    with pytest.raises(TypeError, match=r"^For 'Affine', the 'value' must be a Tensor of Float32, but got Float16"):
        affine.forward(ms.Tensor([3.0], ms.float16))
    with pytest.raises(TypeError, match=r"^For 'Affine', the 'scale' must be of Float32, but got Float16"):
        Affine(HALF, 1.0, ms.float32)


REFUSED = [
    (ValueError, "'power' must be at least 0", lambda: bijector.PowerTransform(-1.0)),
    (TypeError, "'power' must be a float, or floats, but got 2", lambda: bijector.PowerTransform(2)),
    (TypeError, "'scale' must be a float, or floats", lambda: bijector.ScalarAffine("a")),
    (ValueError, "'scale' must be another number than 0", lambda: bijector.ScalarAffine(0.0)),
    (ValueError, "'sharpness' must be another number than 0", lambda: bijector.Softplus(0.0)),
    (ValueError, "'scale' must be above 0", lambda: bijector.GumbelCDF(0.0, 0.0)),
    (TypeError, "'bijector' must be a Bijector", lambda: bijector.Invert(3)),
    (TypeError, "'name' must be", lambda: bijector.Exp(3)),
    (TypeError, "Tensor of a floating dtype, but got Int", lambda: bijector.Exp().forward(ms.Tensor([1, 2]))),
    (TypeError, "Tensor of a floating dtype, but got float", lambda: bijector.Exp().forward(1.0)),
    (NotImplementedError, "For 'Exp', 'foo' is not defined", lambda: bijector.Exp()("foo", ms.Tensor([1.0]))),
    (NotImplementedError, "For 'Bijector', 'inverse' is not", lambda: bijector.Bijector().inverse(ms.Tensor([1.0]))),
]


@pytest.mark.parametrize(("error", "sentence", "call"), REFUSED)
def test_what_is_refused(error, sentence, call):
    with pytest.raises(error, match=sentence):
        call()
