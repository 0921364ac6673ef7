"""A generative adversarial network on small pictures, two optimizers, two gradient functions."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from tiny import fill, images

pictures, _ = images(24, size=4)


class Generator(nn.Cell):
    def __init__(self, latent_size):
        super().__init__()
        self.model = nn.SequentialCell(
            nn.Dense(latent_size, 16), nn.ReLU(), nn.Dense(16, 16), nn.LeakyReLU(0.2), nn.Dense(16, 16), nn.Tanh()
        )

    def construct(self, x):
        return ops.reshape(self.model(x), (-1, 1, 4, 4))


class Discriminator(nn.Cell):
    def __init__(self):
        super().__init__()
        self.model = nn.SequentialCell(nn.Flatten(), nn.Dense(16, 16), nn.LeakyReLU(), nn.Dense(16, 1), nn.Sigmoid())

    def construct(self, x):
        return self.model(x)


net_g, net_d = fill(Generator(6), 1), fill(Discriminator(), 2)
adversarial_loss = nn.BCELoss(reduction="mean")
optimizer_d = nn.Adam(net_d.trainable_params(), learning_rate=2e-3, beta1=0.5, beta2=0.999)
optimizer_g = nn.Adam(net_g.trainable_params(), learning_rate=2e-3, beta1=0.5, beta2=0.999)
optimizer_g.update_parameters_name("optim_g.")
optimizer_d.update_parameters_name("optim_d.")
print([p.name for p in optimizer_g.moment1][:2])


def generator_forward(test_noises):
    fake_data = net_g(test_noises)
    fake_out = net_d(fake_data)
    return adversarial_loss(fake_out, ops.ones_like(fake_out))


def discriminator_forward(real_data, test_noises):
    fake_data = net_g(test_noises)
    fake_out, real_out = net_d(fake_data), net_d(real_data)
    real_loss = adversarial_loss(real_out, ops.ones_like(real_out))
    fake_loss = adversarial_loss(fake_out, ops.zeros_like(fake_out))
    return real_loss + fake_loss


grad_g = ms.value_and_grad(generator_forward, None, net_g.trainable_params())
grad_d = ms.value_and_grad(discriminator_forward, None, net_d.trainable_params())
draw = np.random.RandomState(3)
for step in range(4):
    real = Tensor(pictures[step * 6 : step * 6 + 6])
    noise = Tensor(draw.standard_normal((6, 6)).astype(np.float32))
    loss_d, grads_d = grad_d(real, noise)
    optimizer_d(grads_d)
    loss_g, grads_g = grad_g(noise)
    optimizer_g(grads_g)
    print(f"step {step}: loss_d {loss_d.asnumpy():.6f}, loss_g {loss_g.asnumpy():.6f}")
samples = net_g(noise)
print(samples.shape, f"{samples.mean().asnumpy():.6f}")
