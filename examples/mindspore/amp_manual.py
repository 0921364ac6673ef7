# tolerance 2e-3: float16 products are rounded at other places
"""Mixed precision, the third way: to_float on chosen cells, casts by hand, add_cast_fp32 for the rest."""

import mindspore as ms
from mindspore import Tensor, nn, ops
from tiny import blobs, fill


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense1 = nn.Dense(6, 8).to_float(ms.float16)
        self.norm = nn.LayerNorm((8,))
        self.dense2 = nn.Dense(8, 3)
        self.dense2.to_float(ms.float16)

    def construct(self, x):
        x = self.dense1(x)
        print("dense1 gives", x.dtype) if self.training else None
        x = ops.tanh(self.norm(x.astype(ms.float32)))
        x = self.dense2(x)
        return x.astype("float32"), x.dtype == ms.float16


points, labels = blobs(12, 6, 3)
net = fill(Net())
print([str(p.dtype) for p in net.trainable_params()])
net.set_train()
logits, half = net(Tensor(points))
print(logits.dtype, half)
net.set_train(False)
loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
optimizer = nn.Adam(net.trainable_params(), 0.01)
grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x)[0], y), None, optimizer.parameters)
for step in range(4):
    loss, grads = grad_fn(Tensor(points), Tensor(labels))
    optimizer(grads)
    print(f"step {step}: {loss.asnumpy():.3f}", grads[0].dtype, {str(g.dtype) for g in grads})

whole = fill(nn.SequentialCell(nn.Dense(6, 8), nn.ReLU(), nn.Dense(8, 3))).to_float(ms.float16)
print(whole(Tensor(points)).dtype, [str(p.dtype) for p in whole.get_parameters()][:1])
halved = fill(nn.Dense(6, 2))
for p in halved.get_parameters():
    p.set_dtype(ms.float16)
print(halved(Tensor(points, ms.float16)).dtype, f"{float(halved(Tensor(points, ms.float16)).sum()):.1f}")
