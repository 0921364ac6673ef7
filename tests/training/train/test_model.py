"""Model: the same numbers as a loop by hand, its networks and modes, and what it refuses."""

import logging

import numpy as np
import pytest
from tools.test_hopeless_skips import Told

import minispore as ms
from minispore import amp, boost, dataset, nn, train

MANAGERS = {
    "none": lambda: None,
    "fixed": lambda: amp.FixedLossScaleManager(64.0, drop_overflow_update=False),
    "fixed and dropped": lambda: amp.FixedLossScaleManager(64.0),
    "dynamic": lambda: amp.DynamicLossScaleManager(2**16, 2, 2),
}


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"])
@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
@pytest.mark.parametrize("kind", MANAGERS)
def test_model_trains_as_a_loop_by_hand_does_bit_for_bit(kind, level, mode, data, net):
    ms.set_context(cpu_loss_scale=True, mode=mode)

    def parts():
        ms.set_seed(3)
        made = net()
        scale = 64.0 if kind == "fixed" else 1.0
        return made, nn.Momentum(made.trainable_params(), 0.1, 0.9, loss_scale=scale), nn.MSELoss()

    network, optimizer, loss = parts()
    step = amp.build_train_network(network, optimizer, loss, level, loss_scale_manager=MANAGERS[kind]())
    losses = [step(*row) for _ in range(2) for row in data()]
    losses = [out[0] if isinstance(out, tuple) else out for out in losses]
    seen = []
    spy = train.LambdaCallback(on_train_step_end=lambda run: seen.append(run.original_args().net_outputs))
    other, optimizer, loss = parts()
    model = train.Model(other, loss, optimizer, amp_level=level, loss_scale_manager=MANAGERS[kind]())
    model.train(2, data(), spy)
    seen = [out[0] if isinstance(out, tuple) else out for out in seen]
    assert [x.asnumpy().tobytes() for x in seen] == [x.asnumpy().tobytes() for x in losses]
    for x, y in zip(other.get_parameters(), network.get_parameters(), strict=True):
        assert x.name == y.name and x.asnumpy().tobytes() == y.asnumpy().tobytes()


def model_of(net, **kwargs):
    made = net()
    return train.Model(made, nn.MSELoss(), nn.Momentum(made.trainable_params(), 0.1, 0.9), **kwargs)


def test_auto_is_the_level_for_the_device_or_refused(net):
    with pytest.raises(ValueError, match="'level' may be 'auto' only where"):
        model_of(net, amp_level="auto")


def test_the_evaluation_of_a_float16_network_casts_to_float32(data, net):
    model = model_of(net, metrics={"mae"}, amp_level="O3", loss_scale_manager=None)
    assert model.eval_network.add_cast_fp32
    assert model.predict(ms.ops.ones((2, 3))).dtype == ms.float16
    assert isinstance(model.eval(data())["mae"], float)


def test_training_sets_the_training_mode_and_evaluation_and_prediction_end_it(data, net):
    model = model_of(net, metrics={"mae"})
    modes = []
    spy = train.LambdaCallback(
        on_train_step_begin=lambda run: modes.append(("train", model.train_network.training)),
        on_eval_step_begin=lambda run: modes.append(("eval", model.eval_network.training)),
    )
    model.fit(2, data(4), data(4), callbacks=spy)
    assert modes == [("train", True), ("eval", False)] * 2
    model.predict(ms.ops.ones((2, 3)))
    assert not model.predict_network.training


def test_without_a_loss_the_network_gives_it_and_without_an_optimizer_it_is_the_step(data, net):
    made = net()
    with_loss = nn.WithLossCell(made, nn.MSELoss())
    before = made.fc2.bias.asnumpy().copy()
    train.Model(with_loss, optimizer=nn.SGD(made.trainable_params(), 0.1)).train(1, data())
    middle = made.fc2.bias.asnumpy().copy()
    step = nn.TrainOneStepCell(with_loss, nn.SGD(made.trainable_params(), 0.1))
    model = train.Model(step)
    model.train(1, data())
    assert model.train_network is step and model.eval_network is None
    assert not np.array_equal(before, middle) and not np.array_equal(middle, made.fc2.bias.asnumpy())


