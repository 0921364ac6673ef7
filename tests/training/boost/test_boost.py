"""AutoBoost: what is on at which level and mode, what is refused, and what becomes of network and optimizer."""

import numpy as np
import pytest

import minispore as ms
from minispore import boost, nn

pytestmark = pytest.mark.usefixtures("own_configuration")

# Level, "boost" section -> the algorithms that are on; the levels and "disable_all" recorded from MindSpore 2.0.0
ON = [
    ("O0", {}, ()),
    ("O1", {}, ("less_bn", "grad_freeze")),
    ("O2", {}, ("less_bn", "grad_freeze", "adasum")),
    ("O2", {"mode": "auto", "adasum": False}, ("less_bn", "grad_freeze", "adasum")),
    ("O2", {"mode": "disable_all"}, ()),
    ("O0", {"mode": "enable_all"}, boost.boost.ALGORITHMS),
    ("O1", {"mode": "manual", "less_bn": False, "grad_accumulation": True}, ("grad_freeze", "grad_accumulation")),
    ("O0", {"mode": "manual", "loss_scale_group": True}, ("loss_scale_group",)),
]


@pytest.mark.parametrize(("level", "section", "on"), ON)
def test_levels_and_modes_turn_algorithms_on(level, section, on):
    made = boost.AutoBoost(level, {"boost": section})
    assert tuple(name for name, value in made.boost_config.items() if value) == on


def test_one_configuration_does_not_leak_into_the_next():
    boost.AutoBoost("O1", {"boost": {"mode": "manual", "less_bn": False}, "grad_freeze": {"param_groups": 3}})
    assert boost.AutoBoost("O1").boost_config["less_bn"]
    assert boost.AutoBoost()._param_groups == 10


def test_without_arguments_the_one_in_force_is_returned():
    assert boost.AutoBoost().level == "O0"
    made = boost.AutoBoost("O1")
    assert boost.AutoBoost() is made and made.level == "O1"
    with pytest.raises(ValueError):
        boost.AutoBoost("O9")
    assert boost.AutoBoost() is made


