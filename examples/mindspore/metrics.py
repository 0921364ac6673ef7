"""Metrics: MindSpore's own on the same predictions, one of one's own, and Model.eval with several."""

import numpy as np
from mindspore import Model, Tensor, nn
from mindspore.dataset import NumpySlicesDataset
from mindspore.train import Metric, get_metric_fn, rearrange_inputs
from tiny import blobs, fill


class WithinMargin(Metric):
    """The share of samples whose right class leads by a margin."""

    def __init__(self, margin):
        super().__init__()
        self.margin = margin
        self.clear()

    def clear(self):
        self._hits, self._total = 0, 0

    @rearrange_inputs
    def update(self, *inputs):
        scores, labels = self._convert_data(inputs[0]), self._convert_data(inputs[1])
        right = scores[np.arange(len(labels)), labels]
        others = np.where(np.eye(scores.shape[1], dtype=bool)[labels], -np.inf, scores).max(1)
        self._hits += int((right > others + self.margin).sum())
        self._total += len(labels)

    def eval(self):
        if self._total == 0:
            raise RuntimeError("no samples")
        return self._hits / self._total


scores = Tensor(np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6], [0.5, 0.4, 0.1]], np.float32))
labels = Tensor(np.array([0, 1, 1, 0], np.int32))
for name in ("accuracy", "precision", "recall", "F1", "top_1_accuracy", "top_5_accuracy", "loss", "mae", "mse"):
    metric = get_metric_fn(name)
    metric.clear()
    if name == "loss":
        metric.update(Tensor(0.5))
    elif name in ("mae", "mse"):
        metric.update(scores[:, 0], labels.astype("float32"))
    elif name != "top_5_accuracy":
        metric.update(scores, labels)
    else:
        metric = nn.TopKCategoricalAccuracy(2)
        metric.clear()
        metric.update(scores, labels)
    print(name, np.round(metric.eval(), 5).tolist())
matrix = nn.ConfusionMatrix(3)
matrix.clear()
matrix.update(scores, labels)
print(matrix.eval().tolist())
own = WithinMargin(0.15)
own.update(scores, labels)
print(own.eval(), own.set_indexes([0, 1]).indexes)
own.clear()
try:
    own.eval()
except RuntimeError as error:
    print(error)

net = fill(nn.SequentialCell(nn.Dense(5, 3)))
dataset = NumpySlicesDataset(blobs(30, 5, 3), ["x", "y"], shuffle=False).batch(10)
model = Model(net, nn.CrossEntropyLoss(), metrics={"acc": nn.Accuracy(), "own": WithinMargin(1.0), "loss": nn.Loss()})
result = model.eval(dataset, dataset_sink_mode=False)
print({name: round(float(result[name]), 5) for name in sorted(result)})
dice = nn.Dice(smooth=1e-5)
dice.clear()
dice.update(Tensor(np.array([[0.2, 0.5], [0.3, 0.1]])), Tensor(np.array([[0, 1], [0, 1]])))
print(round(float(dice.eval()), 5))
auc = nn.auc(np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.75, 1.0]))
print(round(float(auc), 5))
