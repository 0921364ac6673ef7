"""Calls of public callables with unusual arguments: what MindSpore takes, minispore shall take too.

A usual call of each callable is an expression, found as ``support/public_callables.py`` finds arguments, or written
here for layers with their inputs. From each come calls in which one argument is of another kind: None, an int, a text
or a class for a flag; iterables for lists; NumPy's numbers and Tensors for numbers.
"""

import ast
import inspect
import re

import numpy as np

__all__ = ["LAYERS", "calls", "environment", "outcome"]

LAYERS = """
    nn.Dense(2, 3)(f(1, 2)); nn.Dense(2, 3, has_bias=True, activation='relu')(f(1, 2)); nn.Conv2d(2, 3, 3)(f(1, 2, 4, 4));
    nn.Conv1d(2, 3, 3)(f(1, 2, 4)); nn.Conv2dTranspose(2, 3, 3)(f(1, 2, 4, 4)); nn.BatchNorm2d(2)(f(2, 2, 3, 3));
    nn.BatchNorm1d(2)(f(3, 2)); nn.LayerNorm((3,))(f(2, 3)); nn.GroupNorm(1, 2)(f(1, 2, 3, 3));
    nn.InstanceNorm2d(2)(f(1, 2, 3, 3)); nn.Dropout(p=0.5)(f(2, 3)); nn.Embedding(4, 2)(i(3)); nn.Flatten()(f(2, 3, 4));
    nn.MaxPool2d(2, 2)(f(1, 2, 4, 4)); nn.AvgPool2d(2, 2)(f(1, 2, 4, 4)); nn.AdaptiveAvgPool2d(2)(f(1, 2, 4, 4));
    nn.ReLU()(f(3)); nn.LeakyReLU(0.2)(f(3)); nn.ELU(1.0)(f(3)); nn.GELU(True)(f(3)); nn.Softmax(-1)(f(2, 3));
    nn.LogSoftmax(-1)(f(2, 3)); nn.PReLU(1, 0.25)(f(2, 1)); nn.Pad(((0, 0), (1, 1)))(f(2, 3)); nn.OneHot(depth=4)(i(3));
    nn.LSTM(2, 3)(f(4, 1, 2)); nn.GRU(2, 3)(f(4, 1, 2)); nn.RNN(2, 3)(f(4, 1, 2)); nn.LSTMCell(2, 3)(f(1, 2), (f(1, 3), f(1, 3)));
    nn.MSELoss()(f(2, 3), f(2, 3)); nn.L1Loss()(f(2, 3), f(2, 3)); nn.BCELoss()(f(2, 3), f(2, 3));
    nn.BCEWithLogitsLoss()(f(2, 3), f(2, 3)); nn.CrossEntropyLoss()(f(2, 3), i(2)); nn.NLLLoss()(f(2, 3), i(2));
    nn.SmoothL1Loss()(f(2, 3), f(2, 3)); nn.HuberLoss()(f(2, 3), f(2, 3)); nn.CosineEmbeddingLoss()(f(2, 3), f(2, 3), i(2));
    nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean')(f(2, 3), i(2)); nn.MAELoss()(f(2, 3), f(2, 3));
    nn.KLDivLoss()(f(2, 3), f(2, 3)); nn.FocalLoss()(f(2, 3), f(2, 3)); nn.DiceLoss()(f(2, 3), f(2, 3));
    nn.SequentialCell(nn.ReLU(), nn.Tanh())(f(3)); len(nn.CellList([nn.ReLU()])); nn.Upsample(scale_factor=(2.0, 2.0), recompute_scale_factor=True)(f(1, 1, 2, 2));
    nn.Unfold([1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1])(f(1, 1, 4, 4)); nn.MultiheadAttention(4, 2)(f(2, 1, 4), f(2, 1, 4), f(2, 1, 4));
    nn.PixelShuffle(2)(f(1, 4, 2, 2)); nn.ConstantPad2d((1, 1, 1, 1), 0.5)(f(1, 1, 2, 2)); nn.ReflectionPad2d((1, 1, 1, 1))(f(1, 2, 3, 3));
    Net().set_train(True).training; Net().set_grad(True).requires_grad; [p.name for p in Net().trainable_params(True)];
    [p.name for p in Net().get_parameters(True)]; Net().to_float(ms.float16)(f(1, 2)); Net(True)(f(1, 2)).shape;
    [n for n, _ in Net().parameters_and_names(expand=True)]; [p.name for p in Net().untrainable_params(True)];
    ms.Parameter(f(2), name='w', requires_grad=True).name; ms.Parameter(f(2), 'w', True, False, True).name; ms.Tensor([1.0, 2.0], ms.float32);
    step(nn.SGD(ps(), 0.1)); step(nn.SGD(ps(), 0.1, momentum=0.9, nesterov=True)); step(nn.Momentum(ps(), 0.1, 0.9)); step(nn.Adam(ps(), 0.1));
    step(nn.Momentum(ps(), 0.1, 0.9, weight_decay=0.1, loss_scale=2.0, use_nesterov=True)); step(nn.AdamWeightDecay(ps(), 0.1)); step(nn.RMSProp(ps(), 0.1, centered=True));
    step(nn.Adam(ps(), 0.1, use_nesterov=True, weight_decay=0.1)); step(nn.Adagrad(ps())); step(nn.Lamb(ps(), 0.1)); step(nn.Adadelta(ps()));
    step(nn.SGD([{'params': ps(), 'lr': 0.1, 'weight_decay': 0.1, 'grad_centralization': True}], 0.1)); step(nn.SGD(ps(), [0.1, 0.2]));
    nn.TrainOneStepCell(loss(), nn.SGD(ps(), 0.1), 2.0).sens; nn.DynamicLossScaleUpdateCell(1024.0, 2, 100)(ms.Tensor(2.0), ms.Tensor(True));
    nn.FixedLossScaleUpdateCell(2.0).get_loss_scale(); ms.FixedLossScaleManager(2.0, True).get_loss_scale(); ms.DynamicLossScaleManager(16, 2, 10).get_loss_scale();
    nn.ExponentialDecayLR(0.1, 0.9, 2, is_stair=True)(ms.Tensor(1, ms.int32)); nn.cosine_decay_lr(0.01, 0.1, 4, 2, 2); nn.piecewise_constant_lr([2, 4], [0.1, 0.01]);
    ms.set_seed(3); ops.random_seed if False else 0; ops.standard_normal((2, 3), 3).shape; ops.uniform((2, 3), ms.Tensor(0.0), ms.Tensor(1.0), 3).shape; ops.normal((2, 3), ms.Tensor(0.0), ms.Tensor(1.0), 3).shape;
    ops.dropout(f(2, 3), 0.5, True, 3).shape; rows(source().batch(2, True)); rows(source().batch(2, drop_remainder=False)); rows(source().repeat(2)); rows(source().shuffle(2)) and 0;
    rows(source().take(2)); rows(source().skip(1)); rows(source().map(lambda x: x + 1, ['x'])); rows(source().map([lambda x: x + 1], input_columns=['x'], output_columns=['y']));
    rows(source().rename(['x'], ['y'])); rows(source().project(['x'])); rows(ds.GeneratorDataset([(1, 2), (3, 4)], ['a', 'b'], shuffle=False));
    rows(ds.GeneratorDataset([(1, 2), (3, 4)], ['a', 'b'], shuffle=False, num_samples=1)); rows(ds.GeneratorDataset([(1,), (3,)], ['a'], shuffle=False, num_shards=2, shard_id=1));
    rows(ds.NumpySlicesDataset([[1, 2], [3, 4]], column_names=['a'], shuffle=False)); rows(ds.NumpySlicesDataset({'a': [1, 2]}, shuffle=False)); rows(ds.NumpySlicesDataset(([1, 2], [3, 4]), ['a', 'b'], shuffle=False));
    rows(ds.GeneratorDataset([(1,), (3,)], ['a'], sampler=ds.SequentialSampler(0, 1))); rows(ds.GeneratorDataset([(1,), (3,)], ['a'], sampler=[0, 1]));
    rows(source().filter(lambda x: True, ['x'])); rows(source().batch(2).create_dict_iterator(num_epochs=1, output_numpy=True)) if False else 0; len(list(source().create_dict_iterator(num_epochs=1, output_numpy=True)));
    rows(source().padded_batch(2, True, pad_info={'x': ([1], 0)}));
    V.Resize((4, 4))(image()).shape; V.Resize(4)(image()).shape; V.CenterCrop(4)(image()).shape; V.RandomCrop(4)(image()).shape; V.Rescale(0.5, 0.0)(image()).sum();
    V.Normalize([0.5, 0.5, 0.5], [1.0, 1.0, 1.0])(image()).sum(); V.Normalize(mean=[0.5, 0.5, 0.5], std=[1.0, 1.0, 1.0], is_hwc=True)(image()).sum(); V.HWC2CHW()(image()).shape; V.RandomHorizontalFlip(0.5)(image()).shape;
    V.Pad((1, 1, 1, 1))(image()).shape; V.ToTensor()(image()).shape; V.ToTensor(output_type=np.float32)(image()).shape; T.TypeCast(ms.int32)(np.ones(2)); T.OneHot(3)(np.array(1)); T.Fill(3)(np.ones(2)); T.Compose([V.HWC2CHW()])(image())[0].shape;
    ms.train.CheckpointConfig(save_checkpoint_steps=2, keep_checkpoint_max=3).save_checkpoint_steps; ms.LossMonitor(2)._per_print_times; ms.train.CheckpointConfig(integrated_save=True, async_save=False).async_save;
    acc(nn.Accuracy('classification')); acc(nn.Precision()); acc(nn.Recall()); acc(nn.F1()); acc(nn.Fbeta(1.0)); acc(nn.TopKCategoricalAccuracy(2)); acc(nn.Top1CategoricalAccuracy());
    ms.grad(lambda x: x * x)(f(2)); ms.grad(lambda x: x * x, 0, None, False)(f(2)); ms.value_and_grad(lambda x: x * x, grad_position=0, weights=None, has_aux=False)(f(2)); ops.GradOperation(get_all=True, sens_param=False)(lambda x: x * x)(f(2));
    initializer('normal', [2, 3], ms.float32).shape; initializer('zeros', (2, 3)); initializer(Init.Constant(0.5), [2]); initializer(Init.Uniform(0.1), [2]).shape; initializer(Init.Normal(0.1, 0.0), [2]).shape; initializer(Init.TruncatedNormal(0.1), [2]).shape; initializer(Init.XavierUniform(1), [2, 2]).shape; initializer(Init.HeNormal(0.1), [2, 2]).shape
"""  # noqa: E501 - a call a place
_ROOMS = ["ops", "nn", "numpy", "Tensor", "dataset.transforms", "dataset.vision", "initializer"]
_RANDOM = "andom|ropout|normal|uniform|gamma|poisson|laplace|bernoulli|multinomial|shuffle|rand|Drop|choice|ampl"
_MAKERS = ("f", "i", "ps", "Net", "source", "image", "rows", "step", "acc", "loss", "ms.Tensor")
_NAMES = {"numpy": "mnp", "dataset.transforms": "T", "dataset.vision": "V", "initializer": "Init"}


