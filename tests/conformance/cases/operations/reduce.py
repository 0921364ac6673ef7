"""Rows of reductions, statistics, orders, scans, norms and linear algebra."""

from conformance.cases.operations.draw import (
    away,
    axes_of,
    axis_of,
    below,
    bools,
    definite,
    distinct,
    number,
    one_of,
    reals,
    rising,
    square,
    whole,
    wholes,
)
from conformance.cases.operations.row import Row

ANY = {"edges": True, "others": True}
KEEP = one_of(False, True)

REDUCTIONS = [
    Row("ops.sum(x, a, k) | ops.ReduceSum(k)(x, a) | x.sum(a, None, k)", x=reals("*"), a=axis_of("x"), k=KEEP, **ANY),
    Row("ops.sum(x) | ops.reduce_sum(x) | ops.ReduceSum()(x) | x.sum()", x=reals(), **ANY),
    Row("ops.reduce_sum(x, a) | ops.ReduceSum()(x, a) | x.sum(a)", x=reals("*"), a=axes_of("x")),
    Row(
        "ops.mean(x, a, k) | ops.ReduceMean(k)(x, a) | x.mean(a, k) | ops.reduce_mean(x, a)",
        x=reals("*"),
        a=axes_of("x"),
        k=KEEP,
        **ANY,
    ),
    Row("ops.prod(x, a, k) | ops.ReduceProd(k)(x, a) | x.prod(a, k)", x=away("*"), a=axis_of("x"), k=KEEP, **ANY),
    Row(
        "ops.amax(x, a, k) | ops.ReduceMax(k)(x, a) | x.amax(a, k) | ops.reduce_max(x, a)",
        x=distinct("*"),
        a=axis_of("x"),
        k=KEEP,
        **ANY,
    ),
    Row(
        "ops.amin(x, a, k) | ops.ReduceMin(k)(x, a) | x.amin(a, k) | ops.reduce_min(x, a)",
        x=distinct("*"),
        a=axis_of("x"),
        k=KEEP,
        **ANY,
    ),
    Row(
        "ops.max(x, a, k) | ops.ArgMaxWithValue(a, k)(x) | x.argmax_with_value(a, k)",
        x=distinct("*"),
        a=axis_of("x"),
        k=KEEP,
        **ANY,
    ),
    Row(
        "ops.min(x, a, k) | ops.ArgMinWithValue(a, k)(x) | x.argmin_with_value(a, k)",
        x=distinct("*"),
        a=axis_of("x"),
        k=KEEP,
        **ANY,
    ),
    Row("x.max(a, k) | x.min(a, k) | x.max() | x.min()", x=distinct("*"), a=axis_of("x"), k=KEEP, **ANY),
    Row("ops.aminmax(x, axis=a, keepdims=k)", x=distinct("*"), a=axis_of("x"), k=KEEP),
    Row(
        "ops.argmax(x, a, k) | ops.argmax(x) | ops.Argmax(a)(x) | x.argmax(a, k)",
        x=distinct("*"),
        a=axis_of("x"),
        k=KEEP,
        **ANY,
    ),
    Row(
        "ops.argmin(x, a, k) | ops.argmin(x) | ops.Argmin(a)(x) | x.argmin(a, k)",
        x=distinct("*"),
        a=axis_of("x"),
        k=KEEP,
        **ANY,
    ),
    Row("ops.all(x, a, k) | ops.ReduceAll(k)(x, a) | x.all(a, k)", x=bools("*"), a=axis_of("x"), k=KEEP),
    Row("ops.any(x, a, k) | ops.ReduceAny(k)(x, a) | x.any(a, k)", x=bools("*"), a=axis_of("x"), k=KEEP),
    Row("ops.count_nonzero(x, a, k)", x=lambda d: reals("*")(d).round(), a=axes_of("x"), k=KEEP, grad=False),
    Row(
        "ops.median(x, a, k) | ops.Median(False, a, k)(x) | x.median(a, k)", x=distinct("m k n"), a=axis_of("x"), k=KEEP
    ),
    Row("ops.std(x, a, b, k) | x.std(a, b, k)", x=reals("3 4 2"), a=axis_of("x"), b=one_of(0, 1), k=KEEP),
    Row("ops.var(x, a, b, k) | x.var(a, b, k)", x=reals("3 4 2"), a=axis_of("x"), b=one_of(0, 1), k=KEEP),
    Row(
        "ops.std_mean(x, a, b, k) | ops.var_mean(x, a, b, k)", x=reals("3 4 2"), a=axis_of("x"), b=one_of(0, 1), k=KEEP
    ),
    Row("ops.ReduceStd((a,), u, k)(x)", x=reals("3 4 2"), a=axis_of("x"), u=KEEP, k=KEEP),
    Row("ops.logsumexp(x, a, k) | x.logsumexp(a, k)", x=reals("m k n"), a=axis_of("x"), k=KEEP),
    Row("ops.nansum(x, a, k) | x.nansum(a, k)", x=reals("m k n"), a=axis_of("x"), k=KEEP, edges=True),
    Row("ops.SquareSumAll()(x, y)", x=reals("m k"), y=reals("m k")),
    Row("ops.L2Loss()(x)", x=reals("*"), edges=True),
]
ORDERS = [
    Row("ops.sort(x, a, k) | ops.Sort(a, k)(x) | x.sort(a, k)", x=distinct("*"), a=axis_of("x"), k=KEEP, others=True),
    Row("ops.argsort(x, a, k) | x.argsort(a, k)", x=distinct("*"), a=axis_of("x"), k=KEEP),
    Row(
        "ops.topk(x, n) | ops.TopK()(x, n) | ops.top_k(x, n) | x.top_k(n) | x.topk(n) | ops.topk(x, n, 0, False)",
        x=distinct("K K"),
        n=whole(1, 5),
    ),
    Row("ops.unique(x) | ops.Unique()(x)", x=wholes(-3, 4, "K")),
    Row(
        "ops.searchsorted(x, y, right=k) | ops.SearchSorted(right=k)(x, y)",
        x=rising("m K"),
        y=reals("m n", -3, 3),
        k=KEEP,
        grad=False,
    ),
    Row("ops.intopk(x, y, n) | ops.InTopK(n)(x, y)", x=distinct("m 5"), y=below(5, "m"), n=whole(1, 5), grad=False),
    Row("ops.bincount(x) | ops.bincount(x, w) | x.bincount(minlength=9)", x=below(6, "K"), w=reals("K"), grad=False),
    Row("ops.histc(x, n, -2.0, 2.0) | x.histc(n, -2.0, 2.0)", x=reals("K"), n=whole(1, 6), grad=False),
    Row("ops.nonzero(x) | ops.NonZero()(x) | x.nonzero()", x=lambda d: reals("*")(d).round(), grad=False),
    Row(
        "ops.cumsum(x, a) | ops.CumSum()(x, a) | x.cumsum(a) | ops.CumSum(True, k)(x, a) | "
        "ops.CumSum(False, True)(x, a)",
        x=reals("m k n"),
        a=axis_of("x"),
        k=KEEP,
        **ANY,
    ),
    Row(
        "ops.cumprod(x, a) | ops.CumProd(True, k)(x, a) | x.cumprod(a)", x=away("m k n"), a=axis_of("x"), k=KEEP, **ANY
    ),
    Row("ops.cummax(x, a) | ops.Cummax(a)(x) | x.cummax(a)", x=distinct("m k n"), a=axis_of("x"), others=True),
    Row("ops.cummin(x, a) | ops.Cummin(a)(x) | x.cummin(a)", x=distinct("m k n"), a=axis_of("x"), others=True),
]
NORMS = [
    Row(
        "ops.norm(x) | x.norm() | ops.norm(x, p, 1) | x.norm(p, 1, True)",
        x=away("m k"),
        p=one_of(1, 2, 3, float("inf")),
    ),
    Row("ops.LpNorm([1], p, k)(x)", x=away("m k n"), p=one_of(1, 2, 3), k=KEEP),
    Row("ops.L2Normalize(a)(x)", x=away("m k n"), a=axis_of("x")),
    Row("ops.cdist(x, y, p) | ops.Cdist(p)(x, y)", x=reals("b m k"), y=reals("b n k", 3, 5), p=one_of(1.0, 2.0, 3.0)),
    Row(
        "ops.renorm(x, p, a, r) | ops.Renorm(p, a, r)(x) | x.renorm(p, a, r)",
        x=away("m k n"),
        p=one_of(1, 2, 3),
        a=axis_of("x"),
        r=number(0.5, 4),
    ),
    Row("ops.dist(x, y, p)", x=away("m k"), y=reals("m k", 3, 5), p=one_of(1, 2, 3)),
    Row("ops.cosine_similarity(x, y, a)", x=away("m 3 k"), y=away("m 3 k"), a=axis_of("x")),
]
PRODUCTS = [
    Row("ops.matmul(x, y) | x.matmul(y) | x @ y", x=reals("m k"), y=reals("k n"), edges=True),
    Row("ops.matmul(x, y) | x @ y", x=reals("b m k"), y=reals("k n")),
    Row("ops.matmul(x, y) | x @ y", x=reals("b 1 m k"), y=reals("c k n")),
    Row("ops.matmul(x, y)", x=reals("k"), y=reals("k n")),
    Row("ops.matmul(x, y)", x=reals("m k"), y=reals("k")),
    Row("ops.matmul(x, y)", x=reals("2 9 8"), y=lambda d: d.rng.uniform(-1, 1, (8, 5))),
    Row("ops.MatMul()(x, y)", x=reals("m k"), y=reals("k n")),
    Row("ops.MatMul(transpose_a=True)(x, y)", x=reals("k m"), y=reals("k n")),
    Row("ops.MatMul(False, True)(x, y)", x=reals("m k"), y=reals("n k")),
    Row("ops.BatchMatMul()(x, y) | ops.bmm(x, y) | x.bmm(y)", x=reals("b m k"), y=reals("b k n")),
    Row("ops.BatchMatMul(True, True)(x, y)", x=reals("b k m"), y=reals("b n k")),
    Row("ops.mm(x, y) | x.mm(y)", x=reals("m k"), y=reals("k n")),
    Row("ops.mv(x, y)", x=reals("m k"), y=reals("k")),
    Row("ops.dot(x, y) | x.dot(y)", x=reals("m k"), y=reals("k n")),
    Row("ops.dense(x, w, b)", x=reals("b m k"), w=reals("n k"), b=reals("n")),
    Row("ops.outer(x, y) | ops.ger(x, y) | ops.Ger()(x, y)", x=reals("m"), y=reals("n")),
    Row("ops.inner(x, y) | x.inner(y)", x=reals("m k"), y=reals("n k")),
    Row("ops.kron(x, y)", x=reals("m k"), y=reals("b n")),
    Row("ops.tensor_dot(x, y, 1)", x=reals("b m k"), y=reals("k n")),
    Row("ops.tensor_dot(x, y, ((0, 2), (1, 0)))", x=reals("b m k"), y=reals("k b n")),
    Row("ops.cross(x, y, 1) | ops.Cross(1)(x, y) | x.cross(y, 1)", x=reals("m 3 k"), y=reals("m 3 k")),
    Row(
        "ops.addmm(z, x, y, beta=a, alpha=b) | z.addmm(x, y, beta=a, alpha=b)",
        x=reals("m k"),
        y=reals("k n"),
        z=reals("m n"),
        a=number(-2, 2),
        b=number(-2, 2),
    ),
    Row(
        "ops.addmv(z, x, y, beta=a, alpha=b) | z.addmv(x, y, a, b)",
        x=reals("m k"),
        y=reals("k"),
        z=reals("m"),
        a=number(-2, 2),
        b=number(-2, 2),
    ),
    Row(
        "ops.addr(z, x, y, beta=a, alpha=b) | z.addr(x, y, a, b)",
        x=reals("m"),
        y=reals("n"),
        z=reals("m n"),
        a=number(-2, 2),
        b=number(-2, 2),
    ),
    Row(
        "ops.addbmm(z, x, y, beta=a, alpha=b) | z.addbmm(x, y, beta=a, alpha=b)",
        x=reals("b m k"),
        y=reals("b k n"),
        z=reals("m n"),
        a=number(-2, 2),
        b=number(-2, 2),
    ),
    Row(
        "ops.baddbmm(z, x, y, a, b) | z.baddbmm(x, y, a, b)",
        x=reals("b m k"),
        y=reals("b k n"),
        z=reals("b m n"),
        a=number(-2, 2),
        b=number(-2, 2),
    ),
    Row("ops.einsum('bij,bjk->bik', x, y)", x=reals("b m k"), y=reals("b k n")),
    Row("ops.einsum('ij,kj->ik', x, y)", x=reals("m k"), y=reals("n k")),
    Row("ops.einsum('ij->j', x)", x=reals("m k")),
]
MATRICES = [
    Row("ops.inverse(x) | ops.MatrixInverse()(x) | x.inverse() | ops.MatrixInverse(True)(x)", x=square("b 3 3")),
    Row(
        "ops.det(x) | ops.matrix_determinant(x) | ops.MatrixDeterminant()(x) | x.det() | x.matrix_determinant()",
        x=square("b 3 3"),
    ),
    Row(
        "ops.slogdet(x) | ops.log_matrix_determinant(x) | ops.LogMatrixDeterminant()(x) | "
        "x.slogdet() | x.log_matrix_determinant()",
        x=square("b 3 3"),
    ),
    Row("ops.matrix_solve(x, y, k) | ops.MatrixSolve(k)(x, y)", x=square("b 3 3"), y=reals("b 3 n"), k=KEEP),
    Row("ops.cholesky(x, k) | ops.Cholesky(k)(x) | x.cholesky(k)", x=definite("b 3 3"), k=KEEP),
    Row("ops.trace(x) | ops.Trace()(x) | x.trace()", x=reals("m k")),
    Row("ops.matrix_band_part(x, m, n)", x=reals("b m k"), m=whole(-1, 3), n=whole(-1, 3)),
    Row("ops.MatrixBandPart()(x, m, n)", x=reals("b m k"), m=whole(-1, 3), n=whole(-1, 3)),
    Row("ops.diag(x) | ops.Diag()(x) | x.diag()", x=reals("k")),
    Row("ops.DiagPart()(x)", x=reals("k k")),
    Row("ops.diagonal(x, n, 0, 1) | x.diagonal(n, 0, 1)", x=reals("m k n"), n=one_of(0)),
    Row("ops.tril(x, n) | ops.Tril(n)(x) | x.tril(n)", x=reals("b m k"), n=whole(-2, 3), others=True),
    Row("ops.triu(x, n) | ops.Triu(n)(x) | x.triu(n)", x=reals("b m k"), n=whole(-2, 3), others=True),
]
ROWS = [*REDUCTIONS, *ORDERS, *NORMS, *PRODUCTS, *MATRICES]
