"""Living objects whose public attributes are compared with MindSpore's: names, kinds and plain values.

:data:`OBJECTS` gives each a name and an expression over the names of :func:`environment`.
"""

import contextlib
import io

import numpy as np

__all__ = ["OBJECTS", "environment", "kind_of", "shown"]

_GROUPS = "[{'params': [p], 'lr': %s} for p in ps()]"
OBJECTS = {
    "Tensor float32": "Tensor(np.ones((2, 3), np.float32))",
    "Tensor of one int": "Tensor(3)",
    "Tensor of bools": "Tensor([True, False])",
    "Tensor complex": "Tensor(np.ones(2, np.complex64))",
    "Parameter": "Parameter(Tensor(np.ones((2, 3), np.float32)), name='w')",
    "Parameter of a layer": "nn.Dense(2, 3).weight",
    "ParameterTuple": "ms.ParameterTuple(ps())",
    "Cell": "Net()",
    "Dense": "nn.Dense(2, 3)",
    "Conv2d": "nn.Conv2d(2, 3, 3)",
    "BatchNorm2d": "nn.BatchNorm2d(2)",
    "LSTM": "nn.LSTM(2, 3)",
    "Embedding": "nn.Embedding(4, 2)",
    "SequentialCell": "nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())",
    "CellList": "nn.CellList([nn.Dense(2, 3)])",
    "a loss": "nn.MSELoss()",
    "WithLossCell": "nn.WithLossCell(Net(), nn.MSELoss())",
    "TrainOneStepCell": "nn.TrainOneStepCell(Net(), nn.SGD(ps(), 0.1))",
    "Primitive": "ops.Add()",
    "Primitive with attributes": "ops.MatMul(transpose_b=True)",
    "a user's Primitive": "ops.Primitive('mine')",
    "GradOperation": "ops.GradOperation(get_all=True)",
    "SGD of a number": "nn.SGD(ps(), 0.1)",
    "Momentum of a list": "nn.Momentum(ps(), [0.1, 0.2], 0.9)",
    "Adam of a schedule": "nn.Adam(ps(), nn.ExponentialDecayLR(0.1, 0.9, 2))",
    "Momentum of groups": f"nn.Momentum({_GROUPS % 0.1}, 0.1, 0.9, weight_decay=0.1)",
    "Adam of groups with lists": f"nn.Adam({_GROUPS % [0.1, 0.2]}, 0.1)",
    "a schedule": "nn.ExponentialDecayLR(0.1, 0.9, 2)",
    "GeneratorDataset": "source()",
    "NumpySlicesDataset": "ds.NumpySlicesDataset({'x': [1, 2]})",
    "data set after batch": "source().batch(2)",
    "data set after map": "source().map(lambda x: x, ['x'])",
    "data set after shuffle": "source().shuffle(2)",
    "data set after repeat": "source().repeat(2)",
    "data set after project": "source().project(['x'])",
    "data set after rename": "source().rename(['x'], ['y'])",
    "data set after zip": "ds.zip((source(), source().rename(['x'], ['y'])))",
    "data set after take": "source().take(2)",
    "iterator of dicts": "source().create_dict_iterator()",
    "a sampler": "ds.SequentialSampler()",
    "Model": "ms.Model(Net(), nn.MSELoss(), nn.SGD(ps(), 0.1), {'loss'})",
    "cb_params": "caught().params",
    "RunContext": "caught().run",
    "LossMonitor": "ms.LossMonitor()",
    "ModelCheckpoint": "ms.ModelCheckpoint()",
    "CheckpointConfig": "ms.CheckpointConfig()",
    "Accuracy": "ms.nn.Accuracy()",
    "FixedLossScaleManager": "ms.FixedLossScaleManager(2.0)",
    "DynamicLossScaleManager": "ms.DynamicLossScaleManager()",
    "DynamicLossScaleUpdateCell": "nn.DynamicLossScaleUpdateCell(1024.0, 2, 100)",
    "DynamicLossScaler": "ms.amp.DynamicLossScaler(1024.0, 2, 100)",
    "initializer": "ms.common.initializer.Normal()",
    "dtype": "ms.float32",
    "SymbolTree": "tree()",
    "Node": "list(tree().nodes())[2]",
}


def environment(ms):
    """The names that an expression may use, over the package ``ms``: MindSpore or minispore."""
    import_of = lambda name: __import__(f"{ms.__name__}.{name}", fromlist=["x"])  # noqa: E731 - a short name
    nn, ops, ds = import_of("nn"), import_of("ops"), import_of("dataset")

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 1)

        def construct(self, x):
            x = self.dense(x)
            return x

    def ps():
        return [ms.Parameter(np.ones(2, np.float32), name=name) for name in ("a", "b.gamma")]

    def source():
        return ds.GeneratorDataset([[np.float32(i)] for i in range(4)], ["x"], shuffle=False)

    class Catch(ms.Callback):
        def end(self, run_context):
            self.run, self.params = run_context, run_context.original_args()

    def caught():
        net, catch = Net(), Catch()
        rows = [(np.ones(2, np.float32), np.ones(1, np.float32))] * 2
        data = ds.GeneratorDataset(rows, ["x", "y"], shuffle=False).batch(1)
        model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        with contextlib.redirect_stdout(io.StringIO()):
            model.train(1, data, callbacks=[catch], dataset_sink_mode=False)
        return catch

    return {
        **{"ms": ms, "nn": nn, "ops": ops, "ds": ds, "np": np, "Tensor": ms.Tensor, "Parameter": ms.Parameter},
        **{"Net": Net, "ps": ps, "source": source, "caught": caught},
        "tree": lambda: import_of("rewrite").SymbolTree.create(nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())),
    }


_PLAIN = (bool, int, float, str, type(None))


def kind_of(ms, value):
    """The kind of an attribute's value, by what one does with it: "callable", "Cell", "Tensor", "list", "int", ..."""
    for kind in ("Parameter", "Tensor"):
        if isinstance(value, getattr(ms, kind)):
            return kind
    if isinstance(value, ms.nn.Cell):
        return "Cell"
    if isinstance(value, ms.ops.Primitive):
        return "Primitive"
    for kind in (*_PLAIN, tuple, list, dict, set):
        if isinstance(value, kind):
            return kind.__name__
    return "callable" if callable(value) else "object"


def shown(ms, found, name):
    """The kind of an attribute, and its value if that is a plain one; the kind of error if it cannot be read."""
    try:
        value = getattr(found, name)
    except Exception as error:
        return f"raises {type(error).__name__}"
    kind = kind_of(ms, value)
    return f"{kind} {value!r}" if isinstance(value, _PLAIN) and len(repr(value)) < 18 else kind  # no time, no long text
