"""Summary files: SummaryRecord by hand with scalars, images and histograms, and a collector in Model.train."""

import os

import mindspore as ms
import numpy as np
from mindspore import SummaryCollector, SummaryRecord, Tensor, nn, ops
from mindspore.dataset import NumpySlicesDataset
from mindspore.train import Callback, Model
from tiny import blobs, fill

points, labels = blobs(32, 6, 4)
data = NumpySlicesDataset((points, labels), ["points", "labels"], shuffle=False).batch(8)


def network():
    return fill(nn.SequentialCell(nn.Dense(6, 8), nn.ReLU(), nn.Dense(8, 4)))


def files(folder):
    return sum("events" in name for name in os.listdir(folder))


class Recorder(Callback):
    """Write the loss of each step and the weights of each epoch."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.summary_record = SummaryRecord(self.folder)
        return self

    def __exit__(self, *exc_args):
        self.summary_record.close()

    def on_train_step_end(self, run_context):
        cb_params = run_context.original_args()
        if cb_params.cur_step_num % 2 == 0:
            self.summary_record.add_value("scalar", "loss", cb_params.net_outputs)
            self.summary_record.record(cb_params.cur_step_num)

    def on_train_epoch_end(self, run_context):
        cb_params = run_context.original_args()
        for parameter in cb_params.network.trainable_params():
            self.summary_record.add_value("histogram", parameter.name, parameter.value())
        print(self.summary_record.record(cb_params.cur_step_num), f"{float(cb_params.net_outputs.asnumpy()):.5f}")


class Watched(nn.Cell):
    """A network whose construct records, which only graph mode does."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(6, 4)
        self.scalar_summary = ops.ScalarSummary()
        self.histogram_summary = ops.HistogramSummary()

    def construct(self, x):
        out = self.fc(x)
        self.scalar_summary("mean", out.mean())
        self.histogram_summary("out", out)
        return out


if __name__ == "__main__":  # MindSpore writes summaries in processes that import this file
    with SummaryRecord(log_dir="record", file_prefix="run") as summary_record:
        print(".out." in summary_record.log_dir, summary_record.set_mode("train"))
        for step in range(3):
            summary_record.add_value("scalar", "loss", Tensor(1.0 / (step + 1), ms.float32))
            summary_record.add_value("histogram", "spread", Tensor(points))
            summary_record.add_value("image", "pictures", Tensor(np.ones((2, 3, 4, 4), np.float32) * step / 2))
            print(summary_record.record(step))
        summary_record.flush()
    print(files("record"))

    net = network()
    model = Model(net, nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 0.05), metrics={"accuracy"})
    model.train(2, data, callbacks=[Recorder("mine")], dataset_sink_mode=False)
    print(files("mine"))

    specified = {
        "collect_metric": True,
        "histogram_regular": "^0.*|^2.*",
        "collect_graph": False,
        "collect_dataset_graph": False,
    }
    collector = SummaryCollector(
        "collected", collect_freq=2, collect_specified_data=specified, keep_default_action=False
    )
    model.train(2, data, callbacks=[collector], dataset_sink_mode=False)
    print(files("collected"), model.eval(data, callbacks=[collector], dataset_sink_mode=False))

    print(fill(Watched())(Tensor(points[:1])))
    for wrong in ({"log_dir": 3}, {"log_dir": "x", "raise_exception": 1}):
        try:
            SummaryRecord(**wrong)
        except (TypeError, ValueError) as error:
            print(type(error).__name__)
    try:
        SummaryCollector("x", collect_freq=0)
    except ValueError as error:
        print(type(error).__name__)
