"""Conversion: what each level computes in which type, and what it leaves alone."""

import collections

import numpy as np
import pytest
from support.mixed_networks import ConvNet, Nested, images

import minispore as ms
from minispore import amp, nn
from minispore.tools.testing.strategies.networks import Block


def ones(*shape):
    return ms.ops.ones(shape)


def test_o0_returns_the_network():
    network = ConvNet()
    assert amp.auto_mixed_precision(network, "O0") is network
    assert all(cell._compute_dtype is None for _, cell in network.cells_and_names())


def test_o1_computes_the_white_list_in_float16_and_the_rest_in_float32(type_record):
    network = amp.auto_mixed_precision(ConvNet(), "O1")
    out = network(images()[0])
    assert out.dtype == ms.float32
    assert (type_record.seen_by("Conv2D"), type_record.seen_by("MatMul")) == ({"float16"}, {"float16"})
    assert (type_record.seen_by("BatchNorm"), type_record.seen_by("ReLU")) == ({"float32"}, {"float32"})


def test_o1_leaves_the_original_as_it_was(type_record):
    network = ConvNet()
    before = network(images()[0]).asnumpy()
    converted = amp.auto_mixed_precision(network, "O1")
    np.testing.assert_array_equal(network(images()[0]).asnumpy(), before)
    assert type_record.seen_by("Conv2D") == {"float32"}
    assert list(map(id, converted.get_parameters())) == list(map(id, network.get_parameters()))


def test_o2_keeps_the_black_list_in_float32(type_record):
    network = amp.auto_mixed_precision(ConvNet(), "O2")
    out = network(images()[0])
    assert out.dtype == ms.float32
    assert (type_record.seen_by("Conv2D"), type_record.seen_by("ReLU")) == ({"float16"}, {"float16"})
    assert type_record.seen_by("BatchNorm") == {"float32"}


def test_o3_computes_everything_in_float16(type_record):
    network = amp.auto_mixed_precision(ConvNet(), "O3")
    assert network(images()[0]).dtype == ms.float32
    assert type_record.seen_by("BatchNorm") == type_record.seen_by("Conv2D") == {"float16"}


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_parameters_keep_names_objects_and_dtypes(level):
    network = Nested()
    before = [(p.name, id(p), p.dtype) for p in network.get_parameters()]
    converted = amp.auto_mixed_precision(network, level)
    assert [(p.name, id(p), p.dtype) for p in converted.get_parameters()] == before


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_the_same_level_again_is_a_no_op_and_another_is_refused(level):
    network = ConvNet()
    converted = amp.auto_mixed_precision(network, level)
    assert amp.auto_mixed_precision(converted, level) is converted
    assert amp.auto_mixed_precision(converted, "O0") is converted
    other = {"O1": "O2", "O2": "O3", "O3": "O1"}[level]
    with pytest.raises(ValueError, match="must not have been converted before: build it anew"):
        amp.auto_mixed_precision(converted, other)
    if level != "O1":  # the original was changed in place
        with pytest.raises(ValueError, match="converted before"):
            amp.auto_mixed_precision(network, other)


@pytest.mark.parametrize("level", ["O2", "O3"])
def test_a_users_own_to_float_on_a_child_is_respected(level):
    network = ConvNet()
    network.fc.to_float(ms.float32)
    converted = amp.auto_mixed_precision(network, level)
    assert (converted.fc._compute_dtype, converted.conv._compute_dtype) == (np.float32, np.float16)


@pytest.mark.parametrize(("mark", "norm"), [(ms.float16, "_OutputTo16"), (ms.float32, "LayerNorm")])
def test_the_black_list_holds_inside_a_cell_that_the_user_marked(mark, norm):
    block = nn.SequentialCell(nn.Dense(3, 3), nn.LayerNorm((3,))).to_float(mark)
    amp.auto_mixed_precision(nn.SequentialCell(block, nn.LayerNorm((3,))), "O2")
    assert (
        type(block[1]).__name__ == norm
        and block[1]._compute_dtype in (None, np.float32)
        and block[0]._compute_dtype == mark.np
    )


Pair = collections.namedtuple("Pair", "first second")


