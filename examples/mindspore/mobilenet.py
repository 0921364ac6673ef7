"""A MobileNetV2-like network: depthwise groups, ReLU6, inverted residuals, global pooling, a frozen backbone."""

import mindspore as ms
from mindspore import Tensor, nn, ops
from tiny import fill, images


def make_divisible(value, divisor=4):
    return max(divisor, int(value + divisor / 2) // divisor * divisor)


class ConvBNReLU(nn.Cell):
    def __init__(self, in_planes, out_planes, kernel_size=3, stride=1, groups=1):
        super().__init__()
        padding = (kernel_size - 1) // 2
        conv = nn.Conv2d(in_planes, out_planes, kernel_size, stride, pad_mode="pad", padding=padding, group=groups)
        self.features = nn.SequentialCell([conv, nn.BatchNorm2d(out_planes), nn.ReLU6()])

    def construct(self, x):
        return self.features(x)


class InvertedResidual(nn.Cell):
    def __init__(self, inp, oup, stride, expand_ratio):
        super().__init__()
        hidden = inp * expand_ratio
        self.use_res_connect = stride == 1 and inp == oup
        layers = [] if expand_ratio == 1 else [ConvBNReLU(inp, hidden, kernel_size=1)]
        layers.extend(
            [
                ConvBNReLU(hidden, hidden, stride=stride, groups=hidden),
                nn.Conv2d(hidden, oup, kernel_size=1, stride=1, has_bias=False),
                nn.BatchNorm2d(oup),
            ]
        )
        self.conv = nn.SequentialCell(layers)
        self.cast = ops.Cast()

    def construct(self, x):
        identity, x = x, self.conv(x)
        return ops.add(identity, x) if self.use_res_connect else x


class MobileNet(nn.Cell):
    def __init__(self, classes=4):
        super().__init__()
        width = make_divisible(5)
        self.features = nn.SequentialCell(
            [ConvBNReLU(1, width), InvertedResidual(width, width, 1, 1), InvertedResidual(width, 8, 2, 2)]
        )
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.SequentialCell([nn.Flatten(), nn.Dropout(p=0.0), nn.Dense(8, classes, weight_init="ones")])

    def construct(self, x):
        return self.head(self.pool(self.features(x)))


net = fill(MobileNet())
print([(p.name, p.shape) for p in net.trainable_params() if p.ndim == 4])
pictures, labels = images(12)
x, y = Tensor(pictures), Tensor(labels)
loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9, weight_decay=4e-5)
step = nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), optimizer)
step.set_train()
print([f"{step(x, y).asnumpy():.5f}" for _ in range(4)])
print(f"{float(net.features[0].features[1].moving_mean.mean()):.5f}")

for param in net.features.get_parameters():
    param.requires_grad = False
net.features.set_grad(False)
optimizer = nn.Momentum(net.head.trainable_params(), 0.1, 0.9)
grad_fn = ms.value_and_grad(lambda a, b: loss_fn(net(a), b), None, optimizer.parameters)
for _ in range(2):
    loss, grads = grad_fn(x, y)
    optimizer(grads)
    print(f"{float(loss):.5f}", len(grads))
