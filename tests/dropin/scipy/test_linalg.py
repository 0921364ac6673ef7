"""SciPy's names of linear algebra are those of ops."""

import numpy as np
import pytest

from minispore import Tensor
from minispore.scipy import linalg

A = Tensor(np.float32([[4, 2], [2, 3]]))


def test_inverses_factors_and_blocks_are_numpys():
    np.testing.assert_allclose(linalg.inv(A).asnumpy(), np.linalg.inv(A.asnumpy()), rtol=1e-5)
    lower = np.linalg.cholesky(A.asnumpy())
    np.testing.assert_allclose(linalg.cholesky(A).asnumpy(), lower.T, rtol=1e-5)
    np.testing.assert_allclose(linalg.cholesky(A, lower=True).asnumpy(), lower, rtol=1e-5)
    assert linalg.block_diag(A, A).shape == (4, 4)


def test_a_switch_must_be_a_bool():
    with pytest.raises(TypeError, match=r"^For 'inv', the 'overwrite_a' must be a bool"):
        linalg.inv(A, 1)
    with pytest.raises(TypeError, match=r"^For 'cholesky', the 'lower' must be a bool"):
        linalg.cholesky(A, 1)
