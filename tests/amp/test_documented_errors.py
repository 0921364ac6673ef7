"""Every error of mixed precision, with its text: a list to be read beside the seed text and the rules of this package.

``place`` says where an error comes from: a function of MindSpore r2.1's amp module, a page of its documentation, or
"ours" for what minispore refuses beyond it. A last test looks that no ``raise`` of ``minispore/amp`` is missing in
the list.
"""

import ast
import traceback
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from support.mixed_networks import ConvNet

import minispore as ms
from minispore import amp, nn, ops
from minispore.amp.lowbit.formats import encode
from minispore.amp.lowbit.quantized import Operand
from minispore.amp.lowbit.scales import TwoLevels
from minispore.amp.lowbit.stochastic import stochastic

pytestmark = pytest.mark.usefixtures("restored")
AMP = Path(amp.__file__).parent


class Row(NamedTuple):
    """One documented error."""

    place: str
    operation: str
    call: object
    error: type
    match: str


def built(level="O0", network=None, optimizer_scale=1.0, cpu=True, **keywords):
    """build_train_network, with an update cell allowed on the CPU or not."""
    ms.set_context(cpu_loss_scale=cpu)
    network = ConvNet() if network is None else network
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9, loss_scale=optimizer_scale)
    return amp.build_train_network(network, optimizer, level=level, **keywords)


def built_with(network=None, optimizer=None, loss_fn=None):
    network = ConvNet() if network is None else network
    optimizer = nn.SGD(ConvNet().trainable_params()) if optimizer is None else optimizer
    return amp.build_train_network(network, optimizer, loss_fn)


def converted(first="O2", then="O3"):
    network = ConvNet()
    amp.auto_mixed_precision(network, first)
    return amp.auto_mixed_precision(network, then)


class Functional(nn.Cell):
    def construct(self, x):
        return ops.relu(x)


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter([1.0])

    def construct(self, x):
        return self.w * x


class Pair(Scaled):
    def construct(self, x):
        return self.w * x, x


def step(scale, network=None):
    network = Scaled() if network is None else network
    weights = network.trainable_params() if isinstance(network, nn.Cell) else [ms.Parameter([1.0])]
    return nn.TrainOneStepWithLossScaleCell(network, nn.SGD(weights), scale)


def overflow_for_ever():
    manager = amp.DynamicLossScaleManager()
    for _ in range(1001):
        manager.update_loss_scale(True)


def custom(**keywords):
    return amp.custom_mixed_precision(ConvNet(), **keywords)


def without(missing):
    """A scaler whose class defines all of the three methods but one."""
    members = {name: lambda self, x: x for name in ("scale", "unscale", "adjust") if name != missing}
    return type("Partial", (amp.LossScaler,), members)()


def fixed_kept():
    return amp.FixedLossScaleManager(8.0, drop_overflow_update=False)


ONE, BITS, LOW = np.float32([1]), np.uint32([0]), "ours: low bits"


def low_net(keep=()):
    return amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(2, 3)), recipe=amp.MXFP8(keep=keep))


def low_product(x):
    return low_net()[0].matmul(x, ms.ops.ones((3, 2)))


AUTO, CUSTOM, LIST = "auto_mixed_precision", "custom_mixed_precision", "_list_check"
KWARGS, LEVEL, BUILD, LOSS = "_check_kwargs", "_check_level", "build_train_network", "_add_loss_network"
STEP, SCALE = "TrainOneStepWithLossScaleCell (page)", "loss-scale classes (observed in 2.0.0)"

