"""The cases of recurrent layers and attention, for the script that records them and for the test that reads them.

It knows no framework: ``ms`` is passed. Values are drawn from NumPy's uniform generator, seeded by the case's number.
"""

import numpy as np

WEIGHTED = ("LSTM", "GRU", "RNN")


def case(layer, inputs, *args, **kwargs):
    """A row of the table; an input is named and is [kind, *shape]."""
    return {"layer": layer, "args": args, "kwargs": kwargs, "inputs": inputs}


def recurrent():
    """Layers over sequences: stacked, in both directions, with first states and with lengths."""
    x, h, h4, length = ["normal", 5, 3, 3], ["normal", 1, 3, 4], ["normal", 4, 3, 4], ["length", 3]
    for layer in WEIGHTED:
        c, c4 = ({"c": h}, {"c": h4}) if layer == "LSTM" else ({}, {})
        yield case(layer, {"x": x}, 3, 4)
        yield case(layer, {"x": x, "h": h, **c}, 3, 4, has_bias=False)
        yield case(layer, {"x": x, "h": h, **c, "seq_length": length}, 3, 4)
        yield case(layer, {"x": x, "h": h4, **c4}, 3, 4, 2, bidirectional=True)
        yield case(layer, {"x": ["normal", 3, 5, 3], "seq_length": length}, 3, 4, batch_first=True)
        yield case(layer, {"x": x, "h": h4, **c4, "seq_length": length}, 3, 4, 2, bidirectional=True)
    yield case("RNN", {"x": x, "h": h}, 3, 4, nonlinearity="relu")
    yield case("RNN", {"x": x, "h": h4, "seq_length": length}, 3, 4, 2, bidirectional=True, nonlinearity="relu")


def attention():
    """Attention to itself and to others, with each mask, shape and extension."""
    q, kv = {"query": ["normal", 3, 2, 4]}, {"key": ["normal", 5, 2, 4]}
    name, pair = "MultiheadAttention", {**q, "key": ["normal", 5, 2, 4], "value": ["normal", 5, 2, 4]}
    yield case(name, q, 4, 2)
    yield case(name, {**q, **kv}, 4, 2)
    yield case(name, pair, 4, 2, has_bias=False)
    yield case(name, {**q, "key": ["normal", 5, 2, 6], "value": ["normal", 5, 2, 3]}, 4, 2, kdim=6, vdim=3)
    yield case(name, {"query": ["normal", 2, 3, 4], "key": ["normal", 2, 5, 4]}, 4, 1, batch_first=True)
    yield case(name, {"query": ["normal", 3, 4], "key": ["normal", 5, 4], "key_padding_mask": ["bool", 5]}, 4, 2)
    yield case(name, {**q, **kv, "key_padding_mask": ["bool", 2, 5]}, 4, 2)
    yield case(name, {**q, **kv, "key_padding_mask": ["normal", 2, 5]}, 4, 2)
    yield case(name, {**q, **kv, "attn_mask": ["bool", 3, 5]}, 4, 2)
    yield case(name, {**q, **kv, "attn_mask": ["normal", 4, 3, 5], "average_attn_weights": False}, 4, 2)
    yield case(name, {**q, **kv, "attn_mask": ["bool", 3, 5], "key_padding_mask": ["head", 2, 5]}, 4, 2)
    yield case(name, {**q, **kv, "attn_mask": ["normal", 3, 5], "key_padding_mask": ["normal", 2, 5]}, 4, 2)
    yield case(name, {**q, **kv, "need_weights": False}, 4, 2)
    yield case(name, {**pair, "attn_mask": ["normal", 3, 5]}, 4, 2, add_bias_kv=True)
    yield case(name, {**pair, "key_padding_mask": ["bool", 2, 5]}, 4, 2, add_zero_attn=True, add_bias_kv=True)


def transformers():
    """Layers, stacks and whole Transformers."""
    src, tgt, memory = ["normal", 4, 2, 4], ["normal", 3, 2, 4], ["normal", 4, 2, 4]
    small = {"dim_feedforward": 6, "dropout": 0.0}
    for more in ({}, {"activation": "gelu"}, {"norm_first": True}, {"layer_norm_eps": 0.1}):
        yield case("TransformerEncoderLayer", {"src": src}, 4, 2, **small, **more)
        yield case("TransformerDecoderLayer", {"tgt": tgt, "memory": memory}, 4, 2, **small, **more)
    yield case("TransformerEncoderLayer", {"src": ["normal", 3, 4]}, 4, 2, **small)
    masks = {"src_mask": ["bool", 4, 4], "src_key_padding_mask": ["head", 2, 4]}
    yield case("TransformerEncoderLayer", {"src": src, **masks}, 4, 2, **small)
    masks_of_decoder = {
        "tgt_mask": ["normal", 3, 3],
        "memory_mask": ["bool", 3, 4],
        "tgt_key_padding_mask": ["normal", 2, 3],
        "memory_key_padding_mask": ["head", 2, 4],
    }
    yield case("TransformerDecoderLayer", {"tgt": tgt, "memory": memory, **masks_of_decoder}, 4, 2, **small)
    yield case("Transformer", {"src": src, "tgt": tgt}, 4, 2, 1, 1, **small)
    yield case("Transformer", {"src": src, "tgt": tgt, **masks, **masks_of_decoder}, 4, 2, 2, 1, **small)
    first = {"src": ["normal", 2, 4, 4], "tgt": ["normal", 2, 3, 4]}
    yield case("Transformer", first, 4, 2, 1, 1, batch_first=True, norm_first=True, **small)