class ReturnsPair(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 3)

    def construct(self, x):
        return Pair(self.fc(x), x)


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_a_named_tuple_is_cast_part_by_part(level):
    out = amp.auto_mixed_precision(ReturnsPair(), level)(ones(1, 3))
    assert (type(out), out.first.dtype, out.second.dtype) == (Pair, ms.float32, ms.float32)


def test_a_named_tuple_is_scaled_part_by_part():
    scaler = amp.StaticLossScaler(2)
    assert scaler.scale(Pair(ms.Tensor(1.0), [ms.Tensor(2.0)])) == Pair(2, [4])
    assert scaler.unscale(Pair(ms.Tensor(1.0), [ms.Tensor(2.0)])) == Pair(0.5, [1])


def test_a_black_listed_root_is_protected():
    norm = nn.LayerNorm((3,))
    amp.auto_mixed_precision(norm, "O2")
    assert norm._compute_dtype == np.float32


def test_sync_batch_norm_counts_as_batch_norm():
    network = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.SyncBatchNorm(2))
    converted = amp.auto_mixed_precision(network, "O2")
    assert (network[1]._backbone._compute_dtype, network[0]._compute_dtype) == (np.float32, np.float16)
    assert converted(ones(1, 1, 4, 4)).dtype == ms.float32


def test_a_cell_under_two_names_is_wrapped_under_both():
    class Twice(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = nn.LayerNorm((3,))
            self.b = self.a

        def construct(self, x):
            return self.b(self.a(x))

    network = Twice()
    amp.auto_mixed_precision(network, "O2")
    assert type(network.a).__name__ == type(network.b).__name__ == "_OutputTo16"
    assert network.a is network.b


def test_a_wrapper_answers_for_its_cells_attributes_and_passes_tuples():
    network = ConvNet()
    amp.auto_mixed_precision(network, "O2")
    assert network.bn.gamma.shape == (4,)
    with pytest.raises(AttributeError, match="has no attribute 'no_such'"):
        _ = network.bn.no_such

    class Pair(nn.Cell):
        def construct(self, x):
            return x * 1, ms.Tensor([1])

    out, count = amp.auto_mixed_precision(Pair(), "O3")(ones(2))
    assert (out.dtype, count.dtype) == (ms.float32, ms.int64)


def test_custom_lists_choose_the_classes(type_record):
    white = amp.custom_mixed_precision(Block(3), white_list=[nn.LayerNorm])
    black = amp.custom_mixed_precision(Block(3), black_list=[nn.Dense])
    white(ones(2, 3))
    assert (type_record.seen_by("LayerNorm"), type_record.seen_by("MatMul")) == ({"float16"}, {"float32"})
    type_record.calls.clear()
    black(ones(2, 3))
    assert (type_record.seen_by("LayerNorm"), type_record.seen_by("MatMul")) == ({"float16"}, {"float32"})


def test_a_custom_black_list_warns_of_each_class_that_it_leaves_out(caplog):
    with caplog.at_level("WARNING", logger="minispore"):
        amp.custom_mixed_precision(Block(3), black_list=[nn.LayerNorm])
    assert [record.message.count("BatchNorm") for record in caplog.records] == [1, 1, 1]


def test_the_lists_are_copies():
    amp.get_white_list().clear()
    amp.get_black_list().clear()
    assert nn.Dense in amp.get_white_list()
    assert amp.get_black_list() == [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm]


def test_what_is_set_on_a_wrapper_reaches_the_cell_inside():
    network = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    amp.auto_mixed_precision(network, "O2")
    norm, gamma = network[1]._backbone, network[1].gamma
    network[1].gamma = ms.Tensor([5.0, 5.0])
    network[1].use_batch_statistics = False
    assert norm.gamma is gamma
    assert (gamma.asnumpy().tolist(), norm.use_batch_statistics) == ([5, 5], False)
    network[1].set_train()
    assert network[1].training
    assert norm.training


def test_a_converted_container_has_its_elements():
    network = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    converted = amp.auto_mixed_precision(network, "O2")
    assert (converted[0], len(converted), list(converted)) == (network[0], 2, list(network))
