"""Types by their names, and what they promote to."""

import pytest

import minispore as ms
import minispore.numpy as mnp

NAMES = [("i2", ms.int16), ("float", ms.float32), ("int", ms.int32), ("double", ms.float64), ("uint8", ms.uint8)]


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_a_result_type_takes_numpys_names(name, kind):
    assert mnp.result_type(name) == kind
    assert mnp.result_type(name, ms.bool_) == kind


@pytest.mark.parametrize(("name", "kind"), [("float", ms.float32), ("int", ms.int32), (float, ms.float32)])
def test_the_names_of_pythons_numbers_have_32_bits(name, kind):
    assert mnp.zeros(2, name).dtype == mnp.asarray([1], name).dtype == mnp.promote_types(name, ms.int8) == kind


@pytest.mark.parametrize("name", ["nothing", "U3", ["i2"], None])
def test_what_names_no_type_is_refused(name):
    with pytest.raises(TypeError, match=r"^For 'promote_types', the 'type1' must be a minispore dtype"):
        mnp.promote_types(name, ms.int8)
    if isinstance(name, str):
        with pytest.raises(TypeError, match=r"^For 'result_type', "):
            mnp.result_type(name)
