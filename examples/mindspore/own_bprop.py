"""Gradients of one's own: bprop of a Cell, stop_gradient, GradOperation in every form, and the second derivative."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops


class Clip(nn.Cell):
    """Rounding whose gradient passes straight through, clipped."""

    def construct(self, x):
        return ops.round(x)

    def bprop(self, x, out, dout):
        return (ops.clip_by_value(dout, Tensor(-0.5, ms.float32), Tensor(0.5, ms.float32)),)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.z = Parameter(Tensor(np.array([1.5], np.float32)), name="z")
        self.clip = Clip()
        self.matmul = ops.MatMul()

    def construct(self, x, y):
        return self.matmul(self.clip(x) * self.z, y)


net = Net()
x = Tensor([[0.8, 0.6, 0.2], [1.8, 1.3, 1.1]], ms.float32)
y = Tensor([[0.1, 3.3, 1.1], [1.1, 0.2, 1.4], [1.1, 2.2, 0.3]], ms.float32)
sens = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) / 10)


def shown(value):
    if isinstance(value, (tuple, list)):
        return [shown(part) for part in value]
    return np.round(value.asnumpy(), 4).tolist()


print(shown(ops.GradOperation()(net)(x, y)))
print(shown(ops.GradOperation(get_all=True)(net)(x, y)))
print(shown(ops.GradOperation(get_by_list=True)(net, ParameterTuple(net.trainable_params()))(x, y)))
print(shown(ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())(x, y)))
print(shown(ops.GradOperation(sens_param=True)(net)(x, y, sens)))
print(shown(ms.grad(net, grad_position=(0, 1))(x, y)[1]))
print(shown(ms.grad(net, grad_position=None, weights=net.trainable_params())(x, y)))


def function(x, y):
    return x**3 * y, x + y


a, b = Tensor([2.0, 3.0]), Tensor([1.0, -1.0])
print(shown(ms.grad(lambda x, y: function(x, y)[0])(a, b)))
value, aux = ms.grad(function, grad_position=(0, 1), has_aux=True)(a, b)
print(shown(value), shown(aux))
print(shown(ms.grad(ms.grad(lambda x: x**3))(a)))
print(shown(ms.grad(lambda x: x * ops.stop_gradient(x))(a)))
value, gradient = ms.value_and_grad(lambda x: ops.sin(x).sum())(a)
print(shown(value), shown(gradient))
inner = ms.value_and_grad(net, grad_position=0, weights=net.trainable_params())(x, y)
print(shown(inner[1][1]), len(inner[1]))
