"""Every operation of the tables once in cells that ``to_float`` marks: the dtypes of what it gives.

Inputs are of float32 in a float16 cell, and of float16 in a float32 cell, so that a dtype says whether the operation,
and each of those that it consists of, sees the mark. Runs under a framework of MindSpore's interface, passed as ``ms``.
"""

from collections import Counter

import numpy as np
from conformance.cases.operations.draw import Written
from conformance.cases.operations.keyed import ROWS, is_empty
from conformance.cases.operations.row import Row
from conformance.record.observe import _made, _run

OTHERS = (  # functions that no row of the tables has
    "ops.adjoint(x) | ops.batch_dot(b, b, (1, 1)) | ops.block_diag(x, y) | ops.clip_by_norm(x, 1.0)"
    " | ops.diag_embed(x) | ops.fmax(x, y) | ops.fmin(x, y) | ops.grid_sample(i, g) | ops.group_norm(i, 2)"
    " | ops.index_fill(x, 0, n, 1.0) | ops.inplace_add(x, y[:1], [0]) | ops.inplace_sub(x, y[:1], [0])"
    " | ops.inplace_update(x, y[:1], [0]) | ops.iou(p, p) | ops.kl_div(x, y)"
    " | ops.layer_norm(x, (3,), y[0], y[1]) | ops.logdet(q) | ops.lp_pool1d(b, 2.0, 2)"
    " | ops.lp_pool2d(i, 2.0, 2) | ops.pinv(x) | ops.softplus(x) | ops.t(x) | ops.reduce_prod(x) | ops.real(x)"
    " | ops.imag(x) | ops.conj(x) | ops.angle(x) | ops.svd(x) | ops.affine_grid(b[:1, :2], (1, 2, 3, 4))"
    " | ops.tensor_add(x, y) | ops.tensor_pow(x, 2) | ops.tensor_exp(x) | ops.shape_mul((2, 3))"
    " | ops.identity(x) | ops.cast(x, ms.float32) | ops.cast(x, ms.float64) | x.std() | x.var() | x.norm()"
    " | x.logsumexp(0) | x.mean(0) | x.sum() | x.clip(0.0, 1.0) | x.max() | x.argmax()"
    " | ops.clip_by_global_norm((x, y)) | ops.cosine_similarity(x, y) | ops.std_mean(x) | ops.var_mean(x)"
    " | x[0] | x.T | x + y | x - 1 | 2 * x | x / y | x // y | x % y | x ** 2 | x @ y.T | -x | abs(x) | x > y"
    " | x == y | x.copy() | x.astype(ms.float32) | x.reshape(-1) | x.flatten() | ops.norm(x, 1, 1)"
    " | ops.norm(x, 'fro') | ops.gelu(x) | ops.zeros_like(x) | ops.ones_like(x) | ops.full_like(x, 1)"
    " | ops.depend(x, y) | ops.stop_gradient(x) | ops.HookBackward(lambda g: g)(x) | ops.swapaxes(x, 0, 0)"
    " | x.new_ones((2,)) | x.new_zeros((2,)) | ops.squeeze(x) | x.sum(dtype=ms.float32)"
    " | x.sum(dtype=ms.float16) | x.prod() | x.cumsum() | ops.dropout(x, 0.5) | x.trace()"
    " | ops.sum(x, dtype=ms.float32) | ops.cumsum(x, 0, ms.float32) | ops.cumprod(x, 0, dtype=ms.float32)"
    " | x.min() | ops.softmax(x, 0, dtype=ms.float32) | ops.nansum(x, dtype=ms.float32)"
    " | x.cumsum(0, ms.float32) | x.view(3, 2) | ops.std(x, 0, True) | ops.cdist(b, b) | ops.dist(x, y)"
    " | ops.renorm(x, 2, 0, 1.0)"
)
OTHER_ROW = Row(
    OTHERS,
    x=lambda d: d.rng.uniform(0.5, 2, (2, 3)),
    y=lambda d: d.rng.uniform(0.5, 2, (2, 3)),
    b=lambda d: d.rng.uniform(0.5, 2, (2, 3, 3)),
    q=lambda d: d.rng.uniform(0.5, 2, (3, 3)) + 3 * np.eye(3),
    i=lambda d: d.rng.uniform(0.5, 2, (2, 4, 4, 4)),
    g=lambda d: d.rng.uniform(-1, 1, (2, 3, 3, 2)),
    p=lambda d: np.cumsum(d.rng.uniform(0.5, 2, (2, 4)), 1),
    n=lambda d: np.array([0], np.int32),
)


def cases():
    """``{text: (row, expression, number)}`` of the expressions, each by the first case of float32 that is not empty."""
    found, counts = {}, Counter()
    for row in [*ROWS, OTHER_ROW]:
        for i, expression in enumerate(row.expressions):
            numbers = [12 * i + n for n in (0, 1, 6, 7)]
            number = next((n for n in numbers if not is_empty(row.draw(n)[0])), None)
            if number is not None and "nn." not in expression and row.kind(number) == "float32":
                counts[expression] += 1  # rows may share an expression, of other domains
                told = f"{expression} #{counts[expression]}" if counts[expression] > 1 else expression
                found[told] = row, expression, number
    return found


def narrowed(value):
    """An input with float16 in the place of float32."""
    if isinstance(value, Written):
        return Written(narrowed(value.array))
    if isinstance(value, (tuple, list)):
        return type(value)(map(narrowed, value))
    return value.astype(np.float16) if isinstance(value, np.ndarray) and value.dtype == np.float32 else value


def outcome(ms, row, expression, number):
    """What the expression gives in a cell of float16, and in one of float32 for inputs of float16."""
    inputs = row.draw(number)[0]
    narrow = {name: narrowed(value) for name, value in inputs.items()}
    return [dtypes(ms, expression, inputs, ms.float16), dtypes(ms, expression, narrow, ms.float32)]


def dtypes(ms, expression, inputs, mark):
    """The dtypes of an expression's outputs in a marked cell, a plain one's type, or the error's name."""
    made = {name: _made(ms, ms.Tensor, value) for name, value in inputs.items()}

    class Net(ms.nn.Cell):
        """The expression alone."""

        def construct(self, x):
            """The expression's value."""
            return _run(ms, expression, made)

    try:
        outs = Net().to_float(mark)(ms.Tensor([1.0]))
    except Exception as error:
        return f"raises {type(error).__name__}"
    return " ".join(str(y.dtype) if isinstance(y, ms.Tensor) else type(y).__name__ for y in outs)
