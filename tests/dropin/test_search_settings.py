"""MindSpore's settings of the search for a way to spread a network."""

import pytest

import minispore as ms
from minispore.dropin import search_settings
from minispore.dropin.search_settings import set_algo_parameters


def test_options_of_the_search_are_kept():
    set_algo_parameters(fully_use_devices=False)
    assert ms.get_algo_parameters("fully_use_devices") is False
    with pytest.raises(ValueError, match="must be in"):
        set_algo_parameters(tensor_slice_align_size=0)
    ms.reset_algo_parameters()
    assert ms.get_algo_parameters("fully_use_devices") is True


def test_the_settings_are_found_where_mindspore_has_them():
    for name in search_settings.__all__:
        assert getattr(ms, name) is getattr(ms.context, name) is getattr(ms.parallel, name)
        assert name in ms.__all__ and name in ms.context.__all__
    assert ms.parallel.__all__ == search_settings.__all__
