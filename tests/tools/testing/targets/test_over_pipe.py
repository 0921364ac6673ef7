"""A target in a process of its own gives what it gives here, and says what it raises."""

import sys

import numpy as np
import pytest

from minispore.tools.testing.targets import OverPipe, TargetError, offers

ADAPTER = """
class Target:
    version, speaks, faces, scales_losses, keeps_streams = "1", "mindspore", {}, False, False

    def compute(self, call, inputs):
        print("noise on standard output")
        if call == "die":
            raise SystemExit(3)
        return [eval(call, {"x0": inputs[0]})]

    def ran_in(self, program, how, inputs, probe):
        return probe(lambda x: x.astype("float16") * 2, *inputs)


def target():
    return Target()
"""


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    path = tmp_path_factory.mktemp("adapter") / "own.py"
    path.write_text(ADAPTER)
    made = OverPipe("own", path, sys.executable)
    yield made
    made.close()


def test_arrays_of_every_kind_come_back(target):
    for x in (np.float16([[0.5, -0.0]]), np.zeros((0, 2)), np.array(3, np.int64), np.array([True])):
        (found,) = target.compute("x0", [x])
        assert (found.dtype, found.shape, found.tobytes()) == (x.dtype, x.shape, x.tobytes())


def test_an_exception_keeps_its_class_and_its_words(target):
    with pytest.raises(TargetError, match="division by zero") as told:
        target.compute("x0.size / 0", [np.ones(1)])
    assert told.value.kind == "ZeroDivisionError"


def test_a_process_that_dies_is_told_and_the_next_call_starts_anew(target):
    with pytest.raises(TargetError, match="ended with 3") as told:
        target.compute("die", [])
    assert told.value.kind == "Crash"
    assert target.compute("x0 + 1", [np.ones(1)])[0] == 2


def test_what_it_offers_is_known_and_a_probe_runs_there(target):
    assert offers(target, "compute") and not offers(target, "train")
    assert target.ran_in("", "O1", [np.linspace(0.1, 1, 4)], lambda: None) == "float16"
