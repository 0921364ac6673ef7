"""Expressions in code stand for what running it would give them, told without running anything."""

import ast
import types

import pytest

from minispore import Tensor, nn, ops
from minispore.ops import functional as F  # noqa: N812 - as users import it
from minispore.rewrite.resolve.expression_value import Origin, OwnScope, Scope
from minispore.rewrite.resolve.outside import UNKNOWN

CONV = nn.Dense(1, 1)
SPACE = types.SimpleNamespace(conv=CONV)


class Plain:
    conv = CONV


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.ReLU()])
        self.space = types.SimpleNamespace(conv=CONV)
        self.plain = Plain()

    @property
    def told_by_running(self):
        raise AssertionError

    def construct(self, x):
        return x


NET = Net()


def parsed(text):
    return ast.parse(text, mode="eval").body


def test_what_a_name_means_is_told_without_running_anything():
    module = F

    def function(local):
        return module, local, later

    tell = lambda text: Scope(function)(parsed(text))[0]  # noqa: E731 - one line
    assert tell("module.relu") is F.relu
    assert tell("ops.relu") is ops.relu
    assert tell("isinstance") is isinstance
    unknown = ("local", "later", "nowhere.relu", "f().relu", "NET.told_by_running", "NET.layers[local]")
    assert [tell(text) for text in unknown] == [UNKNOWN] * len(unknown)
    later = 3
    assert tell("later") == later


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("self.layers[0]", Origin.OWN),
        ("self.space.conv", Origin.OWN),
        ("self.plain.conv", Origin.OBJECT),
        ("CONV", Origin.NAMED),
        ("ops.relu", Origin.MODULE),
        ("SPACE.conv", Origin.DOTTED),
        ("Plain.conv", Origin.DOTTED),
        ("NET.layers[0]", Origin.DOTTED),
    ],
)
def test_beside_the_value_stands_who_holds_it(text, origin):
    scope = Scope(lambda: None, NET, "self", Origin.OWN)
    value, way = scope(parsed(text))
    assert isinstance(value, nn.Cell) or value is ops.relu
    assert way is origin
    assert (scope.own(parsed(text)) is value) == (origin is Origin.OWN)
    assert (scope.outside(parsed(text)) is value) == (origin in (Origin.NAMED, Origin.MODULE))


def test_in_the_scope_of_a_cell_every_name_but_its_own_is_unknown():
    scope = OwnScope(NET, "me")
    assert scope.own(parsed("me.layers[0]")) is NET.layers[0]
    assert [scope(parsed(text))[0] for text in ("self.layers", "ops.relu", "isinstance")] == [UNKNOWN] * 3


def test_what_numbers_texts_and_tensors_have_is_known_only_at_run_time():
    NET.count, NET.word, NET.given = 3, "a", Tensor([1.0])
    scope = Scope(lambda: None, NET, "self", Origin.OWN)
    texts = ("self.count.real", "self.count.bit_length", "self.word.upper", "self.given.abs", "self.layers[0].x.y")
    assert [scope(parsed(text))[0] for text in texts] == [UNKNOWN] * len(texts)


def test_names_that_are_hidden_mean_nothing_from_outside():
    scope = Scope(lambda: None, NET, "self", Origin.OWN)
    with scope.hiding({"CONV", "self"}):
        with scope.hiding({"ops"}):
            assert [scope(parsed(text))[0] for text in ("CONV", "self.layers", "ops.relu")] == [UNKNOWN] * 3
        assert scope(parsed("ops.relu"))[0] is ops.relu and scope(parsed("CONV"))[0] is UNKNOWN
    assert scope(parsed("CONV"))[0] is CONV


def test_a_local_name_is_not_the_global_of_that_name():
    def function(CONV):  # noqa: N803 - the name of a global
        SPACE = CONV  # noqa: N806
        return SPACE

    assert [Scope(function)(parsed(text))[0] for text in ("CONV", "SPACE", "SPACE.conv")] == [UNKNOWN] * 3
