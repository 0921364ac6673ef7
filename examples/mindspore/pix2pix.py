"""Pix2Pix: a U-shaped generator from nested cells, a conditional discriminator, adversarial plus L1 loss."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from tiny import fill, images


class UNetSkipConnectionBlock(nn.Cell):
    def __init__(self, outer_nc, inner_nc, in_planes, submodule=None, outermost=False, innermost=False):
        super().__init__()
        down = [nn.LeakyReLU(0.2), nn.Conv2d(in_planes, inner_nc, 4, 2, pad_mode="pad", padding=1)]
        up_in = inner_nc if innermost else inner_nc * 2
        up = [nn.ReLU(), nn.Conv2dTranspose(up_in, outer_nc, 4, 2, pad_mode="pad", padding=1)]
        if outermost:
            layers = [down[1], submodule, *up, nn.Tanh()]
        elif innermost:
            layers = [*down, *up, nn.BatchNorm2d(outer_nc)]
        else:
            layers = [*down, nn.BatchNorm2d(inner_nc), submodule, *up, nn.BatchNorm2d(outer_nc)]
        self.model, self.skip_connections = nn.SequentialCell(layers), not outermost

    def construct(self, x):
        out = self.model(x)
        if self.skip_connections:
            out = ops.concat((out, x), axis=1)
        return out


class Discriminator(nn.Cell):
    def __init__(self, in_planes):
        super().__init__()
        self.features = nn.SequentialCell(
            nn.Conv2d(in_planes, 4, 4, 2, pad_mode="pad", padding=1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(4, 8, 4, 2, pad_mode="pad", padding=1, has_bias=True),
            nn.BatchNorm2d(8),
            nn.LeakyReLU(0.2),
            nn.Conv2d(8, 1, 2, 1, pad_mode="same"),
        )

    def construct(self, x, y):
        return self.features(ops.concat((x, y), axis=1))


inner = UNetSkipConnectionBlock(4, 6, 4, innermost=False, submodule=UNetSkipConnectionBlock(6, 6, 6, innermost=True))
net_generator = fill(UNetSkipConnectionBlock(2, 4, 2, submodule=inner, outermost=True), 1)
net_discriminator = fill(Discriminator(4), 2)
print([p.name for p in net_generator.trainable_params()])
loss_f = nn.BCEWithLogitsLoss()
l1_loss = nn.L1Loss()
g_optim = nn.Adam(net_generator.trainable_params(), learning_rate=2e-3, beta1=0.5, beta2=0.999)
d_optim = nn.Adam(net_discriminator.trainable_params(), learning_rate=2e-3, beta1=0.5, beta2=0.999)


def forward_dis(real_a, real_b):
    fake_b = net_generator(real_a)
    pred_fake, pred_real = net_discriminator(real_a, fake_b), net_discriminator(real_a, real_b)
    loss_d_fake = loss_f(pred_fake, ops.zeros_like(pred_fake))
    loss_d_real = loss_f(pred_real, ops.ones_like(pred_real))
    return (loss_d_fake + loss_d_real) * 0.5


def forward_gan(real_a, real_b):
    fake_b = net_generator(real_a)
    pred_fake = net_discriminator(real_a, fake_b)
    return loss_f(pred_fake, ops.ones_like(pred_fake)) * 0.5 + l1_loss(fake_b, real_b) * 100


grad_d = ms.value_and_grad(forward_dis, None, net_discriminator.trainable_params())
grad_g = ms.value_and_grad(forward_gan, None, net_generator.trainable_params())
a, _ = images(2, size=16, channels=2)
real_a, real_b = Tensor(a), Tensor(-a[:, ::-1].copy())
net_generator.set_train()
net_discriminator.set_train()
for epoch in range(3):
    loss_d, grads = grad_d(real_a, real_b)
    d_optim(grads)
    loss_g, grads = grad_g(real_a, real_b)
    g_optim(grads)
    print(f"epoch {epoch}: d_loss {float(loss_d):.5f}, g_loss {float(loss_g):.4f}")
print(np.round(net_generator(real_a)[0, 0, 0, :4].asnumpy(), 3).tolist())