def test_rows_without_a_loss_may_have_any_number_of_columns(net):
    class Sum(nn.Cell):
        def construct(self, *columns):
            return sum(x.sum() for x in columns)

    columns = {name: np.ones((4, 2), np.float32) for name in "abc"}
    outs = []
    spy = train.LambdaCallback(on_train_step_end=lambda run: outs.append(float(run.original_args().net_outputs)))
    train.Model(Sum()).train(1, dataset.NumpySlicesDataset(columns).batch(2), spy)
    assert outs == [12.0, 12.0]


def test_build_checks_its_arguments_and_layouts_are_refused(data, net):
    model = model_of(net)
    assert model.build(data()) is None
    with pytest.raises(ValueError, match="'metrics' must be given"):
        model.build(data(), data())
    for ask in (model.infer_train_layout, model.infer_predict_layout):
        with pytest.raises(RuntimeError, match="there must be several devices"):
            ask(data())


REFUSALS = [
    (ValueError, "'epoch' must be above 'initial_epoch', 0", lambda m, d: m.train(0, d)),
    (ValueError, "'epoch' must be at least 0", lambda m, d: m.train(-1, d)),
    (TypeError, "'epoch' must be an int", lambda m, d: m.train(1.5, d)),
    (TypeError, "'epoch' must be an int", lambda m, d: m.train(True, d)),
    (ValueError, "'epoch' must be above 'initial_epoch', 2", lambda m, d: m.train(2, d, initial_epoch=2)),
    (ValueError, "'sink_size' must be -1 or above 0", lambda m, d: m.train(1, d, sink_size=0)),
    (TypeError, "'dataset_sink_mode' must be a bool", lambda m, d: m.train(1, d, dataset_sink_mode=1)),
    (TypeError, "'train_dataset' must be a Dataset", lambda m, d: m.train(1, [1])),
    (ValueError, "'train_dataset' must have rows", lambda m, d: m.train(1, d.skip(3))),
    (TypeError, "'callbacks' must be a Callback", lambda m, d: m.train(1, d, [1])),
    (ValueError, "'metrics' must be given", lambda m, d: m.eval(d)),
    (ValueError, "'metrics' must be given", lambda m, d: m.fit(1, d, d)),
    (TypeError, "'valid_frequency' must be an int or a list", lambda m, d: m.fit(1, d, valid_frequency=1.0)),
    (ValueError, "'valid_frequency' must be above 0", lambda m, d: m.fit(1, d, valid_frequency=0)),
    (TypeError, "'network' must be a Cell", lambda m, d: train.Model(1)),
    (TypeError, "'loss_fn' must be a Cell", lambda m, d: train.Model(nn.ReLU(), 1)),
    (TypeError, "'optimizer' must be an Optimizer", lambda m, d: train.Model(nn.ReLU(), nn.MSELoss(), 1)),
    (TypeError, "'metrics' must be None, a set", lambda m, d: train.Model(nn.ReLU(), metrics=["mae"])),
    (KeyError, "'name' must be one of", lambda m, d: train.Model(nn.ReLU(), metrics={"zzz"})),
    (ValueError, "'loss_fn' or the 'eval_network' must be given", lambda m, d: train.Model(nn.ReLU(), metrics={"mae"})),
    (ValueError, "'amp_level' must be 'O0' where", lambda m, d: train.Model(nn.ReLU(), amp_level="O2")),
    (ValueError, "the keywords must be among", lambda m, d: train.Model(nn.ReLU(), other=1)),
    (
        ValueError,
        "'eval_indexes' must be None",
        lambda m, d: train.Model(nn.ReLU(), eval_network=nn.ReLU(), eval_indexes=[0, 1]),
    ),
]


@pytest.mark.parametrize("kind, words, call", REFUSALS, ids=[row[1][:40] for row in REFUSALS])
def test_wrong_arguments_are_refused_by_one_sentence(kind, words, call, data, net):
    with pytest.raises(kind, match=f"^[\"']?For '.*{words}"):
        call(model_of(net), data())


