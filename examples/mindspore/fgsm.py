"""The fast gradient sign method: pictures changed by the sign of the loss's gradient fool a trained network."""

import mindspore as ms
import numpy as np
from mindspore import Model, Tensor, nn, ops
from mindspore.dataset import NumpySlicesDataset
from tiny import fill, images


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 3, pad_mode="same")
        self.conv2 = nn.Conv2d(6, 8, 3, pad_mode="valid")
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(8, 16)
        self.fc2 = nn.Dense(16, 4)

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        return self.fc2(self.relu(self.fc1(self.flatten(x))))


class WithLossCell(nn.Cell):
    def __init__(self, network, loss_fn):
        super().__init__()
        self._network, self._loss_fn = network, loss_fn

    def construct(self, data, label):
        return self._loss_fn(self._network(data), label)


class GradWrapWithLoss(nn.Cell):
    def __init__(self, network):
        super().__init__()
        self._grad_all = ops.GradOperation(get_all=True, sens_param=False)
        self._network = network

    def construct(self, inputs, labels):
        return self._grad_all(self._network)(inputs, labels)[0]


class FastGradientSignMethod:
    def __init__(self, network, eps=0.07, loss_fn=None):
        self._grad_all = GradWrapWithLoss(WithLossCell(network, loss_fn))
        self._grad_all.set_train()
        self._eps = eps

    def generate(self, inputs, labels):
        gradient = self._grad_all(Tensor(inputs), Tensor(labels)).asnumpy()
        return inputs + self._eps * np.sign(gradient)


pictures, labels = images(32)
net = fill(LeNet5())
net_loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
model = Model(net, net_loss, nn.Adam(net.trainable_params(), 0.01), metrics={"acc": nn.Accuracy()})
dataset = NumpySlicesDataset((pictures, labels), ["image", "label"], shuffle=False).batch(8, drop_remainder=True)
model.train(4, dataset, dataset_sink_mode=False)
print({name: float(value) for name, value in model.eval(dataset, dataset_sink_mode=False).items()})

for eps in (0.0, 0.1, 0.5):
    attack = FastGradientSignMethod(net, eps=eps, loss_fn=net_loss)
    advs = np.concatenate(
        [attack.generate(batch[0].asnumpy(), batch[1].asnumpy()) for batch in dataset.create_tuple_iterator()]
    )
    logits = model.predict(ms.Tensor(advs.astype(np.float32)))
    accuracy = np.mean(np.argmax(logits.asnumpy(), axis=1) == labels)
    print(f"eps {eps}: accuracy {accuracy:.4f}, loss {net_loss(logits, Tensor(labels)).asnumpy():.5f}")
