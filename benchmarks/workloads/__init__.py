"""What is timed: a table of workloads, each a module with the same network written for cells and for PyTorch.

A module has ``cells(ms, **arguments)``, for minispore and MindSpore alike, ``torch(torch, **arguments)``, and where
it needs neither convolution nor a cell of its own ``arrays(autograd)`` for HIPS autograd; all return the step that is
timed, a function without arguments.
"""

from typing import NamedTuple


class Target(NamedTuple):
    """The largest ratios to PyTorch, on one thread: what must be, what is aimed at, and that for recorded steps."""

    must: float
    goal: float
    recorded: float | None = None


class Workload(NamedTuple):
    """One line of the table."""

    about: str
    module: str
    arguments: dict
    target: Target | None = None
    operations: int | None = None  # how many operations a step is, where time for each operation is what matters
    after_numpy: bool = False  # whether minispore is also timed with NumPy imported before it
    arrays: bool = False  # whether it is written for HIPS autograd
    graph: bool = True  # whether it can be run in graph mode
    beats_graph: bool = False  # whether it must be faster than MindSpore's graph mode on two threads
    near: float | None = None  # the largest ratio of a recorded step to its products and copies alone
    on_two: float = 1.0  # the largest ratio to PyTorch, on two threads


WORKLOADS = {
    "dispatch": Workload(
        "1,000 operations on 4 elements, forward and backward",
        "dispatch",
        {},
        Target(0.65, 0.5),
        operations=1000,
        arrays=True,
        graph=False,  # MindSpore's graph mode refuses so long a chain; minispore's replays cells
    ),
    "lenet5_b32": Workload(
        "LeNet-5, batch 32, Momentum", "lenet5", {"batch": 32}, Target(1.0, 0.85, 0.70), after_numpy=True, near=1.5
    ),
    "lenet5_b256": Workload(
        "LeNet-5, batch 256, Momentum", "lenet5", {"batch": 256}, Target(1.4, 1.2, 1.0), after_numpy=True, near=1.5
    ),
    "resnet20_b64": Workload(
        "ResNet-20 on 3x32x32, batch 64, Momentum",
        "resnet20",
        {"batch": 64},
        Target(1.5, 1.3, 1.1),
        beats_graph=True,
        near=1.6,
        on_two=1.3,
    ),
    "mlp_adam": Workload(
        "784-512-512-10 with ReLU, batch 128, Adam", "mlp", {}, Target(0.8, 0.65, 0.55), arrays=True, near=1.5
    ),
    "encoder": Workload(
        "a Transformer encoder block: width 128, 4 heads, 64 positions, batch 16, Momentum",
        "encoder",
        {},
        Target(0.8, 0.65, 0.55),
        arrays=True,
        beats_graph=True,
        near=1.5,
    ),
    "lstm_x50": Workload(
        "LSTMCell of 128, 50 steps, batch 32, Momentum",
        "recurrent",
        {"kind": "LSTMCell"},
        Target(0.8, 0.70, 0.50),
        arrays=True,
        beats_graph=True,
        near=1.6,
    ),
    "gru_x50": Workload("GRUCell of 128, 50 steps, batch 32, Momentum", "recurrent", {"kind": "GRUCell"}),
}

BATCHES = (16, 32, 64, 128, 256, 512)  # of LeNet-5, whose time and memory must grow in step with them
LEVELS = ("O0", "O1", "O2", "O3")  # of mixed precision
LEVELLED = ("lenet5_b256", "resnet20_b64")  # the workloads that are timed at each level
LEVEL_MUST, LEVEL_GOAL = 1.8, 1.3  # the largest ratios of O2 and O3 to O0
