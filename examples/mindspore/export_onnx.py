"""Models that leave: exported to ONNX, read again from a checkpoint; what is refused."""

import os

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn
from tiny import fill


class LeNet5(nn.Cell):
    def __init__(self, num_class=4):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 3, 3, pad_mode="valid")
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(27, num_class)

    def construct(self, x):
        return self.fc(self.flatten(self.max_pool2d(self.relu(self.conv1(x)))))


net = fill(LeNet5()).set_train(False)
x = Tensor(np.linspace(-1, 1, 64).astype(np.float32).reshape(1, 1, 8, 8))
print(np.round(net(x).asnumpy().astype(np.float64), 4).tolist()[0])
ms.save_checkpoint(net, "lenet.ckpt")

fresh = LeNet5()
ms.load_param_into_net(fresh, ms.load_checkpoint("lenet.ckpt"))
print(np.array_equal(fresh(x).asnumpy(), net(x).asnumpy()))
print(ms.export(fresh, x, file_name="lenet", file_format="ONNX"))
print(os.path.getsize("lenet.onnx") > 400, sorted(os.listdir(".")))

for wrong in ({"file_format": "DOCX"}, {"file_format": 3}, {"file_name": 5, "file_format": "ONNX"}):
    try:
        ms.export(net, x, **{"file_name": "wrong", **wrong})
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
print(sorted(os.listdir(".")))
