"""The policy of a network as a value: what it reads, equality, and its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import amp, nn, ops
from minispore.tools.testing.strategies.networks import planned, plans

pytestmark = pytest.mark.usefixtures("restored")
F16, BF16, F32 = ms.float16, ms.bfloat16, ms.float32
PLAIN = "params=float32,compute=inputs,output=inputs"
LISTED = "params=float32,compute=float16,output=float32"
KEPT = "params=float32,compute=float32,output=float16"


class Block(nn.Cell):
    """A Dense and a LayerNorm."""

    def __init__(self):
        super().__init__()
        self.fc, self.norm, self.relu = nn.Dense(4, 4), nn.LayerNorm((4,)), nn.ReLU()

    def construct(self, x):
        return self.relu(self.norm(self.fc(x)))


class Net(nn.Cell):
    """A block, a Dense, a product and a function."""

    def __init__(self):
        super().__init__()
        self.block, self.fc, self.product = Block(), nn.Dense(4, 4), ops.MatMul()

    def construct(self, x):
        x = self.fc(self.block(x))
        return ops.relu(self.product(x, x))


def marked(path, dtype):
    net = Net()
    cell = dict(net.cells_and_names())[path]
    cell.to_float(dtype)
    return net


CASES = {
    "nothing": (Net, PLAIN),
    "O0": (lambda: amp.auto_mixed_precision(Net(), "O0"), PLAIN),
    "O1": (
        lambda: amp.auto_mixed_precision(Net(), "O1"),
        f"{PLAIN}; block.fc:{LISTED}; fc:{LISTED}; product:{LISTED}",
    ),
    "O1 with functions": (
        lambda: amp.auto_mixed_precision(Net(), "O1", functional=True),
        f"{PLAIN}; block.fc:{LISTED}; fc:{LISTED}; ops.relu:{LISTED}; product:{LISTED}",
    ),
    "O1 in bfloat16": (
        lambda: amp.auto_mixed_precision(Block(), "O1", BF16),
        f"{PLAIN}; fc:params=float32,compute=bfloat16,output=float32",
    ),
    "O1 of a listed network": (lambda: amp.auto_mixed_precision(nn.Dense(2, 2), "O1"), LISTED),
    "O2": (lambda: amp.auto_mixed_precision(Net(), "O2"), f"{LISTED}; block.norm:{KEPT}"),
    "O3": (lambda: amp.auto_mixed_precision(Net(), "O3"), LISTED),
    "O3 in bfloat16": (
        lambda: amp.auto_mixed_precision(Net(), "O3", BF16),
        "params=float32,compute=bfloat16,output=float32",
    ),
    "auto": (
        lambda: amp.auto_mixed_precision(Net(), "auto"),
        "params=float32,compute=auto(float16),output=auto(float16)",
    ),
    "auto with a mark": (
        lambda: amp.auto_mixed_precision(marked("block", F32), "auto", BF16),
        "params=float32,compute=auto(bfloat16),output=auto(bfloat16); "
        "block:params=float32,compute=float32,output=float32",
    ),
    "a white list": (
        lambda: amp.custom_mixed_precision(Net(), white_list=[nn.LayerNorm]),
        f"{PLAIN}; block.norm:{LISTED}",
    ),
    "a black list": (
        lambda: amp.custom_mixed_precision(Net(), black_list=[nn.Dense, *amp.get_black_list()]),
        f"{LISTED}; block.fc:{KEPT}; block.norm:{KEPT}; fc:{KEPT}",
    ),
    "to_float by hand": (
        lambda: marked("block.fc", BF16),
        f"{PLAIN}; block.fc:params=float32,compute=bfloat16,output=bfloat16",
    ),
    "to_float of a block, at O2": (
        lambda: amp.auto_mixed_precision(marked("block", BF16), "O2"),
        f"{LISTED}; block:params=float32,compute=bfloat16,output=bfloat16",
    ),
    "Parameters of several types": (
        lambda: stored(),
        "params=float16+float32,compute=inputs,output=inputs; 1:params=float32,compute=inputs,output=inputs",
    ),
    "no Parameters": (nn.ReLU, "params=none,compute=inputs,output=inputs"),
}


def stored():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2))
    net[0].weight = ms.Parameter(net[0].weight.value().astype(F16), name="0.weight")
    return net


@pytest.mark.parametrize("case", CASES)
def test_the_policy_of_a_network_is_read_and_written(case):
    make, text = CASES[case]
    policy = amp.policy_of(make())
    assert str(policy) == text
    assert amp.Policy.parse(text) == policy == amp.policy_of(make())
    assert hash(amp.Policy.parse(text)) == hash(policy)


def test_networks_that_are_treated_alike_have_equal_policies_and_others_do_not():
    policies = {text: amp.policy_of(make()) for make, text in CASES.values()}
    assert len(set(policies.values())) == len(policies)
    assert amp.policy_of(amp.auto_mixed_precision(Net(), "O3")) == amp.policy_of(
        amp.auto_mixed_precision(nn.SequentialCell(nn.Conv2d(1, 1, 1)), "O3")
    )


def test_a_cell_has_its_own_policy_or_that_of_the_one_around_it():
    policy = amp.policy_of(amp.auto_mixed_precision(Net(), "O2"))
    assert (policy.params, policy.compute, policy.output) == (F32, F16, F32)
    assert policy.of("block.norm") == (F32, F32, F16)
    assert policy.of("block.norm.inner") == (F32, F32, F32)
    assert policy.of("block") == policy.of("block.fc") == (F32, F16, F16)
    assert policy.of("blocks") == (F32, F16, F16), "no name is another's beginning"


@given(plans(), st.sampled_from([("O1", F16), ("O2", BF16), ("O3", F16), ("auto", F16)]))
def test_the_policy_of_a_drawn_network_is_that_of_its_text(plan, conversion):
    policy = amp.policy_of(amp.auto_mixed_precision(planned(plan), *conversion))
    assert amp.Policy.parse(str(policy)) == policy


def test_a_path_may_be_any_text():
    net = nn.SequentialCell(nn.Dense(2, 2))
    for name in ('a;b:params=x,"\\ ', "é", '"', '"a"', '""', '"a\\"'):
        net.insert_child_to_cell(name, nn.Dense(2, 2).to_float(BF16))
    policy = amp.policy_of(net)
    assert amp.Policy.parse(str(policy)) == policy and len(policy.cells) == 7


def test_what_is_told_twice_is_the_same_policy():
    assert amp.Policy.parse(f"{LISTED}; fc:params=float32,compute=float16,output=float16") == amp.Policy.parse(LISTED)


def test_a_training_step_shows_its_network():
    net = Net()
    step = amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), level="O3")
    assert amp.policy_of(step).of("network._backbone.fc").compute == F16


@pytest.mark.parametrize(
    "text",
    [
        "",
        "float16",
        "params=float32",
        f"fc:{LISTED}",
        f"{LISTED}; {LISTED}",
        f"{LISTED}; a:{PLAIN}; a:{PLAIN}",
        f"{LISTED} x",
    ],
)
def test_what_is_no_policy_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"For 'Policy.parse', the 'text' must be like"):
        amp.Policy.parse(text)


def test_other_types_and_kinds_are_refused():
    for wrong, name in (
        ("params=int8,compute=float16,output=float32", "int8"),
        ("params=float32,compute=float16+float32,output=float32", r"float16\+float32"),
        ("params=inputs,compute=inputs,output=inputs", "inputs"),
        ("params=float32,compute=none,output=inputs", "none"),
    ):
        with pytest.raises(ValueError, match=rf"For 'Policy.parse', the 'type' must be one of .*, but got '{name}'"):
            amp.Policy.parse(wrong)
    with pytest.raises(TypeError, match=r"For 'Policy.parse', the 'text' must be a str"):
        amp.Policy.parse(1)
    with pytest.raises(TypeError, match=r"For 'Policy.of', the 'path' must be a str"):
        amp.policy_of(nn.ReLU()).of(1)
    for cells in (
        1,
        (),
        [("", 1)],
        ((1, 2),),
        ((1, amp.Policy.parse(PLAIN).of()),),
        (("", 1),),
        (("", amp.Policy.parse(PLAIN).of(), 1),),
        ("", amp.Policy.parse(PLAIN).of()),
        amp.Policy.parse(PLAIN).cells * 0,
        (("a", amp.Policy.parse(PLAIN).of()),),
    ):
        with pytest.raises(TypeError, match=r"For 'Policy', the 'cells' must be a tuple of pairs"):
            amp.Policy(cells)
    with pytest.raises(TypeError, match=r"For 'policy_of', the 'network' must be a Cell, but got int"):
        amp.policy_of(1)
