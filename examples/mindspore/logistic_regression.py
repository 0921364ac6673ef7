"""Logistic regression by the gradient of a plain function of arrays, and its accuracy, precision, recall, F1."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from tiny import blobs

points, labels = blobs(40, 2, 2, seed=3)
x, y = Tensor(points), Tensor(labels.astype(np.float32))


def predict(x, w, b):
    return ops.sigmoid(ops.matmul(x, w) + b)


def loss_fn(w, b):
    p = predict(x, w, b)
    return ops.mean(-(y * ops.log(p + 1e-7) + (1 - y) * ops.log(1 - p + 1e-7)))


w, b = Tensor(np.zeros(2, np.float32)), Tensor(0.0, ms.float32)
grad_fn = ms.value_and_grad(loss_fn, grad_position=(0, 1))
for step in range(20):
    loss, (dw, db) = grad_fn(w, b)
    w, b = w - 0.5 * dw, b - 0.5 * db
    if step % 5 == 0:
        print(f"step {step}: loss {loss.asnumpy():.6f}, |dw| {ops.norm(dw).asnumpy():.6f}")
print("w", np.round(w.asnumpy(), 5).tolist(), f"b {b.asnumpy():.5f}")

w, b = Parameter(Tensor([0.1, -0.1], ms.float32), name="w"), Parameter(Tensor(0.2, ms.float32), name="b")
bce = nn.BCEWithLogitsLoss()
weights = ParameterTuple([w, b])
grads = ops.GradOperation(get_by_list=True)(lambda x, y: bce(ops.matmul(x, w) + b, y), weights)(x, y)
print([np.round(g.asnumpy(), 6).tolist() for g in grads])
print(f"{float(ops.binary_cross_entropy_with_logits(x @ w + b, y, ops.ones_like(y), ops.ones_like(y))):.6f}")

probabilities = predict(x, w, b)
scores = ops.stack((1 - probabilities, probabilities), axis=1)
for metric in (nn.Accuracy(), nn.Precision(), nn.Recall(), nn.F1()):
    metric.clear()
    metric.update(scores, Tensor(labels))
    print(type(metric).__name__, np.round(metric.eval(), 5).tolist())
