"""A Primitive of one's own by its attributes and inference, and constants computed while a network is built."""

import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.ops import PrimitiveWithInfer, constexpr, prim_attr_register
from mindspore.ops import functional as F  # noqa: N812
from mindspore.ops import operations as P  # noqa: N812


class Scaled(PrimitiveWithInfer):
    @prim_attr_register
    def __init__(self, factor=1.0, mode="plain"):
        self.init_prim_io_names(inputs=["x"], outputs=["y"])

    def infer_shape(self, x):
        return x

    def infer_dtype(self, x):
        return x


op = Scaled(2.5)
print(op.name, op.factor, op.mode, op.attrs["factor"], op.infer_shape([2, 3]))
op.add_prim_attr("note", 7)
print(op.attrs["note"], op.del_prim_attr("note") is op, "note" in op.attrs)


@constexpr
def doubled(shape):
    return tuple(2 * size for size in shape)


class Upsample(nn.Cell):
    def construct(self, x):
        return ops.ResizeNearestNeighbor(doubled(F.shape(x)[2:]))(x)


x = Tensor(np.linspace(-1, 1, 4).astype(np.float32).reshape(1, 1, 2, 2))
print(Upsample()(x)[0, 0], doubled((2, 3)))
print(P.ReLU()(x).sum(), P.ReLU(), P.ReduceSum(keep_dims=True)(x, 3).shape)
print(ops.grad(Upsample())(x)[0, 0], F.tuple_to_array((1, 2, 3)))
