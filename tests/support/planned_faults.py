"""Data parallel training in which drawn processes fail at drawn places, and what each must tell."""

import re

import numpy as np

import minispore as ms
from minispore import nn

PLACES, STEPS = 4, 4  # two places before SyncBatchNorm, two after it


class Place(nn.Cell):
    """The input; the forward or the backward pass fails here where ``fails`` says so."""

    def __init__(self):
        super().__init__()
        self.fails, self.reached = None, False

    def construct(self, x):
        def check(dx):
            self.check("backward")
            return dx

        self.check("forward")
        return ms.ops.InsertGradientOf(check)(x)

    def check(self, direction):
        if self.fails == direction:
            self.reached = True
            raise ValueError("planned")


def drawn_faults(draw, size):
    """Some faults, each as (step, rank, place, direction), by a NumPy generator."""
    count = draw.integers(1, 4)
    return [
        (draw.integers(STEPS), draw.integers(size), draw.integers(PLACES), ["forward", "backward"][draw.integers(2)])
        for _ in range(count)
    ]


def course(rank, size, faults, reducer=None):
    """Train through the faults; returns for each step (its error or None, whether it failed here); the Parameters."""
    x = ms.Tensor(np.random.default_rng(rank).normal(size=(6, 3)).astype(np.float32))
    places = [Place() for _ in range(PLACES)]
    before, after = (nn.Dense(3, 4), nn.Dense(4, 4, has_bias=False)), nn.Dense(4, 1)
    net = nn.SequentialCell(
        before[0], places[0], before[1], places[1], nn.SyncBatchNorm(4), places[2], after, places[3]
    )
    draw = np.random.default_rng(0)  # threads that draw from minispore's stream would share its numbers by chance
    for p in net.trainable_params():
        p.set_data(ms.Tensor(draw.normal(size=p.shape).astype(np.float32)))
    step = ms.build_train_network(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    if reducer is not None:
        step.grad_reducer = reducer(step.weights)
    told = []
    for number in range(STEPS):
        for i, place in enumerate(places):
            planned = [d for at, who, where, d in faults if (at, who, where) == (number, rank, i)]
            place.fails, place.reached = planned[0] if planned else None, False
        told.append((_error(step, x), any(place.reached for place in places)))
    return told, [p.asnumpy() for p in net.get_parameters()]


def _error(step, x):
    try:
        step(x, x[:, :1])
    except (ValueError, RuntimeError) as error:
        return error
    return None


def check_told(faults, told):
    """Assert that in a step with a fault a process raises its own, or is told of those that have failed."""
    for number, (error, reached) in enumerate(told):
        failing = {int(rank) for at, rank, *_ in faults if at == number}
        if reached:
            assert type(error) is ValueError and str(error) == "planned" and error.__context__ is None, repr(error)
        elif failing:
            named = re.findall(r"rank ([\d, ]+): the error ValueError: planned", str(error))
            assert isinstance(error, RuntimeError) and named, (number, repr(error))
            assert set(map(int, ",".join(named).split(","))) <= failing, str(error)
        else:
            assert error is None, (number, repr(error))
