"""Laws that a reader broke once: each a defect that was found by reading, and is held here."""

import threading

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, amp, nn, ops

pytestmark = pytest.mark.usefixtures("restored")


def param(*values, name="p"):
    return Parameter(Tensor(list(values)), name=name)


def test_the_gradients_of_two_inputs_are_two_tensors_and_the_sens_is_another():
    a, b = ms.grad(lambda a, b: a + b, (0, 1))(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    a[0] = 100.0
    assert b.asnumpy().tolist() == [1, 1]
    sens = Tensor([1.0, 1.0])
    gradient = ms.vjp(lambda a: a + 1, Tensor([1.0, 2.0]))[1](sens)[0]
    gradient[0] = 9.0
    assert sens.asnumpy().tolist() == [1, 1]


def test_a_function_that_returns_a_parameter_has_its_gradient():
    p = param(2.0, 3.0)
    assert ms.grad(lambda a: p, None, weights=p)(Tensor([1.0])).asnumpy().tolist() == [1, 1]


def test_assigning_into_a_parameter_in_a_marked_cell_keeps_its_dtype():
    class Writes(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = param(1.0, 2.0)

        def construct(self, x):
            self.w[0] = x
            return self.w * 1

    cell = Writes().to_float(ms.float16)
    assert cell(Tensor(3.0)).dtype == ms.float16
    assert cell.w.dtype == ms.float32


def test_two_threads_differentiate_by_one_parameter():
    w, found, barrier = param(2.0), {}, threading.Barrier(2)

    def work(name):
        def function(x):
            barrier.wait()
            y = x * w
            barrier.wait()
            return y

        found[name] = float(ms.grad(function, None, weights=w)(Tensor([3.0])))

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"a": 3.0, "b": 3.0}


def test_assigning_into_an_output_leaves_the_pull_back_alone():
    out, pull_back = ms.vjp(lambda a: a * a, Tensor([1.0, 2.0]))
    out[0] = 0.0
    assert pull_back(Tensor([1.0, 1.0]))[0].asnumpy().tolist() == [2, 4]


def test_copies_and_assignments_have_memory_of_their_own():
    y = Tensor([1.0, 2.0])
    y.copy().asnumpy()[0] = 7
    source = np.ones(2, np.float32)
    p = param(0.0, 0.0)
    ops.assign(p, Tensor.from_numpy(source))
    source[:] = 5
    flat = ops.flatten(y)
    flat[0] = 9.0
    assert (y.asnumpy().tolist(), p.asnumpy().tolist()) == ([1, 2], [1, 1])


def test_a_gradient_can_be_written_to():
    gradient = ms.grad(lambda a: a.sum())(Tensor([1.0, 2.0])).asnumpy()
    gradient[0] = 5
    assert gradient.tolist() == [5, 1]


@pytest.mark.parametrize(("own", "value"), [(Tensor([1, 2]), [3.7, 1.0]), (Tensor([1.0], ms.float16), [1e6])])
def test_assign_refuses_what_set_data_refuses(own, value):
    with pytest.raises(TypeError, match="can take without loss"):
        ops.assign(Parameter(own, name="p"), Tensor(value))


def test_o2_leaves_a_norm_inside_the_users_own_float32_alone():
    class Inner(nn.Cell):
        def __init__(self):
            super().__init__()
            self.bn = nn.BatchNorm1d(2)

        def construct(self, x):
            return self.bn(x)

    inner, x = Inner().to_float(ms.float32), Tensor([[1.0001, 2.0003], [3.00017, 4.2323]])
    expected = inner(x).asnumpy()
    np.testing.assert_array_equal(amp.auto_mixed_precision(nn.SequentialCell(inner), "O2")(x).asnumpy(), expected)


def test_sync_batch_norm_counts_as_batch_norm_as_a_root_and_in_custom_lists():
    root = nn.SyncBatchNorm(2)
    amp.auto_mixed_precision(root, "O2")
    assert root._compute_dtype == np.float32
    network = nn.SequentialCell(nn.SyncBatchNorm(2), nn.BatchNorm1d(2))
    amp.custom_mixed_precision(network, black_list=[nn.Dense])
    assert [type(cell).__name__ for cell in network.cell_list] == ["SyncBatchNorm", "BatchNorm1d"]


def built(network, level):
    ms.set_context(cpu_loss_scale=True)
    return amp.build_train_network(network, nn.SGD(network.trainable_params(), 0.1), nn.MSELoss(), level=level)


def test_building_counts_as_converting():
    network = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    built(network, "O2")
    assert built(network, "O2").training
    for again in (lambda: built(network, "O3"), lambda: amp.auto_mixed_precision(network, "O3")):
        with pytest.raises(ValueError, match="must not have been converted before"):
            again()
    other = nn.SequentialCell(nn.Dense(2, 2))
    amp.auto_mixed_precision(other, "O2")
    with pytest.raises(ValueError, match="must not have been converted before"):
        built(other, "O3")


def test_building_protects_a_black_listed_root():
    network = nn.LayerNorm((2,))
    built(network, "O2")
    assert network._compute_dtype == np.float32


def test_a_later_to_float_of_an_outer_cell_is_the_users_last_word():
    network = nn.SequentialCell(nn.Dense(2, 2).to_float(ms.float16)).to_float(ms.float32)
    outer = nn.SequentialCell(network, nn.Dense(2, 2))
    amp.auto_mixed_precision(outer, "O3")
    assert (network[0]._compute_dtype, outer[1]._compute_dtype) == (np.float32, np.float16)


def test_a_float16_scale_is_lowered_too():
    network = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss()).to_float(ms.float16)
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepWithLossScaleCell(network, optimizer, Tensor(60000.0, ms.float16)).set_train()
    _, _, scale = step(ops.ones((4, 2)) * 0.1, ops.zeros((4, 1)))
    assert (float(scale), scale.dtype) == (2.0**15, ms.float16)


