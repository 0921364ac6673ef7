"""Lines of the random primitives: a draw has no formula; ``test_random.py`` holds the distributions."""

import numpy as np

from minispore import Tensor, ops
from minispore.tools.testing.primitives.case import between_wholes, bools, line, nonzero, positive, reals


def _int32(value):
    return lambda rng: np.asarray(value, np.int32)


_MASKED = {"through": (0,), "reason": "the mask is random, not a function of x"}
_READS = {"waits": True, "reason": "it reads its inputs to check them"}

LINES = [
    line(ops.Dropout(0.7), reals(4, 5), **_MASKED),
    line(ops.Dropout(0.7, 3, 4), reals(4, 5), **_MASKED),
    line(ops.DropoutGrad(0.7), reals(4, 5), reals(4, 5), oracle=lambda dy, mask: dy * mask / 0.7),
    line(ops.Dropout2D(0.6), nonzero(3, 4, 2, 3), **_MASKED),
    line(ops.Dropout3D(0.6), nonzero(3, 4, 2, 1, 2), **_MASKED),
    line(ops.StandardNormal(), (2, 3)),
    line(ops.StandardNormal(3, 4), (0,)),
    line(ops.StandardLaplace(), (2, 3)),
    line(ops.UniformReal(), ()),
    line(ops.UniformInt(), (3, 2), _int32(-2), _int32(5), **_READS),
    line(ops.RandomChoiceWithMask(4), bools(3, 2), waits=True, reason="how many places hold depends on data"),
    line(ops.Bernoulli(), bools(2, 3), 0.3, **_READS),
    line(ops.Bernoulli(5, 6), between_wholes(2, 3), reals(2, 3, low=0.0, high=1.0), **_READS),
    line(ops.RandpermV2(), 7),
    line(
        ops.Randperm(6),
        lambda rng: np.array([4]),
        waits=True,
        reason="it reads the count",
        wrong=[
            (ValueError, "in \\[0, 7\\)", lambda: ops.Randperm(6)(Tensor([7]))),
            (ValueError, "shape", lambda: ops.Randperm(6)(Tensor(3))),
            (TypeError, "int32 or int64", lambda: ops.Randperm(6)(Tensor([3.0]))),
            (ValueError, "max_length", lambda: ops.Randperm(0)),
        ],
    ),
    line(ops.RandomShuffle(1, 2), reals(5, 2)),
    line(ops.Multinomial(), positive(2, 4), 6, **_READS),
    line(ops.MultinomialWithReplacement(3), positive(2, 4), **_READS),
    line(ops.MultinomialWithReplacement(9, True), positive(4), 3, 4, **_READS),
    line(ops.RandomGamma(), (3,), positive(2, 2), **_READS),
    line(ops.RandomGamma(3, 4), (2, 0), positive(2), **_READS),
    line(ops.RandomPoisson(), (3,), positive(2, 2), **_READS),
    line(ops.RandomPoisson(3, 4, np.float32), (2,), reals(3, low=5.0, high=80.0), **_READS),
    line(ops.TruncatedNormal(), (2, 3)),
    line(
        ops.ParameterizedTruncatedNormal(),
        (2, 3),
        reals(2),
        positive(2),
        reals(1, low=-3, high=-2.5),
        reals(2, low=2.5, high=3.5),
    ),
    line(ops.NonDeterministicInts(), (2, 3)),
    line(ops.Cauchy([2, 3])),
    line(ops.LogNormalReverse(0.5, 0.25), reals(2, 3)),
    line(ops.RandomCategorical(), reals(2, 4), 6),
]
