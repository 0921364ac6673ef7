"""SequentialCell and CellList: building, names, list operations, and their errors."""

from collections import OrderedDict

import pytest

import minispore as ms
from minispore import nn


def kinds(container):
    return [type(cell).__name__ for cell in container]


def names(container):
    return [p.name for p in container.get_parameters()]


def dense():
    return nn.Dense(1, 1)


@pytest.fixture(params=[nn.SequentialCell, nn.CellList], ids=["SequentialCell", "CellList"])
def container(request):
    return request.param


THREE = ["ReLU", "Tanh", "Sigmoid"]


def three(container):
    return container([nn.ReLU(), nn.Tanh(), nn.Sigmoid()])


# Building


def test_cells_are_given_as_a_list_or_one_by_one(container):
    assert kinds(container([nn.ReLU(), nn.Tanh()])) == kinds(container(nn.ReLU(), nn.Tanh())) == ["ReLU", "Tanh"]


def test_an_empty_container_is_false_and_has_no_length(container):
    assert (len(container([])), bool(container([])), bool(container([nn.ReLU()]))) == (0, False, True)


def test_cells_and_parameters_are_named_by_position(container):
    cells = container([dense(), nn.BatchNorm2d(2)])
    assert list(cells.name_cells()) == ["0", "1"]
    assert names(cells) == ["0.weight", "0.bias", "1.moving_mean", "1.moving_variance", "1.gamma", "1.beta"]


def test_a_sequential_cell_from_an_ordered_dict_is_named_by_its_keys():
    cells = nn.SequentialCell(OrderedDict(a=dense(), b=nn.ReLU()))
    assert names(cells) == ["a.weight", "a.bias"]
    assert cells.a is cells[0]
    assert kinds(cells.cell_list) == ["Dense", "ReLU"]


def test_the_printed_form_of_a_container_is_mindspores(container):
    expected = "<\n  (0): ReLU<>\n  (1): Dense<input_channels=1, output_channels=1, has_bias=True>\n  >"
    assert repr(container([nn.ReLU(), dense()])) == container.__name__ + expected
    assert repr(container([])) == container.__name__ + "<>"


def test_what_is_no_cell_is_a_type_error(container):
    for wrong in ([3], [nn.ReLU(), "a"]):
        with pytest.raises(TypeError, match=f"For '{container.__name__}', .*must be a Cell.*, but got (int|str)"):
            container(wrong)
    with pytest.raises(TypeError, match=f"For '{container.__name__}', .*but got int"):
        container(3)


def test_a_cell_list_takes_auto_prefix_and_no_other_keyword():
    assert names(nn.CellList([dense()], auto_prefix=False)) == ["weight", "bias"]
    with pytest.raises(TypeError, match="For 'CellList', the only keyword is 'auto_prefix', but got"):
        nn.CellList([], prefix=True)


# Running


def test_a_sequential_cell_runs_its_cells_in_order():
    net = nn.SequentialCell(nn.Dense(1, 1, "ones", "ones"), nn.Dense(1, 1, 2.0, "zeros"))
    assert net(ms.Tensor([[3.0]])).asnumpy() == [[8.0]]


def test_an_empty_sequential_cell_hands_its_input_on():
    x = ms.Tensor([1.0])
    assert nn.SequentialCell()(x) is x


def test_a_cell_list_cannot_be_called():
    with pytest.raises(NotImplementedError, match="For 'CellList', 'construct' is not defined: call its cells"):
        nn.CellList([nn.ReLU()])(ms.Tensor([1.0]))


def test_a_sequential_cell_runs_what_it_holds_after_every_change():
    net, x = nn.SequentialCell(nn.Dense(1, 1, 2.0, "zeros")), ms.Tensor([[1.0]])
    net.append(nn.Dense(1, 1, 3.0, "zeros"))
    assert net(x).asnumpy() == [[6.0]]
    net[0] = nn.Dense(1, 1, 5.0, "zeros")
    assert net(x).asnumpy() == [[15.0]]
    net.insert(1, nn.Dense(1, 1, 10.0, "zeros"))
    assert net(x).asnumpy() == [[150.0]]
    del net[0]
    assert net(x).asnumpy() == [[30.0]]


# Indices and slices


def test_an_index_counts_from_either_end(container):
    cells = three(container)
    assert [type(cells[i]).__name__ for i in (0, 1, 2, -1, -3)] == ["ReLU", "Tanh", "Sigmoid", "Sigmoid", "ReLU"]


@pytest.mark.parametrize("index", [3, -4])
def test_an_index_out_of_range_is_an_index_error(container, index):
    message = rf"For '{container.__name__}', the 'index' must be in \[-3, 3\), but got {index}\."
    for use in (lambda c: c[index], lambda c: c.__setitem__(index, nn.ReLU()), lambda c: c.__delitem__(index)):
        cells = three(container)
        with pytest.raises(IndexError, match=message):
            use(cells)
        assert kinds(cells) == THREE