def test_the_mean_of_ones_is_one():
    assert [n for n in range(1, 300) if float(ops.ones((n,)).mean()) != 1] == []


def test_large_ints_and_deviations_of_ints():
    assert Tensor(2**63).item() == 2**63
    assert Tensor([1, 3]).std().dtype == ms.float32


def test_sens_may_be_a_keyword_and_a_function_may_have_no_inputs():
    x = Tensor([1.0, 2.0])
    found = ops.GradOperation(sens_param=True)(lambda a: a * a)(x, sens=Tensor([10.0, 1.0]))
    assert found.asnumpy().tolist() == [20, 4]
    assert ops.GradOperation()(lambda: x)() == ()


@pytest.mark.parametrize(
    "call", [lambda: nn.ReLU()([1.0]), lambda: nn.ReLU()(np.ones(2)), lambda: ops.MatMul()({}, {})]
)
def test_what_is_no_tensor_is_refused_in_the_house_form(call):
    with pytest.raises(TypeError, match="must be a Tensor"):
        call()


def test_integers_have_bitwise_operators_and_bools_logical_ones():
    assert (Tensor([6, 3]) & Tensor([2, 4])).asnumpy().tolist() == [2, 0]
    assert (Tensor([6, 3]) | 1).asnumpy().tolist() == [7, 3]
    assert (Tensor([True, False]) ^ Tensor([True, True])).dtype == ms.bool_


def test_a_list_beside_a_tensor_follows_its_dtype():
    assert ops.add(Tensor([1], ms.int32), [2]).dtype == ms.int32
    assert ops.add(Tensor([1.0], ms.float16), [2.5]).dtype == ms.float16
    assert ops.add(Tensor([1]), [2.5]).dtype == ms.float32


