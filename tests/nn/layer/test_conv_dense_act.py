"""Conv2dBnAct and DenseBnAct are the three layers one after another, under MindSpore's names."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn

NORM = ["batchnorm.moving_mean", "batchnorm.moving_variance", "batchnorm.gamma", "batchnorm.beta"]
LAYERS = {
    "Conv2dBnAct": (lambda **k: nn.Conv2dBnAct(2, 4, 3, **k), (3, 2, 5, 5), ["conv.weight"], nn.BatchNorm2d),
    "DenseBnAct": (lambda **k: nn.DenseBnAct(2, 4, **k), (3, 2), ["dense.weight", "dense.bias"], nn.BatchNorm1d),
}


@pytest.mark.parametrize(("make", "shape", "names", "norm"), LAYERS.values(), ids=LAYERS)
def test_the_parts_run_one_after_another(make, shape, names, norm):
    x = ms.Tensor(np.random.default_rng(0).normal(size=shape).astype(np.float32))
    layer = make(has_bn=True, activation="leakyrelu", alpha=0.3).set_train()
    assert [p.name for p in layer.get_parameters()] == names + NORM
    first = layer.conv if hasattr(layer, "conv") else layer.dense
    expected = nn.LeakyReLU(0.3)(norm(4, momentum=0.9).set_train()(first(x)))
    np.testing.assert_allclose(layer(x).asnumpy(), expected.asnumpy(), rtol=1e-6)
    bare = make()
    assert ([p.name for p in bare.get_parameters()], bare.has_bn, bare.has_act) == (names, False, False)
    assert repr(layer).count("batchnorm") and "(activation): LeakyReLU<>" in repr(layer)


@pytest.mark.parametrize("layer", ["Conv2dBnAct", "DenseBnAct"])
def test_wrong_arguments_are_refused(layer):
    make = LAYERS[layer][0]
    for kind, message, arguments in (
        (TypeError, "the 'has_bn' must be a bool", {"has_bn": 3}),
        (TypeError, "the 'activation' must be a str, a Cell or a Primitive", {"activation": 3}),
        (TypeError, "the 'alpha' must be a number", {"alpha": "a"}),
    ):
        with pytest.raises(kind, match=f"For '{layer}', {message}"):
            make(**arguments)
