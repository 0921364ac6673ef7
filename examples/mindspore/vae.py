"""A variational autoencoder with its noise from NumPy: the reparameterisation and the Kullback-Leibler term."""

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from mindspore import Tensor
from tiny import fill, images


class VAE(nn.Cell):
    def __init__(self, size, hidden, latent):
        super().__init__()
        self.fc1 = nn.Dense(size, hidden)
        self.fc_mu, self.fc_var = nn.Dense(hidden, latent), nn.Dense(hidden, latent)
        self.fc2, self.fc3 = nn.Dense(latent, hidden), nn.Dense(hidden, size)
        self.exp, self.relu, self.sigmoid = ops.Exp(), ops.ReLU(), ops.Sigmoid()

    def encode(self, x):
        x = self.relu(self.fc1(x))
        return self.fc_mu(x), self.fc_var(x)

    def decode(self, z):
        return self.sigmoid(self.fc3(self.relu(self.fc2(z))))

    def construct(self, x, noise):
        mu, log_var = self.encode(x)
        z = mu + self.exp(0.5 * log_var) * noise
        return self.decode(z), mu, log_var


net = fill(VAE(64, 16, 3))
reconstruction = nn.BCELoss(reduction="sum")
reduce_sum = ops.ReduceSum()


def forward_fn(x, noise):
    recon, mu, log_var = net(x, noise)
    bce = reconstruction(recon, x)
    kl = -0.5 * reduce_sum(1 + log_var - ops.square(mu) - ops.exp(log_var))
    return (bce + kl) / x.shape[0], bce, kl


optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)
grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, True)
pictures = np.clip(images(20)[0].reshape(20, 64) * 0.5 + 0.5, 0, 1)
draw = np.random.RandomState(4)
for step in range(5):
    noise = Tensor(draw.standard_normal((20, 3)).astype(np.float32))
    (loss, bce, kl), grads = grad_fn(Tensor(pictures), noise)
    optimizer(grads)
    print(f"step {step}: {float(loss):.5f}, {float(bce):.3f}, {float(kl):.4f}")
sample = net.decode(Tensor(draw.standard_normal((2, 3)).astype(np.float32)))
print(sample.shape, f"{sample.sum().asnumpy():.4f}")
