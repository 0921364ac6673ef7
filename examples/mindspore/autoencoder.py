"""An autoencoder that removes noise, trained by nn.TrainOneStepCell around a loss cell of its own."""

import numpy as np
from mindspore import Tensor, nn, ops
from tiny import fill, images


class AutoEncoder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.encoder = nn.SequentialCell(nn.Dense(64, 16, activation="relu"), nn.Dense(16, 4))
        self.decoder = nn.SequentialCell(nn.Dense(4, 16, activation=nn.ReLU()), nn.Dense(16, 64), nn.Tanh())

    def construct(self, x):
        return self.decoder(self.encoder(x))


class ReconstructionLoss(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=True)
        self.net, self.loss = net, nn.MSELoss()

    def construct(self, noisy, clean):
        return self.loss(self.net(noisy), clean)


net = fill(AutoEncoder())
print(net.encoder)
lr = nn.exponential_decay_lr(0.01, 0.9, total_step=12, step_per_epoch=4, decay_epoch=1)
print([round(rate, 6) for rate in lr[::4]])
optimizer = nn.RMSProp(net.trainable_params(), learning_rate=lr, decay=0.9)
step_cell = nn.TrainOneStepCell(ReconstructionLoss(net), optimizer)
step_cell.set_train(True)
clean = images(16)[0].reshape(16, 64)
noisy = clean + np.random.RandomState(9).normal(0, 0.3, clean.shape).astype(np.float32)
for epoch in range(12):
    loss = step_cell(Tensor(noisy), Tensor(clean))
    if epoch % 3 == 0:
        print(f"epoch {epoch}: {loss.asnumpy():.6f}")
code = net.encoder(Tensor(clean[:4]))
print(code.shape, f"{ops.pow(code, 2).mean().asnumpy():.4f}")
print(list(net.parameters_dict()))
net.set_grad(False)
net.encoder.set_train(False)
print(net.training, net.encoder.training, net.decoder.training)
