"""Weight initializers: constants exactly, random ones by their bounds and moments, one of one's own, by name."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.common.initializer import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Identity,
    Initializer,
    Normal,
    One,
    Orthogonal,
    TruncatedNormal,
    Uniform,
    XavierNormal,
    XavierUniform,
    Zero,
    initializer,
)

print(initializer(Constant(0.5), [2], ms.float32).init_data(), initializer(Zero(), 3).init_data())
print(initializer(Identity(), [2, 3], ms.float32).init_data())
print(initializer(Dirac(groups=1), [2, 1, 3], ms.float32).init_data().asnumpy().tolist())

wide = (200, 50)
for init, bound in (
    (Uniform(0.3), 0.3),
    (XavierUniform(), (6 / 250) ** 0.5),
    (XavierUniform(gain=2), 2 * (6 / 250) ** 0.5),
    (HeUniform(), (6 / 50) ** 0.5),
    (HeUniform(negative_slope=5**0.5), (1 / 50) ** 0.5),
):
    values = initializer(init, wide, ms.float32).init_data().asnumpy()
    print(type(init).__name__, np.abs(values).max() <= bound + 1e-6, np.abs(values).max() > 0.95 * bound)
for init, spread in (
    (Normal(0.1), 0.1),
    (XavierNormal(), (2 / 250) ** 0.5),
    (HeNormal(), (2 / 50) ** 0.5),
    (HeNormal(mode="fan_out", nonlinearity="relu"), (2 / 200) ** 0.5),
):
    values = initializer(init, wide, ms.float32).init_data().asnumpy()
    print(type(init).__name__, abs(values.std() / spread - 1) < 0.05, abs(values.mean()) < spread / 10)
values = initializer(Orthogonal(gain=1.0), (4, 8), ms.float32).init_data().asnumpy()
print("Orthogonal", np.allclose(values @ values.T, np.eye(4), atol=1e-5))
values = initializer(TruncatedNormal(0.2), wide, ms.float32).init_data().asnumpy()
print("TruncatedNormal", abs(values.std() - 0.2) < 0.01)


class Ramp(Initializer):
    def _initialize(self, arr):
        arr[:] = np.linspace(0, 1, arr.size).reshape(arr.shape)


dense = nn.Dense(3, 2, weight_init=Ramp(), bias_init="ones")
print(dense.weight.asnumpy().tolist(), dense.bias.asnumpy().tolist())
parameter = Parameter(initializer(One(), [2, 2], ms.float16), name="p", requires_grad=False)
print(parameter, parameter.asnumpy().tolist())
parameter.set_data(initializer(Constant(4), [2, 2], ms.float16))
print(parameter.asnumpy().tolist(), parameter.dtype)
ms.set_seed(5)
first = initializer("normal", [3]).init_data().asnumpy()
ms.set_seed(5)
print(np.array_equal(first, initializer("normal", [3]).init_data().asnumpy()), ms.get_seed())
conv = nn.Conv2d(2, 4, 3, weight_init=Tensor(np.ones((4, 2, 3, 3), np.float32)), has_bias=True, bias_init=Constant(2))
print(float(conv.weight.sum()), conv.bias.asnumpy().tolist())