ROWS = [
    Row(
        AUTO,
        "auto_mixed_precision",
        lambda: amp.auto_mixed_precision("net", "O1"),
        TypeError,
        "'network' must be a Cell, but got str",
    ),
    Row(
        AUTO,
        "auto_mixed_precision",
        lambda: amp.auto_mixed_precision(ConvNet(), "O4"),
        ValueError,
        "'amp_level' must be one of .* got 'O4'",
    ),
    Row(
        AUTO,
        "auto_mixed_precision",
        lambda: amp.auto_mixed_precision(ConvNet(), "AUTO"),
        ValueError,
        "'amp_level' must be one of",
    ),
    *[
        Row(
            "2.7.0: dtype",
            name,
            lambda function=function, dtype=dtype: function(dtype),
            ValueError,
            f"For '{name}', the 'dtype' must be float16 or bfloat16, but got {dtype}",
        )
        for name, function in (
            ("auto_mixed_precision", lambda dtype: amp.auto_mixed_precision(ConvNet(), "O0", dtype)),
            ("explain", lambda dtype: amp.explain(ConvNet(), "O0", dtype)),
            ("custom_mixed_precision", lambda dtype: amp.custom_mixed_precision(ConvNet(), white_list=[], dtype=dtype)),
        )
        for dtype in (ms.float32, ms.float64, "bfloat16")
    ],
    Row(
        AUTO,
        "auto_mixed_precision",
        lambda: amp.auto_mixed_precision(ConvNet(), 1),
        ValueError,
        "'amp_level' must be one of .* got 1",
    ),
    *[
        Row(
            AUTO,
            "auto_mixed_precision",
            lambda level=level: amp.auto_mixed_precision(ms.ops.ReLU(), level),
            TypeError,
            "'network' must be a Cell, but got ReLU",
        )
        for level in ("O0", "O2", "O3")
    ],
    Row(
        CUSTOM,
        "custom_mixed_precision",
        lambda: amp.custom_mixed_precision(3, white_list=[]),
        TypeError,
        "'network' must be a Cell",
    ),
    Row(
        CUSTOM,
        "custom_mixed_precision",
        lambda: custom(),
        ValueError,
        "one of 'white_list' and 'black_list' must be given, but got neither",
    ),
    Row(
        CUSTOM,
        "custom_mixed_precision",
        lambda: custom(white_list=[], black_list=[]),
        ValueError,
        "must be given, but got both",
    ),
    Row(
        LIST,
        "custom_mixed_precision",
        lambda: custom(white_list=(nn.Dense,)),
        TypeError,
        "'white_list' must be a list, but got tuple",
    ),
    Row(
        LIST,
        "custom_mixed_precision",
        lambda: custom(black_list={nn.Dense}),
        TypeError,
        "'black_list' must be a list, but got set",
    ),
    Row(
        LIST,
        "custom_mixed_precision",
        lambda: custom(white_list=[nn.ReLU()]),
        TypeError,
        "element of the 'white_list' must be a subclass",
    ),
    Row(
        LIST,
        "custom_mixed_precision",
        lambda: custom(black_list=["Dense"]),
        TypeError,
        "element of the 'black_list' must be a subclass",
    ),
    Row(
        LIST,
        "custom_mixed_precision",
        lambda: custom(white_list=[int]),
        TypeError,
        "subclass of 'Cell' or 'Primitive', but got <class 'int'>",
    ),
    Row(
        LIST,
        "custom_mixed_precision",
        lambda: custom(black_list=[ops.MatMul]),
        TypeError,
        "subclass of 'Cell', but got .*MatMul",
    ),
    Row(
        KWARGS,
        "build_train_network",
        lambda: built(dtype=1),
        ValueError,
        "the keywords must be among .*, but got 'dtype'",
    ),
    Row(
        KWARGS,
        "build_train_network",
        lambda: built(cast_model_type=ms.int8),
        TypeError,
        "'cast_model_type' must be float16 or float32",
    ),
    Row(
        KWARGS,
        "build_train_network",
        lambda: built(cast_model_type=ms.bfloat16),
        TypeError,
        "'cast_model_type' must be float16 or float32",
    ),
    Row(
        KWARGS,
        "build_train_network",
        lambda: built(keep_batchnorm_fp32=1),
        TypeError,
        "'keep_batchnorm_fp32' must be a bool, but got 1",
    ),
    Row(
        KWARGS,
        "build_train_network",
        lambda: built(loss_scale_manager=8),
        TypeError,
        "must be a LossScaleManager, but got int",
    ),
    Row(
        LEVEL,
        "build_train_network",
        lambda: built(2),
        TypeError,
        r"'level' must be a str of \['O0', 'O1', 'O2', 'O3', 'auto'\], but got int",
    ),
    Row(LEVEL, "build_train_network", lambda: built("O4"), ValueError, "'level' must be one of .* but got 'O4'"),
    Row(
        LEVEL,
        "build_train_network",
        lambda: built("auto"),
        ValueError,
        r"'auto' only where the 'device_target' is one of \['GPU', 'Ascend'\]",
    ),
    Row(
        LEVEL,
        "build_train_network",
        lambda: built(boost_level="O3"),
        ValueError,
        "'boost_level' must be one of .* but got 'O3'",
    ),
    Row(
        LEVEL,
        "build_train_network",
        lambda: built(boost_level=1),
        ValueError,
        "'boost_level' must be one of .* but got 1",
    ),
    Row(
        BUILD,
        "build_train_network",
        lambda: built_with(optimizer=3),
        TypeError,
        "'optimizer' must be an Optimizer, but got int",
    ),
    Row(
        BUILD,
        "build_train_network",
        lambda: built("O2", cpu=False),
        ValueError,
        "on the CPU the 'loss_scale_manager' must be None or Fixed",
    ),
    Row(
        BUILD,
        "build_train_network",
        lambda: built(cpu=False, loss_scale_manager=amp.FixedLossScaleManager(8.0)),
        ValueError,
        r"FixedLossScaleManager\(drop_overflow_update=False\), unless set_context\(cpu_loss_scale=True\)",
    ),
    Row(LOSS, "build_train_network", lambda: built_with(loss_fn=3), TypeError, "'loss_fn' must be a Cell, but got int"),
    Row(STEP, "TrainOneStepCell", lambda: step(ms.Tensor(2.0), network=3), TypeError, "'network' must be a Cell"),
    Row(
        STEP,
        "TrainOneStepWithLossScaleCell",
        lambda: step(ms.Tensor(float("nan"))),
        ValueError,
        "'scale_sense' must be finite, but got nan",
    ),
    Row(
        LOSS,
        "DynamicLossScaleUpdateCell",
        lambda: nn.DynamicLossScaleUpdateCell(8, 2, 2)(8.0, True),
        TypeError,
        "'loss_scale' must be a Tensor of one element, but got 8.0",
    ),
    Row(
        LOSS,
        "DynamicLossScaleUpdateCell",
        lambda: nn.DynamicLossScaleUpdateCell(8, 2, 2)(ms.Tensor(8.0), b"x"),
        TypeError,
        "'overflow' must be a bool or a Tensor of one, but got b'x'",
    ),
    Row(
        STEP,
        "TrainOneStepWithLossScaleCell",
        lambda: step(8.0),
        TypeError,
        "'scale_sense' must be a Cell or a Tensor, but got float",
    ),
    Row(
        STEP,
        "TrainOneStepWithLossScaleCell",
        lambda: step(ms.Tensor([1.0, 2.0])),
        ValueError,
        r"shape of 'scale_sense' must be \(\) or \(1,\)",
    ),
    Row(
        STEP,
        "TrainOneStepWithLossScaleCell",
        lambda: step(ms.Tensor([[1.0]])),
        ValueError,
        r"must be \(\) or \(1,\), but got \(1, 1\)",
    ),
    Row(
        STEP,
        "TrainOneStepWithLossScaleCell",
        lambda: step(ms.Tensor(2.0), Pair())(ms.Tensor([1.0])),
        TypeError,
        "must have one output, a Tensor",
    ),
    Row(
        STEP,
        "set_sense_scale",
        lambda: step(ms.Tensor(2.0)).set_sense_scale(3.0),
        TypeError,
        "must be a Tensor of Float32, but got float",
    ),
    Row(
        STEP,
        "set_sense_scale",
        lambda: step(ms.Tensor(2.0)).set_sense_scale(ms.Tensor(2)),
        TypeError,
        "Tensor of Float32, but got Int64",
    ),
    Row(
        STEP,
        "set_sense_scale",
        lambda: step(ms.Tensor(2.0)).set_sense_scale(ms.Tensor([2.0])),
        ValueError,
        r"shape \(\), but got \(1,\)",
    ),
    Row(
        STEP,
        "set_sense_scale",
        lambda: step(nn.FixedLossScaleUpdateCell(8.0)).set_sense_scale(ms.Tensor(2.0)),
        TypeError,
        "must have been given as a Tensor, but got a Cell",
    ),
    Row(
        SCALE,
        "DynamicLossScaleManager",
        lambda: amp.DynamicLossScaleManager(0.5),
        ValueError,
        r"'init_loss_scale' must be in \[1, 3.4\d*e\+38\], but got 0.5",
    ),
    Row(
        SCALE,
        "DynamicLossScaleManager",
        lambda: amp.DynamicLossScaleManager("8"),
        TypeError,
        "'init_loss_scale' must be a number",
    ),
    Row(
        SCALE,
        "DynamicLossScaleManager",
        lambda: amp.DynamicLossScaleManager(scale_factor=0),
        ValueError,
        "'scale_factor' must be finite and at least 1",
    ),
    Row(
        SCALE,
        "DynamicLossScaleManager",
        lambda: amp.DynamicLossScaleManager(scale_factor=True),
        TypeError,
        "'scale_factor' must be a number",
    ),
    Row(
        SCALE,
        "DynamicLossScaleManager",
        lambda: amp.DynamicLossScaleManager(scale_window=1.5),
        TypeError,
        "'scale_window' must be an int",
    ),
    Row(
        SCALE,
        "DynamicLossScaleManager",
        lambda: amp.DynamicLossScaleManager(scale_window=0),
        ValueError,
        "'scale_window' must be above 0",
    ),
    Row(
        SCALE,
        "DynamicLossScaleManager",
        overflow_for_ever,
        RuntimeError,
        "at most 1000 overflows in a row: the network diverges",
    ),
    Row(
        SCALE,
        "FixedLossScaleManager",
        lambda: amp.FixedLossScaleManager(0.5),
        ValueError,
        "'loss_scale' must be in \\[1, ",
    ),
    Row(
        SCALE,
        "FixedLossScaleManager",
        lambda: amp.FixedLossScaleManager("8"),
        TypeError,
        "'loss_scale' must be a number",
    ),
    Row(
        SCALE,
        "FixedLossScaleManager",
        lambda: amp.FixedLossScaleManager(8, 1),
        TypeError,
        "'drop_overflow_update' must be a bool, but got 1",
    ),
    Row(
        SCALE,
        "DynamicLossScaleUpdateCell",
        lambda: nn.DynamicLossScaleUpdateCell(0, 2, 2),
        ValueError,
        "'loss_scale_value' must be in \\(0, ",
    ),
    Row(
        SCALE,
        "DynamicLossScaleUpdateCell",
        lambda: nn.DynamicLossScaleUpdateCell("8", 2, 2),
        TypeError,
        "'loss_scale_value' must be a number",
    ),
    Row(
        SCALE,
        "DynamicLossScaleUpdateCell",
        lambda: nn.DynamicLossScaleUpdateCell(8, 0, 2),
        ValueError,
        "'scale_factor' must be finite and at least 1",
    ),
    Row(
        SCALE,
        "DynamicLossScaleUpdateCell",
        lambda: nn.DynamicLossScaleUpdateCell(8, 2, 0.5),
        TypeError,
        "'scale_window' must be an int",
    ),
    Row(
        SCALE,
        "FixedLossScaleUpdateCell",
        lambda: nn.FixedLossScaleUpdateCell(0),
        ValueError,
        "'loss_scale_value' must be in \\(0, ",
    ),
    Row(SCALE, "StaticLossScaler", lambda: amp.StaticLossScaler(0.5), ValueError, "'scale_value' must be in \\[1, "),
    Row(SCALE, "StaticLossScaler", lambda: amp.StaticLossScaler(None), TypeError, "'scale_value' must be a number"),
    Row(
        SCALE, "DynamicLossScaler", lambda: amp.DynamicLossScaler(8, 1.5, 2), TypeError, "'scale_factor' must be an int"
    ),
    Row(
        SCALE, "DynamicLossScaler", lambda: amp.DynamicLossScaler(8, 2, 0), ValueError, "'scale_window' must be above 0"
    ),
    Row(
        SCALE,
        "scale",
        lambda: amp.StaticLossScaler(8).scale(2.0),
        TypeError,
        "the inputs must be Tensors, .* but got float",
    ),
    Row(
        SCALE,
        "unscale",
        lambda: amp.StaticLossScaler(8).unscale("x"),
        TypeError,
        "the inputs must be Tensors, .* but got str",
    ),
    Row(SCALE, None, lambda: amp.LossScaler(), TypeError, "abstract"),
    Row(
        SCALE,
        "LossScaleManager",
        lambda: amp.LossScaleManager().get_loss_scale(),
        NotImplementedError,
        "'get_loss_scale' is not defined",
    ),
    Row(
        SCALE,
        "LossScaleManager",
        lambda: amp.LossScaleManager().update_loss_scale(True),
        NotImplementedError,
        "'update_loss_scale' is not",
    ),
    Row(
        SCALE,
        "LossScaleManager",
        lambda: amp.LossScaleManager().get_update_cell(),
        NotImplementedError,
        "'get_update_cell' is not defined",
    ),
    Row(
        SCALE,
        "all_finite",
        lambda: amp.all_finite(3.0),
        TypeError,
        "'inputs' must be a Tensor or a tuple, list or dict of Tensors",
    ),
    Row(
        "ours: boost",
        "build_train_network",
        lambda: built_with(optimizer=ms.boost.FreezeOpt(nn.SGD(ConvNet().trainable_params()))),
        TypeError,
        "'optimizer' must be an Optimizer where the 'boost_level' is 'O0', but got FreezeOpt",
    ),
    Row(
        "ours: build",
        "build_train_network",
        lambda: built_with(network=3),
        TypeError,
        "'network' must be a Cell, but got int",
    ),
    Row(
        "ours: strict",
        "build_train_network",
        lambda: built(strict=True),
        ValueError,
        "the keywords must be among .*, but got 'strict'",
    ),
    Row(
        "ours: functional",
        "build_train_network",
        lambda: built(functional=True),
        ValueError,
        "keywords must be among .*, but got 'functional'",
    ),
    Row(
        "ours: strict",
        "custom_mixed_precision",
        lambda: custom(white_list=[], strict=1),
        TypeError,
        "'strict' must be a bool, but got 1",
    ),
    Row(
        "ours: functional",
        "auto_mixed_precision",
        lambda: amp.auto_mixed_precision(ConvNet(), "O1", functional="yes"),
        TypeError,
        "'functional' must be a bool, but got 'yes'",
    ),
    Row(
        "ours: strict",
        "auto_mixed_precision",
        lambda: amp.auto_mixed_precision(Functional(), "O1", strict=True),
        ValueError,
        r"every listed class must be converted, .*ops.relu \(ReLU\) at .*: listed, but not converted",
    ),
    Row(
        "ours: twice",
        "auto_mixed_precision",
        lambda: converted(),
        ValueError,
        "must not have been converted before: build it anew and load",
    ),
    Row(
        "ours: twice",
        "custom_mixed_precision",
        lambda: amp.custom_mixed_precision(amp.auto_mixed_precision(ConvNet(), "O1"), white_list=[]),
        ValueError,
        "must not have been converted before.* but got a network at O1",
    ),
    Row(
        "ours: twice",
        "custom_mixed_precision",
        lambda: amp.custom_mixed_precision(amp.auto_mixed_precision(ConvNet(), "O3"), black_list=amp.get_black_list()),
        ValueError,
        "but got a network at O3",
    ),
    Row(
        "ours: twice",
        "build_train_network",
        lambda: built("O3", network=amp.auto_mixed_precision(ConvNet(), "O1")),
        ValueError,
        "but got a network at O1",
    ),
    Row("ours: explain", "explain", lambda: amp.explain("net", "O1"), TypeError, "'network' must be a Cell"),
    Row("ours: policies", "policy_of", lambda: amp.policy_of("net"), TypeError, "'network' must be a Cell"),
    Row("ours: policies", "Policy.parse", lambda: amp.Policy.parse(16), TypeError, "'text' must be a str, but got 16"),
    Row("ours: policies", "Policy.parse", lambda: amp.Policy.parse("O2"), ValueError, "'text' must be like"),
    Row("ours: policies", "Policy", lambda: amp.Policy(((1, 2),)), TypeError, "'cells' must be a tuple of pairs"),
    Row(
        "ours: scales",
        "build_train_network",
        lambda: built(loss_scale_manager=ms.boost.GroupLossScaleManager(8.0, [])),
        TypeError,
        "'loss_scale_manager' must be a LossScaleManager where the 'boost_level' is 'O0'",
    ),
    Row(LOW, "TwoLevels", lambda: TwoLevels(0.3), ValueError, "'least' must be a number of e4m3 .* got 0.3"),
    Row("ours: hooks", "build_train_network", lambda: built(gradient_hook=1), TypeError, "hook must be a function"),
    Row("ours: explain", "explain", lambda: amp.explain(ConvNet(), "AUTO"), ValueError, "'amp_level' must be one of"),
    Row(
        "ours: explain",
        "explain",
        lambda: amp.explain(amp.auto_mixed_precision(ConvNet(), "O2"), "O2"),
        ValueError,
        "must not have been converted before",
    ),
    Row(
        "ours: scales",
        "build_train_network",
        lambda: built(loss_scale_manager=fixed_kept()),
        ValueError,
        "optimizer's 'loss_scale' must be the loss_scale_manager's, 8.0, but got 1.0",
    ),
    Row(
        "ours: scales",
        "build_train_network",
        lambda: built("O2", optimizer_scale=8.0),
        ValueError,
        "'loss_scale' must be 1 where .* got 8.0",
    ),
    Row(
        "ours: parts",
        "GradAccumulationCell",
        lambda: nn.GradAccumulationCell(3, 2),
        TypeError,
        "'network' must be a Cell",
    ),
    Row(
        "ours: parts",
        "GradAccumulationCell",
        lambda: nn.GradAccumulationCell(nn.ReLU(), "2"),
        TypeError,
        "'micro_size' must be an int",
    ),
    Row(
        "ours: parts", "PipelineCell", lambda: nn.PipelineCell(nn.ReLU(), 0), ValueError, "'micro_size' must be above 0"
    ),
    Row(
        "ours: parts",
        "MicroBatchInterleaved",
        lambda: nn.MicroBatchInterleaved(nn.ReLU(), 0),
        ValueError,
        "'interleave_num' must be above 0",
    ),
    Row(
        "ours: parts",
        "GradAccumulationCell",
        lambda: nn.GradAccumulationCell(nn.ReLU(), 2)(ms.Tensor(1.0)),
        ValueError,
        "must have an axis",
    ),
    Row(
        "ours: parts",
        "PipelineCell",
        lambda: nn.PipelineCell(nn.ReLU(), 3)(ops.ones((4,))),
        ValueError,
        "divisible by 'micro_size', 3",
    ),
    Row("ours: parts", "GradAccumulationCell", lambda: nn.GradAccumulationCell(nn.ReLU(), True), TypeError, "got True"),
    Row("ours: parts", "GradAccumulationCell", lambda: nn.GradAccumulationCell(nn.ReLU(), 0), ValueError, "above 0"),
    Row(LOW, "stochastic", lambda: stochastic(ONE, "hifloat8", BITS), ValueError, "'format' must be a minifloat"),
    Row(LOW, "encode", lambda: encode(ONE * np.nan, "e2m1"), ValueError, "'x' must hold no nan"),
    Row(LOW, "encode", lambda: encode(np.complex64([1j]), "e4m3"), TypeError, "an array of real numbers"),
    Row(LOW, "FProp", lambda: low_product(ms.ops.ones((2, 3))), ValueError, r"'x' must be \(M, K\) and 'w' \(N, K\)"),
    Row(LOW, "FProp", lambda: low_product(ms.Tensor([[1, 2]])), TypeError, "'x' must be float16, bfloat16 or float32"),
    Row(LOW, "Operand", lambda: Operand("e4m3", None, 3), TypeError, "'scale' must be"),
    Row(LOW, "Operand", lambda: Operand("e4m3", 32), TypeError, "'tile' must be None or a tuple"),
    Row(LOW, "Operand", lambda: Operand("e4m3", (1, 32), amp.DelayedFP8().x.scale), ValueError, "a tile that fits it"),
    Row(LOW, "Delayed", lambda: amp.DelayedFP8(margin=64), ValueError, "'margin' must be an int of 0 to 63"),
    Row(LOW, "Recipe", lambda: amp.MXFP8().replace(name="MX 8"), ValueError, "'name' must be of lower-case letters"),
    Row(LOW, "Recipe", lambda: amp.MXFP8().replace(w="e4m3"), TypeError, "'w' must be an Operand"),
    Row(LOW, "Recipe", lambda: amp.MXFP8().replace(w=amp.DelayedFP8().w), ValueError, "for all operands or for none"),
    Row(LOW, "Recipe", lambda: amp.MXFP8().replace(hadamard=8), ValueError, "'hadamard' must be None or 16"),
    Row(LOW, "Recipe", lambda: amp.MXFP8(keep=3), TypeError, "'keep' must be of 'first', 'last', paths"),
    Row(LOW, "Recipe.replace", lambda: amp.MXFP8().replace(size=8), TypeError, "fields of a Recipe or an Operand"),
    Row(LOW, "Recipe.parse", lambda: amp.Recipe.parse("(8)"), ValueError, r"'text' must be like 'mxfp8\("),
    Row(LOW, "Recipe.parse", lambda: amp.Recipe.parse("mxfp8(x=e4m3)"), ValueError, "an operand must be like"),
    Row(LOW, "Recipe.parse", lambda: amp.Recipe.parse("mxfp8(keep=<f>)"), ValueError, "words and paths"),
    Row(LOW, AUTO, lambda: amp.auto_mixed_precision(nn.Dense(2, 3), recipe=8), TypeError, "'recipe' must be a Recipe"),
    Row(LOW, AUTO, lambda: low_net(keep=("head",)), ValueError, "a path of 'keep' must be of a listed cell"),
    Row(
        SCALE,
        "DynamicLossScaleUpdateCell",
        lambda: nn.DynamicLossScaleUpdateCell(8, 2, 0),
        ValueError,
        "'scale_window' must be above 0, but got 0",
    ),
    Row(SCALE, None, lambda: without("scale"), TypeError, "abstract method '?scale'?"),
    Row(SCALE, None, lambda: without("unscale"), TypeError, "abstract method '?unscale'?"),
    Row(SCALE, None, lambda: without("adjust"), TypeError, "abstract method '?adjust'?"),
]


