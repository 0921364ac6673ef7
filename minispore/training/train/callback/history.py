"""History: keeps the outputs of the network and the metrics of every epoch."""

from __future__ import annotations

import numpy as np

from minispore.core.tensor import Tensor
from minispore.training.train.callback.callback import Callback

__all__ = ["History"]


class History(Callback):
    """Keep the results of a training, epoch by epoch.

    ``epoch`` is ``{"epoch": [1, 2, ...]}``, of the last run. Under "net_output" ``history`` has the training step's
    last output in each epoch, as NumPy values. Each metric of ``fit`` is there under its name, of all runs.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="zeros", bias_init="zeros")
        >>> model = ms.train.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.1))
        >>> rows = {"data": ms.ops.ones((4, 2)).asnumpy(), "label": ms.ops.ones((4, 1)).asnumpy()}
        >>> history = ms.train.History()
        >>> model.train(3, ms.dataset.NumpySlicesDataset(rows).batch(4), callbacks=history)
        >>> print(history.epoch, [round(float(loss), 4) for loss in history.history["net_output"]])
        {'epoch': [1, 2, 3]} [1.0, 0.16, 0.0256]
    """

    def __init__(self) -> None:
        super().__init__()
        self.history, self.epoch = {}, None

    def begin(self, run_context) -> None:
        """Number the epochs anew."""
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context) -> None:
        """Add the epoch."""
        cb_params = run_context.original_args()
        if cb_params.get("mode") == "eval":
            return
        self.epoch["epoch"].append(cb_params.get("cur_epoch_num", 1))
        self.history.setdefault("net_output", []).append(_values(cb_params.net_outputs))
        for name, value in cb_params.get("metrics", {}).items():
            self.history.setdefault(name, []).append(value)

    def on_eval_begin(self, run_context) -> None:
        """Leave the numbers of a run of ``fit`` as they are."""
        if self.epoch is None:
            self.begin(run_context)


def _values(outputs):
    """The values of a network's outputs: of several, a list."""
    if isinstance(outputs, (tuple, list)):
        return [_values(part) for part in outputs]
    array = outputs.asnumpy() if isinstance(outputs, Tensor) else np.asarray(outputs)
    return array if array.ndim else array[()]
