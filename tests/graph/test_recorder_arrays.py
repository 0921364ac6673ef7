"""The arrays of a recording: each stands for one value."""

import numpy as np

import minispore as ms
from minispore import Parameter, Tensor
from minispore.devices import transfers
from minispore.graph.recorder import _give_arrays_of_their_own


def test_parameters_that_share_an_array_or_hold_a_numbers_get_arrays_of_their_own(monkeypatch):
    number, shared = np.float32(2), np.ones(3, np.float32)
    number = np.asarray(number)
    monkeypatch.setattr(transfers, "numbers", lambda: [number])
    parameters = [Parameter(np.zeros(3, np.float32), name=f"p{i}") for i in range(5)]
    for p, array in zip(parameters[1:], (shared, shared, number, shared), strict=True):
        p.array = array
    alone = parameters[0].array
    _give_arrays_of_their_own(parameters)
    arrays = [p.array for p in parameters]
    assert len({id(array) for array in (number, *arrays)}) == 6
    assert arrays[0] is alone and arrays[1] is shared, "one that has its own keeps it"
    assert [array.tolist() for array in arrays[1:]] == [[1, 1, 1], [1, 1, 1], 2, [1, 1, 1]]


def test_a_recording_notices_what_is_written_through_asnumpy():
    w = Parameter(Tensor([1.0]), name="w")

    @ms.jit
    def function(x):
        w.asnumpy()[0] += 1.0
        return x * w

    assert [function(Tensor([1.0])).asnumpy().item() for _ in range(5)] == [2, 3, 4, 5, 6]
    assert "'asnumpy' gave is written" in function.recorded.reason
