"""The networks of gpu_operations.py in PyTorch, and a training step of each in the ways that PyTorch offers on a GPU.

Modules are declared in the order of the cells, so that weights carry over one after another.
"""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812 - the field's name for it

VARIANTS = {
    "float32": {},
    "float32, channels_last": {"channels_last": True},
    "AMP": {"amp": True},
    "AMP, channels_last": {"amp": True, "channels_last": True},
    "AMP, torch.compile": {"amp": True, "compile": True},
    "AMP, CUDA graph": {"amp": True, "graph": True},
    "float32, CUDA graph": {"graph": True},
}


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(784, 512), nn.Linear(512, 512), nn.Linear(512, 10)

    def forward(self, x):
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x.flatten(1))))))


class LeNet5(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5, padding=2), nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x.flatten(1))))))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(128, 128) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(128), nn.LayerNorm(128)
        self.fc1, self.fc2 = nn.Linear(128, 512), nn.Linear(512, 128)

    def attend(self, x):
        query, key, value = (part(x).view(-1, 64, 4, 32).transpose(1, 2) for part in (self.query, self.key, self.value))
        weights = torch.softmax(query @ key.transpose(-1, -2) * 32**-0.5, -1)
        return self.out((weights @ value).transpose(1, 2).reshape(-1, 64, 128))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.fc2(F.gelu(self.fc1(self.norm2(x)), approximate="tanh"))


class LSTMNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.LSTMCell(28, 64), nn.Linear(64, 10)

    def forward(self, x):
        h = c = x.new_zeros(x.shape[0], 64)
        for row in range(28):
            h, c = self.cell(x[:, 0, row], (h, c))
        return self.fc(h)


class OverTime(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer, self.fc = kind(28, 64, batch_first=True), nn.Linear(64, 10)

    def forward(self, x):
        return self.fc(self.layer(x[:, 0])[0][:, -1])


class RNNNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.RNNCell(28, 64), nn.Linear(64, 10)

    def forward(self, x):
        h = x.new_zeros(x.shape[0], 64)
        for row in range(28):
            h = self.cell(x[:, 0, row], h)
        return self.fc(h)


class Same(nn.Conv2d):
    """A convolution that pads as MindSpore's "same" does: the odd one at the end."""

    def forward(self, x):
        pads = []
        for size, kernel, stride in zip(x.shape[:1:-1], self.kernel_size, self.stride, strict=True):
            whole = max(0, (-(-size // stride) - 1) * stride + kernel - size)
            pads += [whole // 2, whole - whole // 2]
        return super().forward(F.pad(x, pads))


class Block(nn.Module):
    def __init__(self, channels, out_channels, stride):
        super().__init__()
        self.conv1, self.bn1 = Same(channels, out_channels, 3, stride, bias=False), _norm(out_channels)
        self.conv2, self.bn2 = Same(out_channels, out_channels, 3, bias=False), _norm(out_channels)
        self.shortcut = nn.Identity()
        if stride != 1 or channels != out_channels:
            self.shortcut = nn.Sequential(Same(channels, out_channels, 1, stride, bias=False), _norm(out_channels))

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(out)) + self.shortcut(x))


def _norm(channels):
    return nn.BatchNorm2d(channels, eps=1e-5)


class ResNet20(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = Same(3, 16, 3, bias=False), _norm(16)
        widths = [(16, 16, 1)] * 3 + [(16, 32, 2)] + [(32, 32, 1)] * 2 + [(32, 64, 2)] + [(64, 64, 1)] * 2
        self.blocks = nn.Sequential(*(Block(*width) for width in widths))
        self.fc = nn.Linear(64, 10)

    def forward(self, x):
        return self.fc(self.blocks(F.relu(self.bn(self.conv(x)))).mean((2, 3)))


NETS = {
    "mlp": MLP,
    "lenet5": LeNet5,
    "encoder": Encoder,
    "lstm": LSTMNet,
    "lstm_layer": partial(OverTime, nn.LSTM),
    "gru_layer": partial(OverTime, nn.GRU),
    "rnn_cell": RNNNet,
    "resnet20": ResNet20,
}


class Training:
    """A network with its optimizer and scaler; ``step(x, y)`` trains it on Tensors of the device and gives the loss."""

    def __init__(self, name, weights, amp=False, channels_last=False, compile=False, graph=False, device="cuda"):
        self.device, self.amp = device, amp
        self.net = NETS[name]().to(device)
        _set_weights(self.net, weights)
        self.layout = torch.channels_last if channels_last and name in ("lenet5", "resnet20") else None
        if self.layout:
            self.net.to(memory_format=self.layout)
        self.loss = F.mse_loss if name == "encoder" else F.cross_entropy
        self.optimizer = self._optimizer(name, graph)
        self.scaler = torch.amp.GradScaler(device, init_scale=1024.0, growth_interval=1000, enabled=amp)
        self.forward = torch.compile(self.net) if compile else self.net
        self.step = self._captured if graph else self._eager
        self.graph = None

    def _optimizer(self, name, graph):
        if name != "mlp":
            return torch.optim.SGD(self.net.parameters(), 0.01, momentum=0.9, fused=True)
        return torch.optim.Adam(self.net.parameters(), 1e-3, capturable=graph, fused=True)

    def placed(self, array):
        """A Tensor of the device; labels as PyTorch takes them."""
        x = torch.from_numpy(array).to(self.device, non_blocking=True)
        x = x.long() if x.dtype == torch.int32 else x
        return x.to(memory_format=self.layout) if self.layout and x.ndim == 4 else x

    def _eager(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        return self._forth_and_back(x, y)

    def _forth_and_back(self, x, y):
        with torch.autocast(self.device, torch.float16, enabled=self.amp):
            loss = self.loss(self.forward(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.detach()

    def _captured(self, x, y):
        """Replay the step on inputs of its own; the first call warms up on the side, and records."""
        if self.graph is None:
            self._record(x, y)
        self.inputs[0].copy_(x)
        self.inputs[1].copy_(y)
        self.graph.replay()
        return self.result

    def _record(self, x, y):
        state = [p.detach().clone() for p in self.net.state_dict().values()]
        self.inputs = x.clone(), y.clone()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self._eager(*self.inputs)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(self.graph):
            self.result = self._eager(*self.inputs)
        with torch.no_grad():
            for now, before in zip(self.net.state_dict().values(), state, strict=True):
                now.copy_(before)
            for kept in self.optimizer.state.values():
                for value in kept.values():
                    if torch.is_tensor(value):
                        value.zero_()


def _set_weights(net, weights):
    parameters = list(net.parameters())
    assert [tuple(p.shape) for p in parameters] == [w.shape for w in weights]
    with torch.no_grad():
        for parameter, weight in zip(parameters, weights, strict=True):
            parameter.copy_(torch.from_numpy(weight))