@pytest.mark.usefixtures("restored")
def test_a_boost_level_has_boost_process_network_and_optimizer(net, data, monkeypatch):
    monkeypatch.setattr(boost.AutoBoost, "_instance", None)
    model = model_of(net, boost_level="O1", boost_config_dict={"less_bn": {"fn_flag": False}})
    assert type(model.predict_network) is boost.LessBN
    assert type(model.train_network) is boost.BoostTrainOneStepCell
    assert model.train_network.optimizer.groups_num == 10
    before = [p.asnumpy() for p in model.predict_network.trainable_params()]
    model.train(1, data())
    after = [p.asnumpy() for p in model.predict_network.trainable_params()]
    assert not all(np.array_equal(x, y) for x, y in zip(before, after, strict=True))  # some are frozen


def test_a_wrong_configuration_of_boost_is_refused(net):
    with pytest.raises(TypeError, match="the 'boost_config_dict' must be a dict, but got 3"):
        model_of(net, boost_level="O1", boost_config_dict=3)
    with pytest.raises(ValueError, match="the 'acc_level' must be left out, for 'boost_level'"):
        model_of(net, acc_level="O1")


def test_rows_of_another_width_than_data_and_label_are_refused(net):
    rows = dataset.NumpySlicesDataset({"a": np.ones((4, 3), np.float32)}).batch(2)
    with pytest.raises(ValueError, match="must have two columns where there is a 'loss_fn', but got 1"):
        model_of(net).train(1, rows)


def test_places_outside_of_an_eval_networks_outputs_are_refused(data):
    model = train.Model(nn.ReLU(), eval_network=nn.WithLossCell(nn.ReLU(), nn.MSELoss()), metrics={"mae"})
    model._eval_indexes = [0, 1, 2]
    with pytest.raises(ValueError, match="must be places among the 1 outputs"):
        model.eval(dataset.NumpySlicesDataset({"a": np.ones((2, 1), np.float32), "b": np.ones((2, 1), np.float32)}))


class Own:
    """A data set that is no Dataset, whose iterator is itself: two rows until ``reset()``."""

    def __init__(self, resets=True):
        self.left, self.resets = 2, resets

    def get_dataset_size(self):
        return 2

    def create_tuple_iterator(self, num_epochs=-1):
        return self

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return ms.ops.ones((4, 3)), ms.ops.ones((4, 1))

    def reset(self):
        if self.resets:
            self.left = 2


@pytest.fixture
def told():
    """The warnings of the log."""
    told, logger = [], logging.getLogger("minispore.log")
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: told.append(record.getMessage())
    logger.addHandler(handler)
    yield told
    logger.removeHandler(handler)


def test_one_data_set_of_a_users_own_may_be_trained_and_evaluated_on_in_turn(net, told):
    steps, data_set = [], Own()
    count = train.LambdaCallback(on_train_step_end=lambda run: steps.append(run.original_args().cur_step_num))
    model_of(net, metrics={"mae"}).fit(3, data_set, data_set, callbacks=count)
    assert steps == [1, 2, 3, 4, 5, 6]
    assert told == []


def test_a_data_set_is_reset_where_a_step_fails(net):
    data_set = Own()

    def fails(run_context):
        raise KeyError("planted")

    with pytest.raises(KeyError):
        model_of(net).train(3, data_set, train.LambdaCallback(on_train_step_end=fails))
    assert data_set.left == 2


def test_an_epoch_without_rows_is_told_of(net, told):
    model_of(net).train(3, Own(resets=False))
    epochs = [message.partition(":")[0] for message in told]
    assert epochs == [f"There were no rows in epoch {number} of the training" for number in (2, 3)]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("scale, count", [(16.0, 5), (2.0**24, 20)])
def test_a_model_on_nan_data_tells(mode, scale, count):
    ms.set_context(mode=mode, cpu_loss_scale=True)
    rows = {"x": np.full((8, 3), np.nan, np.float32), "y": np.zeros((8, 2), np.float32)}
    net, manager = nn.Dense(3, 2), amp.DynamicLossScaleManager(scale, 2, 100)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    model = ms.Model(net, nn.MSELoss(), optimizer, amp_level="O2", loss_scale_manager=manager)
    with Told() as told:
        model.train(10, dataset.NumpySlicesDataset(rows).batch(2))
    assert len(told.messages) == 1
    assert f"{count} in a row" in told.messages[0]
