"""A newcomer's mistakes end in one clear sentence, however much of MindSpore's leniency is taken."""

import traceback

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops
from minispore import dataset as ds

MISTAKES = """
Net()(f(2, 3))
    For 'Dense', the last axis of 'x' must have the length of 'in_channels', 4
nn.Conv2d(3, 4, 3)(f(1, 1, 8, 8))
    For 'Conv2d', axis 1 of 'x' must have the length of 'in_channels', 3
nn.Conv2d(3, 4, 3)(f(1, 8, 8, 3))
    For 'Conv2d', axis 1 of 'x' must have the length of 'in_channels', 3, but got shape (1, 8, 8, 3), whose channels are
nn.Conv2d(3, 4, 3)(f(3, 8, 8))
    For 'Conv2d', the 'x' must have 4 axes
NoSuper()
    For 'NoSuper', the __init__ of a Cell must call super().__init__() before it assigns a
Fwd()(f(2))
    For 'Fwd', the method 'construct' is not defined. Rename 'forward' to 'construct'.
Net().forward(f(2, 4))
    The 'Net' object has no attribute 'forward'. The method is called 'construct', and net(x) runs
ops.reduce_mean(f(2)).backward()
    The 'Tensor' object has no attribute 'backward'. Gradients come from a function:
nn.Linear(2, 3)
    The module 'minispore.nn' has no attribute 'Linear'. The name is nn.Dense.
nn.Module
    The module 'minispore.nn' has no attribute 'Module'. The name is nn.Cell.
Net().parameters()
    The 'Net' object has no attribute 'parameters'. Use trainable_params() or get_parameters().
Net().state_dict()
    The 'Net' object has no attribute 'state_dict'. Use parameters_dict(), or
Net().train()
    The 'Net' object has no attribute 'train'. Use set_train().
Net().eval()
    The 'Net' object has no attribute 'eval'. Use set_train(False).
Net().cuda()
    The 'Net' object has no attribute 'cuda'. Call ms.set_context(device_target="GPU") once, which
nn.Adam(Net().trainable_params(), lr=0.1)
    For 'Adam', the argument must be 'learning_rate'
nn.Adam([], 0.1)
    For 'Optimizer', the 'params' must not be empty: a list of cells must be a CellList, but got none.
nn.Adam(Net(), 0.1)
    For 'Optimizer', the 'params' must be an iterable of Parameters or dicts
nn.Adam(None, 0.1)
    For 'Optimizer', the 'params' must be given
nn.SGD(Net().trainable_params(), -0.1)
    For 'SGD', the 'learning_rate' must be finite and at least 0
nn.SGD(Net().trainable_params(), "0.1")
    For 'SGD', the 'learning_rate' must be a number, a Tensor, an iterable of numbers or a
nn.CrossEntropyLoss()(f(2, 3), Tensor([0, 5], ms.int32))
    For 'NLLLoss', the 'labels' must be in [0, 3), or the 'ignore_index', -100
nn.CrossEntropyLoss()(f(2, 3), f(2))
    For 'CrossEntropyLoss', the 'labels' must be class numbers, of int32 or int64, or probabilities of shape (2, 3), but
nn.CrossEntropyLoss()(Tensor([0, 1], ms.int32), f(2, 3))
    For 'CrossEntropyLoss', the 'logits' must be floating, but got Int32 of shape (2,); the prediction comes first, the
nn.CrossEntropyLoss()(f(2, 3), Tensor([0, 1, 2], ms.int32))
    For 'CrossEntropyLoss', the 'labels' must have the shape (2,), a class number for each of the logits
nn.SoftmaxCrossEntropyWithLogits(sparse=True)(f(2, 3), f(2))
    For 'SoftmaxCrossEntropyWithLogits', the 'labels' must be class numbers, of int32 or int64, but got Float32 of
nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")(Tensor([0, 1], ms.int32), f(2, 3))
    For 'SoftmaxCrossEntropyWithLogits', the 'logits' must be floating, but got Int32 of shape (2,); the prediction
nn.NLLLoss()(f(2, 3), f(2))
    For 'NLLLoss', the 'labels' must be class numbers, of int32 or int64, but got Float32 of shape (2,).
ops.cross_entropy(f(2, 3), f(2))
    For 'cross_entropy', the 'target' must be class numbers, of int32 or int64, or probabilities of shape (2, 3), but
nn.MSELoss()(f(2, 3), f(2, 4))
    For 'MSELoss', the shapes of 'logits' and 'labels' must broadcast, but got (2, 3) and (2, 4).
nn.L1Loss()(f(2, 3), f(2, 4))
    For 'L1Loss', the shapes of 'logits' and 'labels' must broadcast, but got (2, 3) and (2, 4).
nn.MSELoss(reduction="avg")
    For 'MSELoss', the 'reduction' must be 'mean', 'sum' or 'none'
nn.Dropout(p=1.5)
    For 'Dropout', the 'p' must be in [0, 1)
nn.Dense(3.5, 2)
    For 'Dense', the 'in_channels' must be an int
nn.Conv2d(3, 4, 3, pad_mode="pdd")
    For 'Conv2d', the 'pad_mode' must be 'same', 'valid' or 'pad'
nn.Conv2d(3, 4, 3, padding=1)
    For 'Conv2D', the 'pad' must be 0 where 'pad_mode' is not 'pad'
nn.Conv2d(4, 6, 3, group=3)
    For 'Conv2d', the 'in_channels' must be divisible by 'group', 3
nn.MaxPool2d(0)
    For 'MaxPool', the 'kernel_size' must be above 0
nn.Embedding(4, 2)(f(2))
    For 'Embedding', the 'x' must be a Tensor of integers
nn.Embedding(4, 2)(Tensor([7], ms.int32))
    For 'Embedding', the 'x' must hold indices in [-4, 4)
ops.matmul(f(2, 3), f(2, 3))
    For 'MatMul', the columns of 'x1' must be the rows of 'x2'
f(2, 3) + f(2, 4)
    For 'Add', the shapes of 'x' and 'y' must broadcast
ops.concat((f(2, 3), f(3, 4)))
    For 'Concat', the shapes must be equal but along axis 0
ops.softmax(f(2, 3), axis=5)
    For 'Softmax', the 'axis' must be in [-2, 2)
ops.reshape(f(2, 3), (4, 2))
    For 'Reshape', the 'shape' must hold the 6 elements of shape (2, 3)
ops.stack([f(2), f(3)])
    For 'Stack', the shapes must be equal
f(2, 3).reshape(7)
    For 'Reshape', the 'shape' must hold the 6 elements of shape (2, 3)
Tensor("abc")
    For 'Tensor', the 'input_data' must be a Tensor, a NumPy array, a bool, an int, a float, a
Tensor([[1, 2], [3]])
    For 'Tensor', the 'input_data' must be a Tensor, a NumPy array, a bool, an int, a float, a
ms.load_checkpoint("nothing.ckpt")
    For 'load_checkpoint', the file 'nothing.ckpt' must exist, but there is no such file.
ms.save_checkpoint(3, "a.ckpt")
    For 'save_checkpoint', the 'save_obj' must be a Cell or a list
ms.load_param_into_net(Net(), {"d.weight": ms.Parameter(f(3, 3), name="d.weight")})
    For 'load_param_into_net', the 'parameter_dict' must fit the network
ms.set_context(mode=5)
    For 'set_context', the 'mode' must be one of [0, 1]
ms.set_context(device_target="TPU")
    For 'set_context', the 'device_target' must be one of ['CPU', 'GPU', 'Ascend']
ms.set_context(devicetarget="CPU")
    For 'set_context', the keyword must be one of ['ascend_config', 'auto_tune_mode',
ms.Model(Net(), optimiser=None)
    For 'Model', the keywords must be among ['optimizer'], but got 'optimiser'.
ms.Model(Net(), optimizer=nn.SGD(Net().trainable_params())).train(1, rows().batch(2))
    For 'Model.train', the 'loss_fn' must be given, or 'Net.construct' take each column, but got 2 columns for ['x'].
ms.Model(Net(), loss_fn=3)
    For 'Model', the 'loss_fn' must be a Cell
ms.Model(Net(), nn.CrossEntropyLoss(), nn.SGD(Net().trainable_params())).train(0, rows().batch(2))
    For 'Model.train', the 'epoch' must be above 'initial_epoch', 0
ms.Model(Net(), nn.CrossEntropyLoss(), nn.SGD(Net().trainable_params())).train(1, [1, 2])
    For 'Model.train', the 'train_dataset' must be a Dataset
ms.amp.auto_mixed_precision(Net(), "O5")
    For 'auto_mixed_precision', the 'amp_level' must be one of ['O0', 'O1', 'O2', 'O3', 'auto']
ms.amp.DynamicLossScaleManager(-1)
    For 'DynamicLossScaleManager', the 'init_loss_scale' must be in [1, 3.4028234663852886e+38]
nn.TrainOneStepCell(Net(), 3)
    For 'TrainOneStepCell', the 'optimizer' must be an Optimizer
nn.SequentialCell(3)
    For 'SequentialCell', the cell 0 must be a Cell, a list or an OrderedDict
nn.CellList([3])
    For 'CellList', each cell must be a Cell
ds.GeneratorDataset(3, ["a"])
    For 'GeneratorDataset', the 'source' must be callable, iterable or indexable
rows().batch(0)
    For 'batch', the 'batch_size' must be at least 1
rows().map(3, ["x"])
    For 'map', the 'operations' must be functions
rows().map(lambda x: x, ["z"])
    For 'map', the 'input_columns' must be among ['x', 'y']
ds.ImageFolderDataset("nothing")
    For 'ImageFolderDataset', the 'dataset_dir' must be a folder
ds.vision.Resize("a")
    For 'Resize', the 'size' must be an int or a pair of ints, (height, width)
ds.vision.Normalize([1.0], [0.0])
    For 'Normalize', the 'std' must be in (0, 255]
ms.grad(lambda x: x)("a")
    For 'value_and_grad', the function must return Tensors or numbers
ms.jit(3)
    For 'jit', the 'fn' must be a function
nn.GroupNorm(3, 4)
    For 'GroupNorm', the 'num_groups' must divide the 'num_channels', 4
nn.BatchNorm2d(3)(f(2, 4, 2, 2))
    For 'BatchNorm2d', axis 1 of 'x' must have the length of 'num_features', 3
nn.LayerNorm((4, ))(f(2, 3))
    For 'LayerNorm', the axes of 'x' from -1 on must have the lengths of 'normalized_shape', (4,)
nn.LSTM(3, 4)(f(5, 2, 2))
    For 'LSTM', the 'x' must have the shape (T, N, 3)
ops.one_hot(f(2), 3, 1.0, 0.0)
    For 'OneHot', the 'indices' must be a Tensor of ints
Net().to_float(ms.int32)
    For 'to_float', the 'dst_type' must be float16, bfloat16 or float32
Net().set_jit_config(3)
    For 'set_jit_config', the 'jit_config' must be a JitConfig
ms.common.initializer.initializer("nrmal", (2, ))
    For 'initializer', the 'init' must be one of ['dirac', 'he_normal', 'he_uniform', 'henormal',
ops.gather(f(2, 3), f(2), 0)
    For 'Gather', the 'input_indices' must be a Tensor of ints
f(2, 3).astype("flot32")
    For 'Cast', the 'type' must be a minispore dtype
f(2, 3)[5]
    For 'GetItem', the key must lie in the shape (2, 3)
f(2, 3).item()
    For 'item', the Tensor must have one element where no index is given
ms.Parameter(None)
    For 'Parameter', the 'default_input' must hold data
ms.Parameter(f(2), name=3)
    For 'Parameter', the 'name' must be a str
nn.piecewise_constant_lr([2, 4], [0.1])
    For 'piecewise_constant_lr', the 'milestone' and the 'learning_rates' must be of one length,
"""
ROWS = [line.strip() for line in MISTAKES.strip().splitlines()]