@pytest.mark.parametrize("index", ["a", 1.0, None, True])
def test_an_index_of_another_kind_is_a_type_error(container, index):
    with pytest.raises(TypeError, match=f"For '{container.__name__}', the 'index' must be an int or a slice"):
        three(container)[index]


def test_a_slice_is_a_container_of_the_same_cells(container):
    cells = three(container)
    part = cells[1:]
    assert type(part) is container
    assert kinds(part) == THREE[1:]
    assert part[0] is cells[1]
    assert kinds(cells) == THREE


def test_a_slice_of_a_sequential_cell_keeps_the_names_and_runs():
    net = nn.SequentialCell(nn.ReLU(), nn.Tanh(), nn.ReLU())
    assert repr(net[1:]) == "SequentialCell<\n  (1): Tanh<>\n  (2): ReLU<>\n  >"
    assert net[1:](ms.Tensor([0.0])).asnumpy() == [0.0]


def test_a_slice_of_a_cell_list_is_numbered_anew():
    assert repr(three(nn.CellList)[1:]) == "CellList<\n  (0): Tanh<>\n  (1): Sigmoid<>\n  >"


# Changes


def test_append_adds_a_cell_at_the_end_and_returns_the_container(container):
    cells = container([dense()])
    assert cells.append(dense()) is cells
    assert names(cells) == ["0.weight", "0.bias", "1.weight", "1.bias"]


def test_append_takes_the_first_number_from_the_length_up_that_is_free():
    cells = nn.SequentialCell(OrderedDict([("1", nn.ReLU())])).append(nn.Tanh())
    assert kinds(cells) == ["ReLU", "Tanh"]
    assert list(cells.name_cells()) == ["1", "2"]
    part = three(nn.SequentialCell)[1:].append(nn.ReLU6())
    assert list(part.name_cells()) == ["1", "2", "3"]
    assert kinds(part) == kinds(part.cell_list) == ["Tanh", "Sigmoid", "ReLU6"]