def test_an_axis_may_be_a_numpy_int():
    assert float(Tensor([1.0, 2.0]).sum(np.int64(0))) == 3


@pytest.mark.parametrize(("optimizer", "kept"), [(nn.Momentum, 1.0), (nn.SGD, 0.95)])
def test_weight_decay_spares_norms_without_groups_but_in_sgd(optimizer, kept):
    def after(**group):
        p = param(1.0, name="bn.gamma")
        rest = {"momentum": 0.0} if optimizer is nn.Momentum else {}
        members = [{"params": [p]}] if group else [p]
        optimizer(members, learning_rate=0.1, weight_decay=0.5, **rest)((Tensor([0.0]),))
        return float(p)

    assert after() == pytest.approx(kept)
    assert after(grouped=True) == pytest.approx(0.95)


def test_assigning_again_and_again_takes_time_in_proportion():
    """Counted, not timed: how many records an assignment looks at does not grow with the tape."""
    looked = []

    class Counting(list):
        def __getitem__(self, index):
            looked[-1] += 1
            return super().__getitem__(index)

    def function(a):
        y = a * 1
        for i in range(60):
            looked.append(0)
            y[i % 3] = a[0] * i
        return y

    with ms.context.under(tape=Counting()):
        x = Tensor([1.0, 2.0, 3.0])
        x._tape = ms.context.running.tape
        function(x)
    assert max(looked[5:]) <= 8
    gradient = ms.grad(function)(Tensor([1.0, 2.0, 3.0]))
    assert gradient.asnumpy().tolist() == [57 + 58 + 59, 0, 0]


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


def test_a_hook_operation_without_an_id_takes_the_gradients_alone():
    seen = []
    watch = ops.HookBackward(lambda gradients: seen.append(float(gradients[0])))
    assert float(ms.grad(lambda a: watch(a * a))(Tensor(3.0))) == 6
    assert seen == [1]
    with pytest.raises(ValueError, match="must return 1 gradients or None"):
        ms.grad(ops.HookBackward(lambda gradients: (gradients[0],) * 2))(Tensor(3.0))


@pytest.mark.parametrize("nest", [lambda a, b: [a, b], lambda a, b: ((a, b), a * 1), lambda a, b: (a, b)])
def test_a_cell_with_its_own_bprop_may_nest_its_outputs(nest):
    class Own(nn.Cell):
        def construct(self, x):
            return nest(x * 2, x * 3)

        def bprop(self, x, out, dout):
            first = dout[0]
            return (first[0] if isinstance(first, tuple) else first) * 7

    def function(a):
        first = Own()(a)[0]
        return first[0] if isinstance(first, tuple) else first

    assert ms.grad(function)(Tensor([1.0])).asnumpy().tolist() == [7]


def test_a_watched_cell_may_return_no_tensor():
    class Number(nn.Cell):
        def construct(self, x):
            return 3

    cell = Number()
    cell.register_backward_hook(lambda *arguments: None)
    assert cell(Tensor(1.0)) == 3


@pytest.mark.parametrize(
    "call",
    [
        lambda: ms.set_auto_parallel_context(device_num=0),
        lambda: ms.set_auto_parallel_context(pipeline_stages=-3),
        lambda: ms.set_context(max_call_depth=-1),
        lambda: ms.set_context(mode=7),
        lambda: ms.set_seed(2**32),
    ],
)
def test_settings_out_of_their_range_are_refused(call):
    with pytest.raises(ValueError, match="must be"):
        call()


def test_a_wrapper_hands_over_what_is_set_on_it_and_its_elements():
    network = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    converted = amp.auto_mixed_precision(network, "O2")
    network[1].gamma = Tensor([5.0, 5.0])
    network[1].use_batch_statistics = False
    assert network[1]._backbone.gamma.asnumpy().tolist() == [5, 5]
    assert network[1]._backbone.use_batch_statistics is False
    assert converted[0] is network[0]
    assert len(converted) == 2