def environment(ms):
    """The names that a call may use, over the package ``ms``: MindSpore or minispore."""
    part = lambda name: __import__(f"{ms.__name__}.{name}", fromlist=["x"])  # noqa: E731 - a short name
    nn, ops, ds = part("nn"), part("ops"), part("dataset")

    class Net(nn.Cell):
        def __init__(self, *args):
            super().__init__(*args)
            self.dense = nn.Dense(2, 1)

        def construct(self, x):
            return self.dense(x)

    def f(*shape):
        return ms.Tensor(np.linspace(0.1, 0.9, int(np.prod(shape))).astype(np.float32).reshape(shape))

    def i(*shape):
        return ms.Tensor((np.arange(int(np.prod(shape))) % 2).astype(np.int32).reshape(shape))

    def ps():
        return [ms.Parameter(np.ones(2, np.float32), name=name) for name in ("a", "b")]

    def step(optimizer):
        optimizer((f(2), f(2)))
        return list(optimizer.parameters)

    def acc(metric):
        metric.clear()
        metric.update(f(2, 3), i(2))
        return np.asarray(metric.eval()).tolist()

    def rows(data):
        return [[x.tolist() for x in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    return {
        **{"ms": ms, "nn": nn, "ops": ops, "ds": ds, "mnp": part("numpy"), "V": part("dataset.vision"), "np": np},
        **{"T": part("dataset.transforms"), "Init": part("common.initializer"), "Net": Net, "ps": ps, "rows": rows},
        **{"f": f, "i": i, "step": step, "acc": acc, "loss": lambda: nn.WithLossCell(Net(), nn.MSELoss())},
        "initializer": part("common.initializer").initializer,
        "image": lambda: (np.arange(192) % 255).astype(np.uint8).reshape(8, 8, 3),
        "source": lambda: ds.GeneratorDataset([[np.float32(i)] for i in range(4)], ["x"], shuffle=False),
    }


def outcome(ms, call):
    """What a call gives: "takes VALUE" or "refuses ERROR"; of random numbers the shapes alone."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = eval(call, environment(ms))
    except Exception as error:
        return f"refuses {type(error).__name__}"
    return f"takes {digest(value, bool(re.search(_RANDOM, call)))}"[:160]


def digest(value, is_random):
    """A short text of a value, by which that of another package is compared."""
    if hasattr(value, "asnumpy") or isinstance(value, np.ndarray):
        array = np.asarray(value.asnumpy() if hasattr(value, "asnumpy") else value)
        if is_random or array.dtype.kind not in "fiub":
            return f"{array.shape}"
        with np.errstate(all="ignore"):
            return f"{array.shape} {float(np.nansum(array.astype(np.float64))):.3g}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(digest(x, is_random) for x in value)}]"
    if isinstance(value, (bool, np.bool_)) or value is None:
        return str(bool(value))
    if isinstance(value, (int, float, np.number)):
        return "a number" if is_random else f"{float(value):.3g}"
    return f"{value}" if isinstance(value, str) else "an object"


# The making of the list, with this package alone


def calls():
    """All calls: the usual ones, and those with an argument of another kind."""
    import minispore as ms

    found = {}
    for base in usual_calls():
        if outcome(ms, base).startswith("takes"):
            found |= dict.fromkeys([base, *changed(base, ms)])
    return list(found)


def usual_calls():
    """The usual calls as expressions."""
    from support import public_callables as known

    yield from (call.strip() for call in LAYERS.split(";") if call.strip())
    for name, drawn in known.CALLABLES.items():
        room, _, last = name.rpartition(".")
        if room not in _ROOMS or not last.isidentifier() or last[0] == "_":
            continue
        try:
            owner = drawn.make()
            args = [text_of(x) for x in known.taken_arguments(name)(owner)]
        except Exception:
            continue
        if None not in args:
            yield f"{'f(2, 3)' if room == 'Tensor' else _NAMES.get(room, room)}.{last}({', '.join(args)})"


def text_of(value):
    """An argument as an expression; None if there is none."""
    import minispore as ms

    if isinstance(value, ms.Tensor):
        letter = {"f": "f", "i": "i"}.get(value.dtype.np.kind)
        return letter and f"{letter}({', '.join(map(str, value.shape))})"
    if isinstance(value, (list, tuple)):
        parts = [text_of(x) for x in value]
        inside = ", ".join(map(str, parts)) + ("," if isinstance(value, tuple) and len(parts) == 1 else "")
        return None if None in parts else f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, ms.dtype.DType):
        return f"ms.{str(value).lower()}"
    return repr(value) if isinstance(value, (bool, int, float, str, type(None))) else None


def changed(base, ms):
    """The calls that differ from a usual one in the kind of one argument, or give a default by name."""
    tree = ast.parse(base, mode="eval")
    for node in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        if ast.unparse(node.func) in _MAKERS or ast.unparse(node.func).startswith("np."):
            continue
        for place, value in [*enumerate(node.args), *((k, k.value) for k in node.keywords)]:
            for other in others(ast.unparse(value)):
                yield with_argument(tree, node, place, other)
        for name, default in defaults(node, ms):
            for other in others(default):
                yield with_argument(tree, node, name, other)


def with_argument(tree, node, place, text):
    """The text of a call in which one argument is another expression."""
    new, args, keywords = ast.parse(text, mode="eval").body, node.args[:], node.keywords[:]
    if isinstance(place, int):
        node.args = [*args[:place], new, *args[place + 1 :]]
    elif isinstance(place, str):
        node.keywords = [*keywords, ast.keyword(place, new)]
    else:
        node.keywords = [ast.keyword(k.arg, new) if k is place else k for k in keywords]
    said = ast.unparse(tree)
    node.args, node.keywords = args, keywords
    return said


def defaults(node, ms):
    """The further arguments of a call that have plain defaults: name and default as text."""
    try:
        callee = eval(ast.unparse(node.func), environment(ms))
        parameters = list(inspect.signature(callee).parameters.values())
    except Exception:
        return
    given = {k.arg for k in node.keywords}
    for p in parameters[len(node.args) :]:
        if p.name not in given and p.kind is not p.POSITIONAL_ONLY and type(p.default) in (bool, int, float, tuple):
            yield p.name, repr(p.default)


def others(text):
    """Expressions of other kinds in place of an argument, by its text."""
    try:
        value = ast.literal_eval(text)
    except ValueError:
        return []
    if isinstance(value, bool):
        return ["None", "1", "0", "'yes'", "int", f"np.bool_({value})", f"ms.Tensor({value})"]
    if isinstance(value, int):
        whole = [f"np.int64({value})", f"np.int32({value})", f"ms.Tensor({value})", f"float({value})"]
        return [*whole, f"np.array({value})", f"bool({value})"]
    if isinstance(value, float):
        forms = [f"np.float32({value})", f"np.float64({value})", f"ms.Tensor({value})", f"np.array({value})"]
        return [*forms, *([f"int({value})"] if value.is_integer() else []), "True"]
    if isinstance(value, (list, tuple)) and value and all(type(x) in (int, float, str) for x in value):
        forms = [f"list({text})", f"tuple({text})", f"(x for x in {text})", f"iter({text})"]
        numbers = [f"np.array({text})", f"ms.Tensor({text})", f"map(int, {text})"]
        return [*forms, *(numbers if all(type(x) in (int, float) for x in value) else [])]
    return []
