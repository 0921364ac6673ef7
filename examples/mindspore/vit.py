"""A tiny vision transformer: patches, class token, attention, one training step of Model with smoothed labels."""

import mindspore as ms
import numpy as np
from mindspore import Model, Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer
from mindspore.dataset import NumpySlicesDataset
from mindspore.train import LossMonitor
from tiny import fill, images


class Attention(nn.Cell):
    def __init__(self, dim, num_heads=2):
        super().__init__()
        self.num_heads = num_heads
        self.scale = Tensor((dim // num_heads) ** -0.5)
        self.qkv = nn.Dense(dim, dim * 3)
        self.out = nn.Dense(dim, dim)
        self.attn_matmul_v = ops.BatchMatMul()
        self.q_matmul_k = ops.BatchMatMul(transpose_b=True)
        self.softmax = nn.Softmax(axis=-1)

    def construct(self, x):
        b, n, c = x.shape
        qkv = ops.reshape(self.qkv(x), (b, n, 3, self.num_heads, c // self.num_heads))
        qkv = ops.transpose(qkv, (2, 0, 3, 1, 4))
        q, k, v = ops.unstack(qkv, axis=0)
        attn = self.softmax(ops.mul(self.q_matmul_k(q, k), self.scale))
        out = ops.transpose(self.attn_matmul_v(attn, v), (0, 2, 1, 3))
        return self.out(ops.reshape(out, (b, n, c)))


class FeedForward(nn.Cell):
    def __init__(self, dim, hidden):
        super().__init__()
        self.dense1, self.activation, self.dense2 = nn.Dense(dim, hidden), nn.GELU(), nn.Dense(hidden, dim)

    def construct(self, x):
        return self.dense2(self.activation(self.dense1(x)))


class ResidualCell(nn.Cell):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def construct(self, x):
        return self.cell(x) + x


class ViT(nn.Cell):
    def __init__(self, size=8, patch=4, dim=12, depth=2, classes=4):
        super().__init__()
        count = (size // patch) ** 2
        self.patch_embedding = nn.Conv2d(1, dim, patch, patch, has_bias=True)
        self.cls_token = Parameter(initializer(Normal(sigma=1.0), (1, 1, dim)), name="cls", requires_grad=True)
        self.pos_embedding = Parameter(initializer(Normal(sigma=1.0), (1, count + 1, dim)), name="pos")
        layers = []
        for _ in range(depth):
            layers.append(
                nn.SequentialCell(
                    ResidualCell(nn.SequentialCell(nn.LayerNorm((dim,)), Attention(dim))),
                    ResidualCell(nn.SequentialCell(nn.LayerNorm((dim,)), FeedForward(dim, 24))),
                )
            )
        self.transformer = nn.SequentialCell(layers)
        self.norm = nn.LayerNorm((dim,))
        self.head = nn.Dense(dim, classes)

    def construct(self, x):
        x = self.patch_embedding(x)
        b, c, h, w = x.shape
        x = ops.transpose(x.reshape(b, c, h * w), (0, 2, 1))
        x = ops.concat((ops.tile(self.cls_token, (b, 1, 1)), x), axis=1)
        x = self.norm(self.transformer(x + self.pos_embedding))
        return self.head(x[:, 0])


class CrossEntropySmooth(nn.LossBase):
    def __init__(self, smooth_factor, num_classes):
        super().__init__()
        self.onehot = ops.OneHot()
        self.on_value = Tensor(1.0 - smooth_factor, ms.float32)
        self.off_value = Tensor(1.0 * smooth_factor / (num_classes - 1), ms.float32)
        self.ce = nn.SoftmaxCrossEntropyWithLogits(sparse=False, reduction="mean")

    def construct(self, logit, label):
        label = self.onehot(label, logit.shape[1], self.on_value, self.off_value)
        return self.ce(logit, label)


network = fill(ViT())
for name, parameter in list(network.parameters_and_names())[:8]:
    print(name, parameter.name, parameter.shape)
schedule = nn.CosineDecayLR(min_lr=1e-5, max_lr=5e-3, decay_steps=8)
optimizer = nn.AdamWeightDecay(network.trainable_params(), schedule, weight_decay=0.05)
model = Model(network, loss_fn=CrossEntropySmooth(0.1, 4), optimizer=optimizer, metrics={"acc"}, amp_level="O0")
dataset = NumpySlicesDataset(images(16), ["image", "label"], shuffle=False).batch(4)
model.train(2, dataset, callbacks=LossMonitor(2), dataset_sink_mode=False)
print({key: float(value) for key, value in model.eval(dataset, dataset_sink_mode=False).items()})
print(np.round(model.predict(Tensor(images(2)[0])).asnumpy(), 4).tolist())
