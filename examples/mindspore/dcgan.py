"""DCGAN: transposed convolutions against strided ones, BatchNorm, initializers on Conv2d's own argument."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import Normal
from tiny import fill, images

weight_init = Normal(mean=0, sigma=0.02)
gamma_init = Normal(mean=1, sigma=0.02)


class Generator(nn.Cell):
    def __init__(self):
        super().__init__()
        self.generator = nn.SequentialCell(
            nn.Conv2dTranspose(6, 8, 4, 1, "valid", weight_init=weight_init),
            nn.BatchNorm2d(8, gamma_init=gamma_init),
            nn.ReLU(),
            nn.Conv2dTranspose(8, 3, 4, 2, "pad", 1, weight_init=weight_init),
            nn.Tanh(),
        )

    def construct(self, x):
        return self.generator(x)


class Discriminator(nn.Cell):
    def __init__(self):
        super().__init__()
        self.discriminator = nn.SequentialCell(
            nn.Conv2d(3, 6, 4, 2, "pad", 1, weight_init=weight_init),
            nn.LeakyReLU(0.2),
            nn.Conv2d(6, 8, 4, 2, "pad", 1, weight_init=weight_init),
            nn.BatchNorm2d(8, gamma_init=gamma_init),
            nn.LeakyReLU(0.2),
            nn.Conv2d(8, 1, 2, 1, "valid", weight_init=weight_init),
        )
        self.adv_layer = nn.Sigmoid()

    def construct(self, x):
        out = self.discriminator(x)
        return self.adv_layer(out.reshape(out.shape[0], -1))


generator, discriminator = fill(Generator(), 1), fill(Discriminator(), 2)
for net in (generator, discriminator):
    for parameter in net.trainable_params():
        if parameter.name.endswith("gamma"):
            parameter.set_data(ops.ones_like(parameter))
generator.update_parameters_name("generator")
discriminator.update_parameters_name("discriminator")
print([p.name for p in generator.trainable_params()][:2])
adversarial_loss = nn.BCELoss(reduction="mean")
optimizer_d = nn.Adam(discriminator.trainable_params(), learning_rate=0.002, beta1=0.5)
optimizer_g = nn.Adam(generator.trainable_params(), learning_rate=0.002, beta1=0.5)


def generator_forward(z, valid):
    gen_imgs = generator(z)
    return adversarial_loss(discriminator(gen_imgs), valid), gen_imgs


def discriminator_forward(real_imgs, gen_imgs, valid, fake):
    real_loss = adversarial_loss(discriminator(real_imgs), valid)
    fake_loss = adversarial_loss(discriminator(gen_imgs), fake)
    return (real_loss + fake_loss) / 2


grad_generator_fn = ms.value_and_grad(generator_forward, None, optimizer_g.parameters, has_aux=True)
grad_discriminator_fn = ms.value_and_grad(discriminator_forward, None, optimizer_d.parameters)
pictures, _ = images(16, channels=3)
draw = np.random.RandomState(3)
generator.set_train()
discriminator.set_train()
for step in range(3):
    imgs = Tensor(pictures[step * 4 : step * 4 + 4])
    valid, fake = ops.ones((4, 1), ms.float32), ops.zeros((4, 1), ms.float32)
    z = Tensor(draw.standard_normal((4, 6, 1, 1)).astype(np.float32))
    (g_loss, gen_imgs), g_grads = grad_generator_fn(z, valid)
    optimizer_g(g_grads)
    d_loss, d_grads = grad_discriminator_fn(imgs, gen_imgs, valid, fake)
    optimizer_d(d_grads)
    print(f"step {step}: D_loss {d_loss.asnumpy():.5f} G_loss {g_loss.asnumpy():.5f}", gen_imgs.shape)
print(f"{ops.abs(generator(z)).mean().asnumpy():.5f}")