def test_the_settings_have_mindspores_defaults():
    found = vars(boost.AutoBoost("O1"))
    expected = {
        "_fn_flag": True, "_gc_flag": True, "_param_groups": 10, "_freeze_type": 1, "_freeze_p": 0.7,
        "_total_steps": 65536, "gradient_groups": None, "device_number": 8, "grad_accumulation_step": 1, "rho": 0.55,
        "gamma": 0.9, "alpha": 0.001, "sigma": 0.4, "n_components": 32, "pca_mat_path": None, "weight_load_dir": None,
        "timeout": 1800,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected


REFUSED = [
    (ValueError, "'level' must be one of", ("O3",)),
    (TypeError, "'boost_config_dict' must be a dict, but got 3", ("O1", 3)),
    (TypeError, "section 'boost' of the 'boost_config_dict' must be a dict", ("O1", {"boost": 3})),
    (ValueError, "'boost_config_dict' must be one of", ("O1", {"foo": {}})),
    (ValueError, "'mode' must be one of", ("O1", {"boost": {"mode": "x"}})),
    (TypeError, "'less_bn' must be a bool", ("O1", {"boost": {"less_bn": 1}})),
    (ValueError, "must be one of .*fn_flag.* but got 'zzz'", ("O1", {"less_bn": {"zzz": 3}})),
    (TypeError, "'fn_flag' must be a bool", ("O1", {"less_bn": {"fn_flag": 3}})),
    (ValueError, "'freeze_p' must be", ("O1", {"grad_freeze": {"freeze_p": 3}})),
    (ValueError, "'freeze_type' must be", ("O1", {"grad_freeze": {"freeze_type": 5}})),
    (ValueError, "'total_steps' must be", ("O1", {"grad_freeze": {"total_steps": -1}})),
    (TypeError, "'param_groups' must be", ("O1", {"grad_freeze": {"param_groups": "a"}})),
    (ValueError, "'grad_accumulation_step' must be", ("O1", {"grad_accumulation": {"grad_accumulation_step": 0}})),
    (TypeError, "'gradient_split_groups' must be", ("O1", {"common": {"gradient_split_groups": 3}})),
    (TypeError, "'rho' must be", ("O1", {"dim_reduce": {"rho": "a"}})),
    (TypeError, "'pca_mat_path' must be", ("O1", {"dim_reduce": {"pca_mat_path": 3}})),
]


@pytest.mark.parametrize(("error", "sentence", "arguments"), REFUSED)
def test_what_is_refused(error, sentence, arguments):
    with pytest.raises(error, match=sentence):
        boost.AutoBoost(*arguments)


OFF = dict.fromkeys(boost.boost.ALGORITHMS, False)
BOOST, PLAIN = "BoostTrainOneStepCell", "SequentialCell"
# (boost level, algorithms of a manual configuration or its mode) -> the types of Model's training step, network for
# prediction and optimizer, then whether the step freezes, accumulates, reduces dimensions and sums adaptively, and how
# many steps it accumulates; recorded from MindSpore 2.0.0, the same at the levels O1 and O2 but for None, the level's
MODELS = {
    ("O0", None): ("TrainOneStepCell", PLAIN, "Momentum", False, False, False, False, 1),
    ("O0", "less_bn"): ("TrainOneStepCell", PLAIN, "Momentum", False, False, False, False, 1),
    ("O1", None): (BOOST, "LessBN", "FreezeOpt", True, False, False, False, 1),
    ("O2", None): (BOOST, "LessBN", "FreezeOpt", True, False, False, False, 1),
    ("O2", "disable_all"): (BOOST, PLAIN, "Momentum", False, False, False, False, 1),
    ("O1", "less_bn"): (BOOST, "LessBN", "Momentum", False, False, False, False, 1),
    ("O2", "grad_freeze"): (BOOST, PLAIN, "FreezeOpt", True, False, False, False, 1),
    ("O2", "adasum"): (BOOST, PLAIN, "Momentum", False, False, False, False, 1),
    ("O1", "grad_accumulation"): (BOOST, PLAIN, "Momentum", False, True, False, False, 3),
    ("O2", "dim_reduce"): (BOOST, PLAIN, "SGD", False, False, True, False, 1),
    ("O1", "loss_scale_group"): (BOOST, PLAIN, "Momentum", False, False, False, False, 1),
}


@pytest.mark.parametrize(("level", "name"), MODELS)
def test_model_is_boosted_as_in_mindspore(tmp_path, level, name):
    def network():
        return nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3), nn.Dense(3, 2))

    for i in range(2 if name == "dim_reduce" else 0):
        ms.save_checkpoint(network(), str(tmp_path / f"{i}.ckpt"))
    net, config = network(), {"dim_reduce": {"n_components": 2, "weight_load_dir": str(tmp_path)}}
    config["grad_accumulation"] = {"grad_accumulation_step": 3}
    config["boost"] = {"mode": "manual", **OFF, name: True} if name in OFF else {"mode": name}
    keywords = {} if name is None else {"boost_config_dict": config}
    loss, opt = nn.SoftmaxCrossEntropyWithLogits(sparse=True), nn.Momentum(net.trainable_params(), 0.1, 0.9)
    model = ms.Model(net, loss, opt, boost_level=level, **keywords)
    step = model.train_network
    flags = ("freeze", "use_grad_accumulation", "enable_dim_reduce", "enable_adasum")
    found = [type(x).__name__ for x in (step, model.predict_network, step.optimizer)]
    found += [getattr(step, flag, False) for flag in flags] + [getattr(step, "max_accumulation_step", 1)]
    assert tuple(found) == MODELS[level, name]


def parts():
    net = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3), nn.Dense(3, 2))
    params = net.trainable_params()
    return net, nn.Momentum([{"params": params[:3], "lr": 0.5}, {"params": params[3:]}], 0.1, 0.9)


def test_at_level_0_network_and_optimizer_are_returned():
    net, opt = parts()
    made = boost.AutoBoost("O0")
    assert made.network_auto_process_train(net, opt) == (net, opt)
    assert made.network_auto_process_eval(net) is net


def test_less_bn_makes_an_optimizer_of_the_new_layer_and_centralizes():
    net, opt = parts()
    config = {"boost": {"mode": "manual", "grad_freeze": False}, "common": {"gradient_split_groups": [2]}}
    made = boost.AutoBoost("O1", config)
    network, optimizer = made.network_auto_process_train(net, opt)
    assert type(network) is boost.LessBN and type(optimizer) is nn.Momentum
    assert {id(p) for p in optimizer.parameters} == {id(p) for p in network.trainable_params()}
    assert optimizer.group_grad_centralization[0] and not any(optimizer.group_grad_centralization[1:])
    assert [p.comm_fusion for p in network.trainable_params()] == [1, 1, 2, 2, 2, 2]
    assert type(made.network_auto_process_eval(network.network)) is boost.LessBN


def test_at_level_1_a_network_learns():
    ms.set_seed(0)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((32, 2)).astype(np.float32)
    y = (x[:, 0] > 0).astype(np.int32)
    net = nn.SequentialCell(nn.Dense(2, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dense(8, 2))
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    config = {"grad_freeze": {"param_groups": 2, "total_steps": 8}}
    network, optimizer = boost.AutoBoost("O1", config).network_auto_process_train(net, opt)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = ms.amp.build_train_network(network, optimizer, loss, boost_level="O1")
    losses = [float(step(ms.Tensor(x), ms.Tensor(y))) for _ in range(40)]
    assert losses[-1] < 0.4 * losses[0]
