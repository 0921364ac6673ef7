# tolerance 3e-3: float16 products are rounded at other places
"""Mixed precision, the second way: amp_level of Model with a loss scale manager."""

import mindspore as ms
from mindspore import FixedLossScaleManager, Model, nn
from mindspore.amp import DynamicLossScaleManager
from mindspore.dataset import NumpySlicesDataset
from mindspore.train import Callback
from tiny import fill, images


class Losses(Callback):
    def __init__(self):
        self.losses = []

    def on_train_step_end(self, run_context):
        loss = run_context.original_args().net_outputs
        loss = loss[0] if isinstance(loss, tuple) else loss
        self.losses.append(f"{loss.asnumpy():.3f}")


def network():
    return fill(
        nn.SequentialCell(
            nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Dense(256, 8), nn.ReLU(), nn.Dense(8, 4)
        )
    )


loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
for level in ("O0", "O2", "O3"):
    net = network()
    dataset = NumpySlicesDataset(images(16), ["image", "label"], shuffle=False).batch(8)
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9, loss_scale=64.0)
    manager = FixedLossScaleManager(64.0, drop_overflow_update=False)
    model = Model(net, loss, optimizer, metrics={"accuracy"}, amp_level=level, loss_scale_manager=manager)
    callback = Losses()
    model.train(2, dataset, callback, dataset_sink_mode=False)
    accuracy = model.eval(dataset, dataset_sink_mode=False)
    kept = [p.name for p in net.get_parameters() if p.dtype == ms.float32]
    print(level, callback.losses, {k: float(v) for k, v in accuracy.items()}, len(kept))

manager = DynamicLossScaleManager(init_loss_scale=1024, scale_factor=2, scale_window=2)
for overflow in (False, False, True, False):
    manager.update_loss_scale(overflow)
    print(float(manager.get_loss_scale()), manager.get_drop_overflow_update())
print(type(manager.get_update_cell()).__name__, FixedLossScaleManager().get_loss_scale())
