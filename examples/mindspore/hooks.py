"""Hooks: before and after a cell, on its gradients, on a tensor's gradient by HookBackward, on a parameter."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from tiny import fill

ms.set_context(mode=ms.PYNATIVE_MODE)


def forward_pre_hook_fn(cell, inputs):
    print("pre", len(inputs), inputs[0].shape)
    return inputs


def forward_hook_fn(cell, inputs, output):
    print("forward", len(inputs), output.shape)
    return output * 2


def backward_hook_fn(cell, grad_input, grad_output):
    print("backward", len(grad_input), len(grad_output), grad_output[0].shape)


def hook_fn(grad):
    print("gradient", np.round(grad[0].asnumpy(), 5).tolist())


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = fill(nn.Dense(3, 2))
        self.relu = nn.ReLU()
        self.hook = ops.HookBackward(hook_fn)
        self.handle_pre = self.relu.register_forward_pre_hook(forward_pre_hook_fn)
        self.handle = self.relu.register_forward_hook(forward_hook_fn)
        self.handle_back = self.relu.register_backward_hook(backward_hook_fn)

    def construct(self, x):
        x = self.hook(self.dense(x))
        return self.relu(x).sum()


net = Net()
x = Tensor(np.array([[1.0, -0.5, 2.0]], np.float32))
print(f"{float(net(x)):.6f}")
grad = ops.GradOperation(get_all=True)
print(np.round(grad(net)(x)[0].asnumpy(), 5).tolist())
net.handle_pre.remove()
net.handle.remove()
net.handle_back.remove()
print(np.round(ms.grad(net)(x).asnumpy(), 5).tolist())
print(f"{float(net(x)):.6f}")
