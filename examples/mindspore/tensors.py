"""Tensors: making, attributes, indexing, arithmetic, joining, and the way to NumPy and back."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops
from mindspore.common.initializer import Constant, One, initializer

x = Tensor([1, 0, 1, 0])
print(x, x.shape, x.dtype)
x = Tensor(np.array([1.0, 2.5], np.float32))
print(x, x.dtype, x.itemsize, x.nbytes, x.ndim, x.size, x.strides)
x = initializer(Constant(3), [2, 2], ms.float32).init_data()
print(x)
print(initializer("ones", [3], ms.int32).init_data(), initializer(One(), [2], ms.float16).init_data())
x_ones = ops.ones_like(x)
print(f"Ones Tensor: \n {x_ones} \n")
print(ops.zeros((2, 3), ms.float32), ops.eye(2, 2, ms.int32), ops.arange(3))

tensor = Tensor(np.array([[0, 1], [2, 3]]).astype(np.float32))
print(f"First row: {tensor[0]}")
print(f"value of bottom right corner: {tensor[1, 1]}")
print(f"Last column: {tensor[:, -1]}")
print(f"First column: {tensor[..., 0]}")
tensor[0, 1] = 7
tensor[1] += 1
print(tensor)
print(tensor[tensor > 2], tensor[Tensor([1, 0])], tensor[[1]])

x = Tensor(np.array([1, 2, 3]), ms.float32)
y = Tensor(np.array([4, 5, 6]), ms.float32)
print("add:", x + y)
print("sub:", x - y)
print("mul:", x * y)
print("div:", y / x)
print("mod:", y % x)
print("floordiv:", y // x)
print("pow:", x**2, "neg:", -x, "2-x:", 2 - x, "1/x:", 1 / x)
print("compare:", x > 2, x == y, (x < y).all())

data1 = Tensor(np.array([[0, 1], [2, 3]]).astype(np.float32))
data2 = Tensor(np.array([[4, 5], [6, 7]]).astype(np.float32))
print(ops.concat((data1, data2), axis=0))
print(ops.stack([data1, data2]).shape, ops.split(data1, 1, axis=1)[1])
print(data1.T, data1.reshape(-1), data1.view(4, 1).shape, data1.expand_dims(0).shape, data1.swapaxes(0, 1))
print(data1.mean(), data1.sum(axis=0), data1.max(), data1.argmax(axis=1), data1.std(), data1.var(), data1.cumsum(0))
print(ops.matmul(data1, data2), data1 @ data2)
print(data1.astype(ms.int32), data1.to(ms.float16).dtype, int(data1[1, 1]), float(data1.mean()), bool(data1[0, 1] > 0))

t = ops.ones(5, ms.float32)
n = t.asnumpy()
print(f"n: {n}", type(n))
n2 = np.ones(5)
t2 = Tensor.from_numpy(n2)
np.add(n2, 1, out=n2)
print(f"n: {n2}", f"t: {t2}", t2.dtype)
print(repr(Tensor([[1.5, 2], [3, 4]])), Tensor(3), Tensor(True), len(tensor), [float(v) for v in t[:2]])
print(Tensor([1.0, float("nan")]).isnan())
print(ms.dtype_to_nptype(ms.int32), ms.ops.cast(t, ms.bool_), ops.where(x > 1, x, y), x.copy() is x)
