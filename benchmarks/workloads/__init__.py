"""What is timed: a table of workloads, each a module with the same network written for cells and for PyTorch.

A module has ``cells(ms, **arguments)``, for minispore and MindSpore alike, and ``torch(torch, **arguments)``; both
return the step that is timed, a function without arguments.
"""

from typing import NamedTuple


class Workload(NamedTuple):
    """One line of the table; ``module`` None times the import alone."""

    about: str
    module: str | None
    arguments: dict
    limit: float | None = None  # the largest ratio to PyTorch that the project allows itself
    operations: int | None = None  # how many operations a step is, where time for each operation is what matters
    after_numpy: bool = False  # whether minispore is also timed with NumPy imported before it


WORKLOADS = {
    "dispatch": Workload("1,000 operations on 4 elements, forward and backward", "dispatch", {}, 0.8, operations=1000),
    "lenet5_b32": Workload("LeNet-5, batch 32, Momentum", "lenet5", {"batch": 32}, 1.2, after_numpy=True),
    "lenet5_b256": Workload("LeNet-5, batch 256, Momentum", "lenet5", {"batch": 256}, after_numpy=True),
    "mlp_adam": Workload("784-512-512-10 with ReLU, batch 128, Adam", "mlp", {}),
    "lstm_x50": Workload("LSTMCell of 128, 50 steps, batch 32, Momentum", "lstm", {}),
    "resnet20_b64": Workload("ResNet-20 on 3x32x32, batch 64, Momentum", "resnet20", {}),
    "import": Workload("the import of the framework", None, {}),
}