def f(*shape):
    return Tensor(np.ones(shape, np.float32))


def rows():
    return ds.NumpySlicesDataset({"x": np.ones((4, 4), np.float32), "y": np.zeros(4, np.int32)})


class NoSuper(nn.Cell):
    def __init__(self):
        self.dense = nn.Dense(2, 3)


class Fwd(nn.Cell):
    def forward(self, x):
        return x


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = nn.Dense(4, 2)

    def construct(self, x):
        return self.d(x)


@pytest.mark.parametrize(("call", "sentence"), list(zip(ROWS[::2], ROWS[1::2], strict=True)), ids=ROWS[::2])
def test_a_mistake_is_told(call, sentence):
    names = {"ms": ms, "nn": nn, "ops": ops, "ds": ds, "Tensor": Tensor, "f": f, "rows": rows}
    with pytest.raises((AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError)) as error:
        eval(call, {**names, "NoSuper": NoSuper, "Fwd": Fwd, "Net": Net})
    assert str(error.value).startswith(sentence)


def test_there_are_as_many_as_newcomers_made():
    assert len(ROWS) // 2 >= 40


@pytest.mark.parametrize("call", ["nn.Conv2D", "ops.sotfmax", "Net().trainable_parms", "ms.Tensr"])
def test_one_guess_is_enough(call):
    with pytest.raises(AttributeError) as error:
        eval(call, {"nn": nn, "ops": ops, "ms": ms, "Net": Net})
    assert "".join(traceback.format_exception(error.value)).count("Did you mean") == 1


def test_a_cell_in_place_of_a_tensor_is_named():
    with pytest.raises(TypeError, match="For 'Dense', the 'x' must be a Tensor, but got Dense"):
        nn.Dense(2, 3)(nn.Dense(2, 3))
