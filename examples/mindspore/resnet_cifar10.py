"""A small residual network on a folder in CIFAR-10's binary format."""

import os

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.vision as vision
import numpy as np
from mindspore import nn
from mindspore.common.initializer import Normal
from tiny import fill


def write_cifar10(folder, count):
    draw = np.random.RandomState(0)
    os.makedirs(folder)
    colours = draw.randint(0, 256, (10, 3, 1, 1))
    for name in ("data_batch_1.bin", "test_batch.bin"):
        with open(os.path.join(folder, name), "wb") as file:
            for index in range(count):
                picture = np.clip(colours[index % 10] + draw.randint(-20, 20, (3, 32, 32)), 0, 255)
                file.write(bytes([index % 10]) + picture.astype(np.uint8).tobytes())
            file.truncate(10000 * 3073)  # the format's own size; the rest is not read


def create_dataset(folder, usage, resize, batch_size):
    data_set = ds.Cifar10Dataset(folder, usage=usage, num_samples=20, shuffle=False)
    trans = [
        vision.Resize((resize, resize)),
        vision.Rescale(1.0 / 255.0, 0.0),
        vision.Normalize([0.4914, 0.4822, 0.4465], [0.2023, 0.1994, 0.2010]),
        vision.HWC2CHW(),
    ]
    data_set = data_set.map(operations=trans, input_columns="image")
    data_set = data_set.map(operations=lambda x: x.astype(np.int32), input_columns="label")
    return data_set.batch(batch_size)


class ResidualBlockBase(nn.Cell):
    expansion = 1

    def __init__(self, in_channel, out_channel, stride=1, down_sample=None):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channel, out_channel, 3, stride=stride, weight_init=Normal(mean=0, sigma=0.02))
        self.norm1 = nn.BatchNorm2d(out_channel)
        self.conv2 = nn.Conv2d(out_channel, out_channel, 3, weight_init=Normal(mean=0, sigma=0.02))
        self.norm2 = nn.BatchNorm2d(out_channel)
        self.relu = nn.ReLU()
        self.down_sample = down_sample

    def construct(self, x):
        identity = x
        out = self.relu(self.norm1(self.conv1(x)))
        out = self.norm2(self.conv2(out))
        if self.down_sample is not None:
            identity = self.down_sample(x)
        out += identity
        return self.relu(out)


def make_layer(last_out_channel, channel, block_nums, stride=1):
    down_sample = None
    if stride != 1 or last_out_channel != channel:
        down_sample = nn.SequentialCell(
            [nn.Conv2d(last_out_channel, channel, 1, stride=stride), nn.BatchNorm2d(channel, gamma_init="ones")]
        )
    layers = [ResidualBlockBase(last_out_channel, channel, stride=stride, down_sample=down_sample)]
    for _ in range(1, block_nums):
        layers.append(ResidualBlockBase(channel, channel))
    return nn.SequentialCell(layers)


class ResNet(nn.Cell):
    def __init__(self, num_classes):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 3, stride=1)
        self.norm = nn.BatchNorm2d(4)
        self.relu = nn.ReLU()
        self.max_pool = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
        self.layer1 = make_layer(4, 4, 2)
        self.layer2 = make_layer(4, 8, 1, stride=2)
        self.avg_pool = nn.AvgPool2d(kernel_size=4)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(8, num_classes)

    def construct(self, x):
        x = self.max_pool(self.relu(self.norm(self.conv1(x))))
        x = self.layer2(self.layer1(x))
        return self.fc(self.flatten(self.avg_pool(x)))


write_cifar10("cifar-10-batches-bin", 20)
dataset_train = create_dataset("cifar-10-batches-bin", "train", 16, 10)
dataset_val = create_dataset("cifar-10-batches-bin", "test", 16, 10)
print(dataset_train.get_dataset_size(), dataset_train.get_col_names(), dataset_train.output_shapes())

network = fill(ResNet(10))
print(sum(p.size for p in network.trainable_params()), len(list(network.get_parameters())))
num_epochs = 2
lr = nn.cosine_decay_lr(min_lr=0.001, max_lr=0.05, total_step=2 * num_epochs, step_per_epoch=2, decay_epoch=num_epochs)
print([round(rate, 6) for rate in lr])
opt = nn.Momentum(params=network.trainable_params(), learning_rate=lr, momentum=0.9)
loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")


def forward_fn(inputs, targets):
    return loss_fn(network(inputs), targets)


grad_fn = ms.value_and_grad(forward_fn, None, opt.parameters)
for epoch in range(num_epochs):
    network.set_train()
    losses = []
    for image, label in dataset_train.create_tuple_iterator(num_epochs=num_epochs):
        loss, grads = grad_fn(image, label)
        opt(grads)
        losses.append(loss.asnumpy())
    network.set_train(False)
    metric = nn.Accuracy("classification")
    metric.clear()
    for image, label in dataset_val.create_tuple_iterator():
        metric.update(network(image), label)
    print(f"Epoch: [{epoch + 1}/{num_epochs}], losses: {losses[0]:.5f} {losses[1]:.5f}, {metric.eval():.3f}")
ms.save_checkpoint(network, "best.ckpt")
print(f"{float(network.norm.moving_mean.sum()):.6f}", list(ms.load_checkpoint("best.ckpt"))[:3])
