"""A tiny U-Net that segments squares, with resizing, concatenation and a Dice loss beside cross entropy."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from tiny import fill


def double_conv(in_channel, out_channel):
    return nn.SequentialCell(
        nn.Conv2d(in_channel, out_channel, 3),
        nn.BatchNorm2d(out_channel),
        nn.ReLU(),
        nn.Conv2d(out_channel, out_channel, 3, has_bias=True),
        nn.ReLU(),
    )


class UNet(nn.Cell):
    def __init__(self, classes=2):
        super().__init__()
        self.down1, self.down2, self.middle = double_conv(1, 4), double_conv(4, 6), double_conv(6, 8)
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.up = nn.Conv2dTranspose(8, 6, 2, stride=2, pad_mode="same")
        self.merge2, self.merge1 = double_conv(12, 6), double_conv(10, 4)
        self.final = nn.Conv2d(4, classes, 1, has_bias=True)

    def construct(self, x):
        first = self.down1(x)
        second = self.down2(self.pool(first))
        x = self.up(self.middle(self.pool(second)))
        x = self.merge2(ops.concat((x, second), axis=1))
        x = ops.ResizeNearestNeighbor((first.shape[2], first.shape[3]))(x)
        return self.final(self.merge1(ops.concat([x, first], 1)))


def squares(count, size=8, seed=0):
    draw = np.random.RandomState(seed)
    masks = np.zeros((count, size, size), np.int32)
    for mask in masks:
        top, left = draw.randint(0, size // 2, 2)
        mask[top : top + 4, left : left + 4] = 1
    noisy = masks[:, None] + draw.normal(0, 0.2, (count, 1, size, size))
    return Tensor(noisy.astype(np.float32)), Tensor(masks)


net = fill(UNet())
pictures, masks = squares(4)
cross_entropy = nn.CrossEntropyLoss()


def dice_loss(logits, masks):
    p = ops.softmax(logits, axis=1)[:, 1]
    masks = masks.astype(ms.float32)
    return 1 - 2 * (p * masks).sum() / (p.sum() + masks.sum())


def forward(x, y):
    logits = net(x)
    return cross_entropy(logits, y) + dice_loss(logits, y), logits


optimizer = nn.Adam(net.trainable_params(), 0.005, weight_decay=1e-4)
grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
net.set_train()
for step in range(4):
    (loss, logits), grads = grad_fn(pictures, masks)
    optimizer(grads)
    hits = (logits.argmax(1) == masks).astype(ms.float32).mean()
    print(f"step {step}: loss {float(loss):.5f}, pixels {float(hits):.4f}")
print(logits.shape, sum(p.size for p in net.trainable_params()))
