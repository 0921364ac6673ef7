"""What is observed of a model, by one program under MindSpore and under minispore: outputs and gradients of one batch.

The framework is the argument ``ms``; weights and batches come from NumPy by name, shape and seed, so that neither is
stored. A gradient is kept as its norm and its sketch: up to 64 numbers whose relative L2 difference estimates that of
the whole gradients, because each is a sum of all elements with random signs (Johnson and Lindenstrauss, 1984).
"""

import zlib

import numpy as np

BATCH, CLASSES, SKETCH = 4, 10, 64


def generator(seed, name):
    """A generator of its own for each seed and name."""
    return np.random.default_rng([seed, zlib.crc32(name.encode())])


def value_of(name, shape, seed):
    """A Parameter's value: He's deviation for weights, scales about 1, biases and means about 0, variances above it."""
    rng, kind = generator(seed, name), name.rsplit(".", 1)[-1]
    if kind in ("gamma", "moving_variance"):
        return rng.uniform(0.7, 1.3, shape).astype(np.float32)
    deviation = 0.1 if len(shape) < 2 else np.sqrt(2 / np.prod(shape[1:]))
    return (deviation * rng.normal(size=shape)).astype(np.float32)


def moved(value, name, seed):
    """Each element one float32 ulp up or down at random."""
    up = generator(seed, name + " moved").random(value.shape) < 0.5
    return np.nextafter(value, np.where(up, np.inf, -np.inf).astype(np.float32))


def batch_of(model, seed):
    """Four images or rows of tokens, which end in padding, and their classes."""
    rng, shape = generator(seed, "batch"), (BATCH, *model.shape)
    labels = rng.integers(0, CLASSES, BATCH).astype(np.int32)
    if not model.vocabulary:
        return rng.normal(size=shape).astype(np.float32), labels
    tokens = rng.integers(1, model.vocabulary, shape).astype(np.int32)
    tokens[:, -2:] = 0
    return tokens, labels


def sketch(name, gradient):
    """The gradient itself, or where it is longer, 64 sums of its elements with random signs, over 8."""
    flat = np.asarray(gradient, np.float64).ravel()
    if flat.size <= SKETCH:
        return flat
    bits = np.frombuffer(generator(0, name).bytes(SKETCH * flat.size // 8), np.uint8)
    signs = np.unpackbits(bits).reshape(SKETCH, flat.size) * 2.0 - 1
    return signs @ flat / np.sqrt(SKETCH)


def set_values(ms, network, seed, change=lambda value, name: value):
    """Give each Parameter its value, the trained ones as ``change`` makes it."""
    for name, param in network.parameters_and_names():
        value = value_of(name, param.shape, seed)
        param.set_data(ms.Tensor(change(value, name) if param.requires_grad else value))


def loss_and_logits(loss, outputs, labels):
    """The loss of the logits, to which an auxiliary classifier's counts 0.3, as in GoogLeNet's paper; the logits."""
    if not isinstance(outputs, tuple):
        return loss(outputs, labels), outputs
    return loss(outputs[0], labels) + 0.3 * loss(outputs[1], labels), outputs[0]


def gradients_of(ms, network, batch):
    """(loss, logits, {name: gradient}) of one batch in training."""
    network.set_train(True)
    loss, weights = ms.nn.CrossEntropyLoss(), network.trainable_params()
    forward = lambda x, y: loss_and_logits(loss, network(x), y)  # noqa: E731 - 2.0.0 cannot read a nested def here
    differentiated = ms.value_and_grad(forward, None, ms.ParameterTuple(weights), has_aux=True)
    (value, logits), grads = differentiated(*map(ms.Tensor, batch))
    return value.asnumpy(), logits.asnumpy(), {p.name: g.asnumpy() for p, g in zip(weights, grads)}  # noqa: B905


def moving_means_of(network):
    """The BatchNorms' moving means, one after the other."""
    means = [p.asnumpy() for name, p in network.parameters_and_names() if name.endswith("moving_mean")]
    return np.concatenate([np.zeros(0, np.float32), *means])


def observe(ms, network, batch, seed):
    """Evaluation, then one batch in training: logits, loss, moving means, the gradients' norms and sketches."""
    set_values(ms, network, seed)
    network.set_train(False)
    found = {"eval": network(ms.Tensor(batch[0])).asnumpy()}
    found["loss"], found["train"], grads = gradients_of(ms, network, batch)
    found["means"] = moving_means_of(network)
    found["norms"] = np.array([np.linalg.norm(g) for g in grads.values()])
    found["sketches"] = np.concatenate([sketch(*item) for item in grads.items()]).astype(np.float32)
    return found, grads


def spreads(ms, network, batch, seed, grads, draws=8):
    """Relative L2 change of each gradient when every weight moves by one ulp: the largest of some draws."""
    largest = np.zeros(len(grads))
    for draw in range(draws):
        set_values(ms, network, seed, lambda value, name, draw=draw: moved(value, name, draw))
        near = gradients_of(ms, network, batch)[2]
        largest = np.maximum(largest, [relative(near[name], g) for name, g in grads.items()])
    return largest


def relative(found, expected):
    """The L2 difference over the L2 norm of what is expected."""
    return np.linalg.norm(np.subtract(found, expected, dtype=np.float64)) / max(np.linalg.norm(expected), 1e-30)


def description(network):
    """What of a network is text: the Parameters in order (path, name, shape, whether it is trained), and its repr."""
    params = [[path, p.name, list(p.shape), bool(p.requires_grad)] for path, p in network.parameters_and_names()]
    return {"parameters": params, "repr": repr(network)}
