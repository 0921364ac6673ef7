"""A Transformer encoder block: attention and two dense layers, each behind a LayerNorm and beside a shortcut."""

from workloads.plain import dense_weights, linear, moved_by_momentum, normalized, step_of_arrays, zeros
from workloads.training import momentum_of_cells, momentum_of_torch, normal, step_of_cells, step_of_torch

BATCH, LENGTH, WIDTH, HEADS = 16, 64, 128, 4
HEAD = WIDTH // HEADS


def data(length=LENGTH):
    return normal(BATCH, length, WIDTH), normal(BATCH, length, WIDTH)


def cells(ms, level=None, length=LENGTH):
    nn, ops = ms.nn, ms.ops

    class Encoder(nn.Cell):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value = (nn.Dense(WIDTH, WIDTH) for _ in range(3))
            self.out = nn.Dense(WIDTH, WIDTH)
            self.norm1, self.norm2 = nn.LayerNorm((WIDTH,)), nn.LayerNorm((WIDTH,))
            self.fc1, self.fc2, self.gelu = nn.Dense(WIDTH, 4 * WIDTH), nn.Dense(4 * WIDTH, WIDTH), nn.GELU()
            self.scores, self.matmul = ops.BatchMatMul(transpose_b=True), ops.BatchMatMul()
            self.softmax = ops.Softmax(-1)

        def heads(self, x):
            return x.reshape(BATCH, length, HEADS, HEAD).transpose(0, 2, 1, 3)

        def attend(self, x):
            query, key, value = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
            weights = self.softmax(self.scores(query, key) * HEAD**-0.5)
            return self.out(self.matmul(weights, value).transpose(0, 2, 1, 3).reshape(BATCH, length, WIDTH))

        def construct(self, x):
            x = x + self.attend(self.norm1(x))
            return x + self.fc2(self.gelu(self.fc1(self.norm2(x))))

    net = Encoder()
    return step_of_cells(ms, net, momentum_of_cells(ms, net), *data(length), level, nn.MSELoss())


def torch(torch, length=LENGTH):
    nn = torch.nn

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
            self.out = nn.Linear(WIDTH, WIDTH)
            self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
            self.fc1, self.fc2 = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
            self.gelu = nn.GELU(approximate="tanh")  # what the cells' GELU is by default

        def heads(self, x):
            return x.view(BATCH, length, HEADS, HEAD).transpose(1, 2)

        def attend(self, x):
            query, key, value = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
            weights = torch.softmax(query @ key.transpose(-1, -2) * HEAD**-0.5, -1)
            return self.out((weights @ value).transpose(1, 2).reshape(BATCH, length, WIDTH))

        def forward(self, x):
            x = x + self.attend(self.norm1(x))
            return x + self.fc2(self.gelu(self.fc1(self.norm2(x))))

    net = Encoder()
    return step_of_torch(torch, net, momentum_of_torch(torch, net), *data(length), loss=nn.functional.mse_loss)


def arrays(autograd):
    np = autograd.numpy
    x, y = data()

    def heads(x):
        return np.transpose(np.reshape(x, (BATCH, LENGTH, HEADS, HEAD)), (0, 2, 1, 3))

    def attend(x, weights):
        query, key, value, out = (lambda x, pair=pair: linear(np, x, *pair) for pair in weights)
        scores = np.matmul(heads(query(x)), np.transpose(heads(key(x)), (0, 1, 3, 2))) * np.float32(HEAD**-0.5)
        grown = np.exp(scores - np.max(scores, -1, keepdims=True))
        met = np.matmul(grown / np.sum(grown, -1, keepdims=True), heads(value(x)))
        return out(np.reshape(np.transpose(met, (0, 2, 1, 3)), (BATCH, LENGTH, WIDTH)))

    def gelu(x):
        inner = np.float32(0.7978845608) * (x + np.float32(0.044715) * x * x * x)
        return np.float32(0.5) * x * (np.float32(1) + np.tanh(inner))

    def loss(parameters):
        pairs = [parameters[i : i + 2] for i in range(0, len(parameters), 2)]
        h = x + attend(normalized(np, x, *pairs[0]), pairs[1:5])
        out = h + linear(np, gelu(linear(np, normalized(np, h, *pairs[5]), *pairs[6])), *pairs[7])
        return np.mean((out - y) ** 2)

    norm = [zeros(WIDTH) + 1, zeros(WIDTH)]
    square = [each for _ in range(4) for each in dense_weights(WIDTH, WIDTH)]
    wide = [*dense_weights(WIDTH, 4 * WIDTH), *dense_weights(4 * WIDTH, WIDTH)]
    return step_of_arrays(autograd, loss, [*norm, *square, *(p.copy() for p in norm), *wide], moved_by_momentum)
