"""Context: what may be set, what is refused, that a refused call changes nothing, and devices that are not there."""

import numpy as np
import pytest

import minispore as ms
from minispore.core.running import running, under
from minispore.ops.kernels.random_streams import next_stream

pytestmark = pytest.mark.usefixtures("restored")


def test_the_defaults_are_mindspores_for_eager_mode_on_the_cpu():
    assert [ms.get_context(k) for k in ("mode", "device_target", "device_id", "enable_ge")] == [1, "CPU", 0, False]
    assert (ms.GRAPH_MODE, ms.PYNATIVE_MODE) == (0, 1)


@pytest.mark.parametrize(
    "key, value", [("mode", ms.GRAPH_MODE), ("enable_ge", True), ("cpu_loss_scale", True), ("runtime_num_threads", 2)]
)
def test_what_is_set_is_what_is_got(key, value):
    ms.set_context(**{key: value})
    assert ms.get_context(key) == value


REFUSED = [
    ({"foo": 1}, ValueError, "the keyword must be one of .*'device_target'.*, but got 'foo'"),
    pytest.param(
        *({"device_target": "TPU"}, ValueError, "'device_target' must be one of .*'CPU', 'GPU'.*, but got 'TPU'"),
        marks=pytest.mark.needs("devices"),
    ),
    ({"mode": 7}, ValueError, r"'mode' must be one of \[0, 1\], but got 7"),
    ({"mode": "a"}, (ValueError, TypeError), "'mode' must be"),
    ({"mode": True}, ValueError, r"'mode' must be one of \[0, 1\], but got True"),
    ({"mode": 1.0}, ValueError, r"'mode' must be one of \[0, 1\], but got 1\.0"),
    ({"runtime_num_threads": -1}, ValueError, r"'runtime_num_threads' must be in .*, but got -1"),
    ({"device_target": 3}, (ValueError, TypeError), "'device_target' must be"),
    ({"device_id": "0"}, TypeError, "'device_id' must be int, but got '0' of type str"),
    ({"device_id": True}, TypeError, "'device_id' must be int"),
    ({"device_id": -1}, ValueError, "'device_id' must be"),
    ({"enable_ge": 1}, TypeError, "'enable_ge' must be bool"),
]


@pytest.mark.parametrize("wrong, kind, message", REFUSED)
def test_unknown_keys_and_illegal_values_are_refused_with_the_legal_ones(wrong, kind, message):
    with pytest.raises(kind, match=f"^For 'set_context', .*{message}"):
        ms.set_context(cpu_loss_scale=True, **wrong)
    assert ms.get_context("cpu_loss_scale") is False, "a refused call must change nothing"


def test_an_unknown_name_is_refused_alike():
    with pytest.raises(ValueError, match=r"^For 'get_context', .* must be one of \["):
        ms.get_context("foo")


# Seeds


@pytest.mark.parametrize("value", [-1, 2**32, 2**70])
def test_a_seed_out_of_32_bits_is_refused_and_changes_nothing(value):
    ms.set_seed(2**32 - 1)
    with pytest.raises(ValueError, match=f"^For 'set_seed', the 'seed' must be .*, but got {value}"):
        ms.set_seed(value)
    assert ms.get_seed() == 2**32 - 1


def test_a_seed_starts_every_random_stream_anew():
    ms.set_seed(3)
    first, second = (next_stream().uniform((3,)) for _ in range(2))
    assert (first != second).all()
    ms.set_seed(3)
    np.testing.assert_array_equal(next_stream().uniform((3,)), first)
    assert ms.get_seed() == 3


def test_a_given_seed_gives_the_same_numbers_on_every_machine():
    ms.set_seed(1)
    recorded = [676901392144019, 8861238793152100, 8533542596894524, 6283840216722948]
    assert (next_stream().uniform((4,)) * 2**53).tolist() == recorded


@pytest.mark.parametrize("seed, kind", [(-1, ValueError), (1.5, TypeError), ("1", TypeError), (True, TypeError)])
def test_a_seed_is_an_int_of_at_least_zero(seed, kind):
    with pytest.raises(kind, match=r"^For 'set_seed', the 'seed' must be"):
        ms.set_seed(seed)


# Devices


def test_what_a_with_block_changed_is_restored_after_a_failure():
    with under(cast=np.dtype(np.float16)), pytest.raises(KeyError), under(cast=None):
        raise KeyError
    assert running.cast is None


@pytest.mark.parametrize(
    "call",
    [
        lambda: ms.set_context(runtime_num_threads=-1),
        lambda: ms.set_context(mode=7),
        lambda: ms.set_seed(2**32),
    ],
)
def test_settings_out_of_their_range_are_refused(call):
    with pytest.raises(ValueError, match="must be"):
        call()


@pytest.mark.usefixtures("restored")
def test_set_device_chooses_the_device():
    ms.set_device("CPU", 1)
    assert (ms.get_context("device_target"), ms.get_context("device_id")) == ("CPU", 1)
