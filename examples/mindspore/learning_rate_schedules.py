"""Every dynamic learning rate and schedule, one of one's own, and an optimizer that follows it."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.nn import learning_rate_schedule


def shown(rates):
    return [f"{rate:.6f}" for rate in rates]


print(shown(nn.piecewise_constant_lr([2, 3, 5], [0.1, 0.05, 0.01])))
print(shown(nn.exponential_decay_lr(0.1, 0.9, 6, 2, 1)))
print(shown(nn.exponential_decay_lr(0.1, 0.9, 6, 2, 2, is_stair=True)))
print(shown(nn.natural_exp_decay_lr(0.1, 0.9, 6, 2, 2, True)))
print(shown(nn.inverse_decay_lr(0.1, 0.5, 6, 1, 1, True)))
print(shown(nn.cosine_decay_lr(0.01, 0.1, 6, 2, 2)))
print(shown(nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5)))
print(shown(nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 1, 0.5, update_decay_epoch=True)))
print(shown(nn.warmup_lr(0.1, 6, 2, 2)))

steps = [Tensor(step, ms.int32) for step in (0, 1, 3, 5)]
for schedule in (
    nn.ExponentialDecayLR(0.1, 0.9, 4),
    nn.NaturalExpDecayLR(0.1, 0.9, 4, is_stair=True),
    nn.InverseDecayLR(0.1, 0.9, 4),
    nn.CosineDecayLR(0.01, 0.1, 4),
    nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5),
    nn.WarmUpLR(0.1, 4),
):
    print(type(schedule).__name__, [f"{schedule(step).asnumpy():.6f}" for step in steps])


class WarmupCosine(learning_rate_schedule.LearningRateSchedule):
    def __init__(self, base, warmup, total):
        super().__init__()
        self.base, self.warmup, self.total = base, warmup, total
        self.pi = Tensor(np.pi, ms.float32)

    def construct(self, global_step):
        step = global_step.astype(ms.float32)
        rising = self.base * (step + 1) / self.warmup
        falling = self.base * 0.5 * (1 + ops.cos(self.pi * (step - self.warmup) / (self.total - self.warmup)))
        return ops.select(step < self.warmup, rising, falling)


x = Parameter(Tensor([4.0, -2.0], ms.float32), name="x")
optimizer = nn.SGD([x], learning_rate=WarmupCosine(0.2, 2, 6), momentum=0.5)
grad_fn = ops.value_and_grad(lambda: ops.square(x).sum(), None, optimizer.parameters)
for step in range(5):
    rate = optimizer.learning_rate(Tensor([step], ms.int32))
    loss, grads = grad_fn()
    optimizer(grads)
    print(f"step {step}: lr {float(rate.sum()):.6f}, loss {float(loss):.6f}")
print([f"{value:.6f}" for value in x.asnumpy()], optimizer.global_step.asnumpy().tolist())
