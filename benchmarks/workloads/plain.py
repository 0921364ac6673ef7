"""What the workloads of HIPS autograd share: layers as functions of arrays, and a step that updates arrays."""

import numpy

from workloads.training import normal


def zeros(*shape):
    return numpy.zeros(shape, numpy.float32)


def dense_weights(inputs, outputs):
    """The weight and the bias of a dense layer."""
    return [normal(inputs, outputs) * numpy.float32(inputs**-0.5), zeros(outputs)]


def linear(np, x, weight, bias):
    return np.matmul(x, weight) + bias


def relu(np, x):
    return np.maximum(x, numpy.float32(0))


def sigmoid(np, x):
    return numpy.float32(0.5) * (np.tanh(numpy.float32(0.5) * x) + numpy.float32(1))


def normalized(np, x, scale, shift):
    centred = x - np.mean(x, -1, keepdims=True)
    return centred / np.sqrt(np.mean(centred * centred, -1, keepdims=True) + numpy.float32(1e-5)) * scale + shift


def cross_entropy(np, logits, chosen):
    """The mean over the rows of ``-log softmax(logits)`` where ``chosen`` is 1."""
    shifted = logits - np.max(logits, 1, keepdims=True)
    return -np.sum((shifted - np.log(np.sum(np.exp(shifted), 1, keepdims=True))) * chosen) / logits.shape[0]


def one_hot(classes):
    return numpy.eye(10, dtype=numpy.float32)[classes]


def moved_by_momentum(parameters):
    """The function that moves ``parameters`` along gradients by Momentum, in place."""
    moments = [numpy.zeros_like(p) for p in parameters]

    def move(gradients):
        for p, m, g in zip(parameters, moments, gradients, strict=True):
            m *= numpy.float32(0.9)
            m += g
            p -= numpy.float32(0.01) * m

    return move


def moved_by_adam(parameters):
    """The function that moves ``parameters`` along gradients by Adam, in place."""
    first, second = ([numpy.zeros_like(p) for p in parameters] for _ in range(2))
    steps = [0]

    def move(gradients):
        steps[0] += 1
        rate = numpy.float32(1e-3 * (1 - 0.999 ** steps[0]) ** 0.5 / (1 - 0.9 ** steps[0]))
        for p, m, v, g in zip(parameters, first, second, gradients, strict=True):
            m += numpy.float32(0.1) * (g - m)
            v += numpy.float32(0.001) * (g * g - v)
            p -= rate * m / (numpy.sqrt(v) + numpy.float32(1e-8))

    return move


def step_of_arrays(autograd, loss, parameters, moved_by):
    """The step that moves ``parameters`` against the gradients of ``loss(parameters)``, and returns the loss."""
    gradients, move = autograd.value_and_grad(loss), moved_by(parameters)

    def step():
        value, found = gradients(parameters)
        move(found)
        return float(value)

    return step
