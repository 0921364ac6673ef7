"""An SSD head: default boxes, matching by IoU, class and box losses with hard negatives, boxes decoded again."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from tiny import fill, images

CLASSES, ANCHORS = 3, 2


class FlattenConcat(nn.Cell):
    def construct(self, inputs):
        output = ()
        for x in inputs:
            x = ops.transpose(x, (0, 2, 3, 1))
            output += (ops.reshape(x, (x.shape[0], -1)),)
        return ops.concat(output, 1)


class MultiBox(nn.Cell):
    def __init__(self, channels):
        super().__init__()
        self.loc = nn.CellList([nn.Conv2d(c, ANCHORS * 4, 3, has_bias=True) for c in channels])
        self.cls = nn.CellList([nn.Conv2d(c, ANCHORS * CLASSES, 3, has_bias=True) for c in channels])
        self.concat = FlattenConcat()

    def construct(self, inputs):
        loc = self.concat([layer(x) for layer, x in zip(self.loc, inputs)])
        cls = self.concat([layer(x) for layer, x in zip(self.cls, inputs)])
        return loc.view(loc.shape[0], -1, 4), cls.view(cls.shape[0], -1, CLASSES)


class SSD(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.SequentialCell(nn.Conv2d(1, 4, 3, 2), nn.ReLU())
        self.second = nn.SequentialCell(nn.Conv2d(4, 6, 3, 2), nn.ReLU())
        self.box = MultiBox([4, 6])

    def construct(self, x):
        first = self.first(x)
        return self.box((first, self.second(first)))


class SigmoidFocalLoss(nn.Cell):
    def __init__(self, gamma=2.0, alpha=0.75):
        super().__init__()
        self.sigmoid_cross_entropy = ops.BinaryCrossEntropy("none")
        self.gamma, self.alpha = gamma, alpha

    def construct(self, logits, label):
        label = ops.one_hot(label, CLASSES, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32))
        p = ops.sigmoid(logits)
        cross_entropy = self.sigmoid_cross_entropy(p, label, ops.ones_like(label))
        p_t = label * p + (1 - label) * (1 - p)
        weight = label * self.alpha + (1 - label) * (1 - self.alpha)
        return weight * ops.pow(1 - p_t, self.gamma) * cross_entropy


def default_boxes():
    boxes = []
    for size, scale in ((4, 0.3), (2, 0.6)):
        for row in range(size):
            for col in range(size):
                for ratio in (1.0, 2.0):
                    boxes.append([(row + 0.5) / size, (col + 0.5) / size, scale * ratio**0.5, scale / ratio**0.5])
    return np.array(boxes, np.float32)


def encode(box, label, boxes):
    low, high = boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2
    sides = np.maximum(np.minimum(high, box[2:]) - np.maximum(low, box[:2]), 0)
    common = sides[:, 0] * sides[:, 1]
    iou = common / ((high - low).prod(1) + (box[2:] - box[:2]).prod() - common)
    matched = (iou > 0.4) | (iou == iou.max())
    centre, size = (box[:2] + box[2:]) / 2, box[2:] - box[:2]
    offsets = np.concatenate([(centre - boxes[:, :2]) / boxes[:, 2:] / 0.1, np.log(size / boxes[:, 2:]) / 0.2], 1)
    return (offsets * matched[:, None]).astype(np.float32), (matched * label).astype(np.int32), matched.sum()


boxes = default_boxes()
truth = [((0.1, 0.1, 0.5, 0.6), 1), ((0.4, 0.3, 0.9, 0.9), 2)]
encoded = [encode(np.array(box, np.float32), label, boxes) for box, label in truth]
print(boxes.shape, [int(count) for _, _, count in encoded])
gt_loc, gt_label = Tensor(np.stack([e[0] for e in encoded])), Tensor(np.stack([e[1] for e in encoded]))
network = fill(SSD())
class_loss, loc_loss = SigmoidFocalLoss(), nn.SmoothL1Loss()


def forward(x, gt_loc, gt_label):
    pred_loc, pred_label = network(x)
    mask = ops.cast(ops.less(0, gt_label), ms.float32)
    num_matched = ops.reduce_sum(mask)
    smooth_l1 = ops.reduce_sum(loc_loss(pred_loc, gt_loc) * ops.tile(ops.expand_dims(mask, -1), (1, 1, 4)), -1)
    loss_cls = ops.reduce_sum(class_loss(pred_label, gt_label), (1, 2))
    return ops.reduce_sum((loss_cls + ops.reduce_sum(smooth_l1, 1)) / num_matched)


optimizer = nn.Momentum(filter(lambda p: p.requires_grad, network.get_parameters()), 0.01, 0.9, 1.5e-4, 1.0)
grad_fn = ops.value_and_grad(forward, None, network.trainable_params())
x = Tensor(images(2)[0])
for step in range(4):
    loss, grads = grad_fn(x, gt_loc, gt_label)
    optimizer(grads)
    print(f"step {step}: {float(loss):.5f}")

pred_loc, pred_label = network(x)
centre = pred_loc[0, :, :2] * 0.1 * Tensor(boxes[:, 2:]) + Tensor(boxes[:, :2])
size = ops.exp(pred_loc[0, :, 2:] * 0.2) * Tensor(boxes[:, 2:])
corners = ops.concat((centre - size / 2, centre + size / 2), -1)
scores, order = ops.topk(ops.reduce_max(ops.sigmoid(pred_label[0]), -1), 3)
print([f"{v:.4f}" for v in scores[:3].asnumpy()], corners[order[0]].shape, f"{float(corners.sum()):.4f}")
