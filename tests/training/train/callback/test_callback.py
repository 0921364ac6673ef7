"""Callback: hooks that ``Model`` calls while it trains and evaluates; RunContext: the data of the run."""

import pytest
from training.train.callback.test_backup_and_restore import model_of

from minispore import train


def test_a_callback_is_left_in_reverse_order_also_where_entering_another_one_fails(data, net):
    events = []

    class Told(train.Callback):
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            events.append(f"enter {self.name}")
            return self

        def __exit__(self, *err):
            events.append(f"exit {self.name} {err[0] and err[0].__name__}")

    class Fails(train.Callback):
        def __enter__(self):
            raise OSError("no")

    with pytest.raises(OSError, match="no"):
        model_of(net).train(1, data(), [Told("a"), Told("b"), Fails()])
    assert events == ["enter a", "enter b", "exit b OSError", "exit a OSError"]


def test_a_hook_that_is_set_on_one_callback_is_called(data, net):
    seen, callback = [], train.Callback()
    callback.step_end = seen.append
    model_of(net).train(1, data(), callback)
    assert len(seen) == 3