NEEDS_BOOST = pytest.mark.needs("training")


def marks_of(row):
    """The rooms below the line that a row needs."""
    of_policies = [pytest.mark.needs("tools")] * (row.place == "ours: policies")
    return [NEEDS_BOOST] * ("boost" in row.match) + of_policies


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=f"{row.place}: {row.match[:50]}", marks=marks_of(row)) for row in ROWS],
)
def test_each_documented_error_is_raised_with_its_text(row):
    with pytest.raises(row.error, match=row.match) as raised:
        row.call()
    assert type(raised.value) is row.error
    if row.operation is not None:  # Python itself refuses an abstract class
        assert str(raised.value).startswith(f"For '{row.operation}', ")


def test_a_class_of_the_black_list_that_is_left_out_is_warned_of_as_the_seed_tells(caplog):
    with caplog.at_level("WARNING", logger="minispore"):
        custom(black_list=[nn.BatchNorm2d, nn.Dense])
    left_out = ["BatchNorm1d", "BatchNorm3d", "LayerNorm"]
    assert len(caplog.records) == 3
    for record, name in zip(caplog.records, left_out, strict=True):
        assert name in record.getMessage()
        assert record.getMessage().endswith("is removed from the built-in black list.")


@pytest.mark.parametrize(
    "call",
    [
        lambda net: amp.auto_mixed_precision(net, "O4"),
        lambda net: amp.auto_mixed_precision(net, "O2", strict="yes"),
        lambda net: amp.custom_mixed_precision(net, white_list=[nn.Dense, int]),
        lambda net: amp.custom_mixed_precision(net, black_list=[nn.Dense, ops.MatMul]),
        lambda net: built("O2", net, optimizer_scale=8.0),
        lambda net: built("O2", net, cpu=False),
        lambda net: built("O3", net, loss_fn=3),
        lambda net: built("O3", net, keep_batchnorm_fp32=None),
    ],
)
def test_what_is_refused_changes_nothing(call):
    network = ConvNet()
    before = [(path, type(cell), dict(vars(cell))) for path, cell in network.cells_and_names()]
    values = [p.asnumpy().copy() for p in network.get_parameters()]
    with pytest.raises((TypeError, ValueError, NotImplementedError)):
        call(network)
    assert [(path, type(cell), dict(vars(cell))) for path, cell in network.cells_and_names()] == before
    for parameter, value in zip(network.get_parameters(), values, strict=True):
        np.testing.assert_array_equal(parameter.asnumpy(), value)


@NEEDS_BOOST
def test_the_list_has_every_raise_of_the_package(monkeypatch):
    monkeypatch.setenv("MINISPORE_FULL_TRACEBACK", "1")  # the frames of the package are what is looked at
    hit = set()
    for row in ROWS:
        with pytest.raises(row.error) as raised:
            row.call()
        frames = traceback.extract_tb(raised.value.__traceback__)
        hit.update((Path(f.filename).name, f.lineno) for f in frames if AMP in Path(f.filename).parents)
    for path in AMP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Raise) and node.exc is not None:
                lines = {(path.name, line) for line in range(node.lineno, node.end_lineno + 1)}
                assert lines & hit, f"{path.name}:{node.lineno} raises an error that is not in the list."