CASES = [*recurrent(), *attention(), *transformers()]
DRAW = {
    "normal": lambda rng, shape: rng.uniform(-1.5, 1.5, shape).astype(np.float32),
    "bool": lambda rng, shape: np.triu(np.ones(shape, bool), 2) if len(shape) == 2 else np.arange(shape[0]) == 1,
    "head": lambda rng, shape: np.arange(np.prod(shape)).reshape(shape) == shape[-1] - 1,
    "length": lambda rng, shape: np.array([3, 5, 0][: shape[0]], np.int32),
}


def drawn(number):
    """The inputs of a case by name: arrays, and flags as they are."""
    rng = np.random.default_rng(number)
    inputs = CASES[number]["inputs"]
    return {n: DRAW[d[0]](rng, tuple(d[1:])) if isinstance(d, list) else d for n, d in inputs.items()}


def set_parameters(ms, net, number):
    """Values for all Parameters, in the order of their names."""
    rng = np.random.default_rng(1000 + number)
    for _, p in sorted(net.parameters_and_names()):
        p.set_data(ms.Tensor(rng.uniform(-0.7, 0.7, p.shape).astype(np.float32)))


def build(ms, number, precision):
    """The network of a case with its Parameters."""
    row = CASES[number]
    net = getattr(ms.nn, row["layer"])(*row["args"], **row["kwargs"])
    net.set_train(True)
    set_parameters(ms, net, number)
    return net.to_float(ms.float16) if precision == "float16" else net


def outputs(net, row, inputs):
    """The floating outputs of a call with the inputs by name, as a flat tuple."""
    inputs = dict(inputs)
    if row["layer"] in WEIGHTED:
        states = tuple(inputs[n] for n in ("h", "c") if n in inputs)
        hx = None if not states else states if row["layer"] == "LSTM" else states[0]
        y, last = net(inputs["x"], hx, inputs.get("seq_length"))
        return (y, *last) if isinstance(last, tuple) else (y, last)
    if row["layer"] == "MultiheadAttention":
        query = inputs.pop("query")
        key = inputs.pop("key", query)
        out = net(query, key, inputs.pop("value", key), **inputs)
    elif row["layer"] == "TransformerEncoderLayer":
        out = net(inputs.pop("src"), **inputs)
    elif row["layer"] == "TransformerDecoderLayer":
        out = net(inputs.pop("tgt"), inputs.pop("memory"), **inputs)
    else:
        out = net(inputs.pop("src"), inputs.pop("tgt"), **inputs)
    return out if isinstance(out, tuple) else (out,)


def found(ms, number, precision):
    """Outputs, and gradients of their weighed sum by the floating inputs and by all Parameters."""
    net, row, inputs = build(ms, number, precision), CASES[number], drawn(number)
    tensors = {n: ms.Tensor(x) if isinstance(x, np.ndarray) else x for n, x in inputs.items()}
    rng = np.random.default_rng(2000 + number)
    result = {f"output/{i}": y.asnumpy() for i, y in enumerate(outputs(net, row, tensors))}
    weights = [ms.Tensor(rng.uniform(-1, 1, y.shape).astype(np.float32)) for y in result.values()]
    floating = [n for n, x in inputs.items() if isinstance(x, np.ndarray) and x.dtype == np.float32]

    def total(*moved):
        outs = outputs(net, row, {**tensors, **dict(zip(floating, moved))})  # noqa: B905 - Python 3.9 has no strict
        return sum((y.astype(ms.float32) * w).sum() for y, w in zip(outs, weights))  # noqa: B905

    parameters = sorted(net.parameters_and_names())
    positions = tuple(range(len(floating)))
    by_input, by_parameter = ms.grad(total, positions, [p for _, p in parameters])(*(tensors[n] for n in floating))
    by_input = by_input if isinstance(by_input, tuple) else (by_input,)
    result.update({f"input gradient/{n}": g.asnumpy() for n, g in zip(floating, by_input)})  # noqa: B905
    names = [n.replace("dense", "linear") for n, _ in parameters]  # as 2.7.0 names a Transformer's linear layers
    result.update({f"gradient/{n}": g.asnumpy() for n, g in zip(names, by_parameter)})  # noqa: B905
    return result