CHANGES = {
    "append": lambda cells: cells.append(dense()),
    "insert": lambda cells: cells.insert(0, dense()),
    "del": lambda cells: cells.__delitem__(0),
    "set": lambda cells: cells.__setitem__(0, dense()),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_container_that_changes_after_it_is_attached_keeps_its_prefix(container, change):
    network = nn.Cell()
    network.a, network.b = (container([dense(), dense()]) for _ in range(2))
    for cells in (network.a, network.b):
        change(cells)
    expected = [f"{i}.{kind}" for i in range(len(network.a)) for kind in ("weight", "bias")]
    assert names(network) == [f"{prefix}.{name}" for prefix in "ab" for name in expected]


def test_extending_an_attached_cell_list_keeps_its_prefix():
    network = nn.Cell()
    network.a = nn.CellList([dense()])
    network.a.extend([nn.ReLU(), dense()])
    assert names(network) == ["a.0.weight", "a.0.bias", "a.2.weight", "a.2.bias"]


def test_a_container_that_was_attached_empty_gives_bare_names(container):
    network = nn.Cell()
    network.a = container([])
    network.a.append(dense())
    assert names(network) == ["0.weight", "0.bias"]


def test_only_what_ends_in_a_dot_is_a_prefix(container):
    part = container([nn.Dense(1, 1, has_bias=False) for _ in range(11)])[10:]
    assert names(part.append(dense())) == ["10.weight", "1.weight", "1.bias"]


def test_insert_moves_the_names_of_those_behind_up(container):
    cells = container([dense(), nn.ReLU()])
    cells.insert(0, nn.Tanh())
    assert kinds(cells) == ["Tanh", "Dense", "ReLU"]
    assert names(cells) == ["1.weight", "1.bias"]
    cells.insert(-1, nn.Sigmoid())
    assert kinds(cells) == ["Tanh", "Dense", "Sigmoid", "ReLU"]


def test_insert_out_of_range_is_an_index_error(container):
    with pytest.raises(IndexError, match=rf"For '{container.__name__}', the 'index' must be in \[-3, 3\], but got 4\."):
        three(container).insert(4, nn.ReLU())


def test_a_replaced_cell_takes_the_name_of_its_place(container):
    cells = container([nn.ReLU(), nn.Tanh()])
    cells[1] = dense()
    assert kinds(cells) == ["ReLU", "Dense"]
    assert names(cells) == ["1.weight", "1.bias"]


def test_deleting_a_cell_or_a_slice_renumbers_the_rest(container):
    cells = container([nn.ReLU(), dense(), nn.Tanh(), dense()])
    del cells[0]
    assert names(cells) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    del cells[0:2]
    assert names(cells) == ["0.weight", "0.bias"]
    assert list(cells.name_cells()) == ["0"]


def test_extend_adds_a_list_of_cells_or_another_cell_list():
    cells = nn.CellList([dense()])
    assert cells.extend([nn.ReLU(), dense()]) is cells
    cells.extend(nn.CellList([nn.Tanh()]))
    assert kinds(cells) == ["Dense", "ReLU", "Dense", "Tanh"]
    assert names(cells) == ["0.weight", "0.bias", "2.weight", "2.bias"]


def test_a_cell_list_takes_more_cells_by_an_augmented_assignment():
    class Holder(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = nn.CellList()
            self.a += [nn.ReLU(), dense()]

    holder = Holder()
    assert [p.name for p in holder.get_parameters()] == ["a.1.weight", "a.1.bias"] and len(holder.a) == 2
    with pytest.raises(TypeError, match="'cells' must be a list of Cells"):
        holder.a += dense()


def test_extend_by_what_is_no_list_of_cells_adds_nothing():
    cells = nn.CellList([nn.ReLU()])
    with pytest.raises(TypeError, match=r"For 'CellList', the 'cells' must be a list of Cells, but got int\."):
        cells.extend(3)
    with pytest.raises(TypeError, match=r"For 'CellList', each cell must be a Cell, but got int\."):
        cells.extend([nn.Tanh(), 3])
    assert kinds(cells) == ["ReLU"]


@pytest.mark.parametrize("change", ["append", "insert", "__setitem__"])
def test_what_is_no_cell_changes_nothing(container, change):
    cells = three(container)
    message = f"For '{container.__name__}', each cell must be a Cell, but got int"
    with pytest.raises(TypeError, match=message):
        getattr(cells, change)(*((3,) if change == "append" else (0, 3)))
    assert kinds(cells) == THREE


def test_set_train_and_set_grad_reach_the_cells(container):
    cells = three(container).set_train().set_grad()
    assert all(cell.training and cell.requires_grad for cell in cells)


class TwoContainers(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.SequentialCell(nn.Dense(2, 2)), nn.SequentialCell(nn.Dense(2, 2))


def test_containers_that_grow_keep_their_place_in_the_names():
    net = TwoContainers()
    net.a.append(nn.Dense(2, 2))
    net.b.append(nn.Dense(2, 2))
    net.a.insert(0, nn.Dense(2, 2, has_bias=False))
    net.b[0] = nn.Dense(2, 2)
    names = [p.name for p in net.trainable_params()]
    assert names[:3] == ["a.0.weight", "a.1.weight", "a.1.bias"]
    assert names[-4:] == ["b.0.weight", "b.0.bias", "b.1.weight", "b.1.bias"]
    nn.SGD(net.trainable_params(), 0.1)


def test_containers_lose_no_cells():
    part = nn.SequentialCell(nn.ReLU(), nn.Tanh(), nn.Sigmoid())[1:]
    part.append(nn.ReLU6())
    assert [type(cell).__name__ for cell in part] == ["Tanh", "Sigmoid", "ReLU6"]


# Names of cells that come after the container was attached: what MindSpore 2.0.0 gives


class Block(nn.Cell):
    """A cell whose Parameter stands at the dotted ``path``."""

    def __init__(self, path):
        super().__init__()
        key, _, rest = path.partition(".")
        setattr(self, key, Block(rest) if rest else ms.Parameter(ms.Tensor([1.0])))


def attached(path, blocks):
    """A CellList of ``blocks`` inside of cells with the attributes of the dotted ``path``."""
    cells = held = nn.CellList([Block(block) for block in blocks])
    for key in reversed(path.split(".")):
        outer = nn.Cell()
        setattr(outer, key, held)
        held = outer
    cells.outer = lambda: held  # keeps the tree alive, and is no child
    return cells


NAMES_AFTER = {
    "the key stands once": ("net.l", ["c.w"], "w", "net.l.1.w"),
    "the key is a part of another": ("net.l0", ["w"], "w", "net.l0.1.w"),
    "the key stands in the cell too": ("net.l", ["0.w"], "0.w", "net.l.0.1.0.w"),
    "the second cell tells the place": ("net.l", ["0.w", "0.w"], "0.w", "net.l.2.0.w"),
    "the second cell tells the first of two": ("1.1", ["1.1", "1.1"], "1", "1.1.2.1"),
    "the key is a Parameter's": ("0", ["0"], "0", "0.0.1.0"),
}


@pytest.mark.parametrize(("path", "blocks", "new", "expected"), NAMES_AFTER.values(), ids=NAMES_AFTER)
@pytest.mark.parametrize("how", ["append", "extend", "+="])
def test_a_later_cell_is_named_where_the_first_cells_key_stands(how, path, blocks, new, expected):
    cells = attached(path, blocks)
    if how == "append":
        cells.append(Block(new))
    elif how == "extend":
        cells.extend([Block(new)])
    else:
        cells += [Block(new)]
    assert names(cells)[-1] == expected


def test_cells_without_parameters_do_not_tell_the_place():
    net = nn.Cell()
    net.l = nn.CellList([nn.ReLU(), Block("1.w")])
    net.l.append(Block("w"))
    assert names(net) == ["l.1.1.w", "l.1.2.w"]


def test_of_the_cells_that_an_inserted_one_moves_only_the_number_changes():
    cells = attached("net.l", ["0.w"])
    cells.append(Block("0.w"))
    cells.insert(0, Block("0.w"))
    assert names(cells) == ["net.l.0.0.0.w", "net.l.0.1.w", "net.l.0.2.0.w"]
