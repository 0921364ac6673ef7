"""Knowledge distillation: a small student follows a trained teacher's softened outputs and the labels."""

import mindspore as ms
from mindspore import Tensor, nn, ops
from tiny import blobs, fill

points, labels = blobs(30, 6, 3)
x, y = Tensor(points), Tensor(labels)
ce = nn.CrossEntropyLoss()
teacher = fill(nn.SequentialCell(nn.Dense(6, 24), nn.ReLU(), nn.Dense(24, 3)), 1)
step = nn.TrainOneStepCell(nn.WithLossCell(teacher, ce), nn.Adam(teacher.trainable_params(), 0.02))
print([f"{step(x, y).asnumpy():.5f}" for _ in range(5)])
teacher.set_train(False)


class DistillLoss(nn.LossBase):
    def __init__(self, temperature=3.0, alpha=0.7, reduction="mean"):
        super().__init__(reduction)
        self.temperature, self.alpha = temperature, alpha
        self.log_softmax, self.softmax = nn.LogSoftmax(axis=-1), nn.Softmax(axis=-1)

    def construct(self, student, teacher, labels):
        soft = self.softmax(teacher / self.temperature)
        distance = soft * (ops.log(soft + 1e-8) - self.log_softmax(student / self.temperature))
        return self.alpha * self.get_loss(distance.sum(-1)) * self.temperature**2 + (1 - self.alpha) * ce(
            student, labels
        )


student = fill(nn.Dense(6, 3), 2)
loss_fn = DistillLoss()


def forward(x, y):
    return loss_fn(student(x), ops.stop_gradient(teacher(x)), y)


optimizer = nn.Adam(student.trainable_params(), 0.05)
grad_fn = ms.value_and_grad(forward, None, student.trainable_params())
for epoch in range(5):
    loss, grads = grad_fn(x, y)
    optimizer(grads)
    print(f"epoch {epoch}: {loss.asnumpy():.5f}")
agree = (student(x).argmax(1) == teacher(x).argmax(1)).astype(ms.float32).mean()
print(f"agreement {float(agree):.4f}")
