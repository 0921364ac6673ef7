"""One step of a recurrent cell, products included, and its gradient.

Work arrays are laid out by gate and unit, with the samples side by side: ``weights @ x.T``. For the few samples of a
batch this product is faster: the long side of the weights stays the long side of the result. Each gate is contiguous.
Arguments and results are (samples, units), as transposed views. ``b`` are the biases, () or (b_ih, b_hh).
"""

from minispore.ops.kernels.float16.cast import cached_cast
from minispore.ops.kernels.matmul import product
from minispore.ops.kernels.select import select

_BLOCK = 1 << 17  # pre-activations whose gradients are multiplied at a time: they stay in the cache


def _by_unit(xp, x):
    """(units, samples), contiguous; without a copy if x is the result of an earlier step."""
    return xp.ascontiguousarray(x.T)


def _sigmoid(xp, z):
    """``sigmoid(z)`` into z, by one tanh."""
    z *= 0.5
    xp.tanh(z, out=z)
    z *= 0.5
    z += 0.5


def lstm_step(xp, x, h, c, w_ih, w_hh, *b):
    """``(h', c', the activated gates i f g o and tanh(c'))``."""
    width = h.shape[1]
    saved = xp.empty((5 * width, len(x)), x.dtype)
    z = xp.matmul(w_ih, x.T, out=saved[: 4 * width])
    z += xp.matmul(w_hh, h.T)
    if b:
        z += (b[0] + b[1])[:, None]
    i, f, g, o, tanh = (saved[k * width : (k + 1) * width] for k in range(5))
    _sigmoid(xp, z[: 2 * width])
    xp.tanh(g, out=g)
    _sigmoid(xp, o)
    cell = f * _by_unit(xp, c)
    cell += i * g
    xp.tanh(cell, out=tanh)
    return (o * tanh).T, cell.T, saved.T


def lstm_step_grad(xp, dh, dc, c, saved):
    """``(dz, dz, None, dc)``: the gradients of the gates' pre-activations and of c; h has no other path, so None."""
    dh, dc, c, saved = (_by_unit(xp, y) for y in (dh, dc, c, saved))
    i, f, g, o, tanh = saved.reshape(5, *c.shape)
    through = tanh * tanh
    xp.subtract(1, through, out=through)
    through *= o
    through *= dh
    through += dc  # the whole gradient of c'
    gates = saved[: 4 * len(c)]
    dz = gates * gates
    xp.subtract(gates, dz, out=dz)  # the slopes of the sigmoids
    to_i, to_f, to_g, to_o = dz.reshape(4, *c.shape)
    to_i *= g
    to_i *= through
    to_f *= c
    to_f *= through
    xp.multiply(g, g, out=to_g)
    xp.subtract(1, to_g, out=to_g)
    to_g *= i
    to_g *= through
    to_o *= tanh
    to_o *= dh
    through *= f
    by_input = by_state = dz.T
    return by_input, by_state, None, through.T


def gru_step(xp, x, h, w_ih, w_hh, *b):
    """``(h', the activated gates r u n and the state's part of n before r scales it)``."""
    width = h.shape[1]
    saved = xp.empty((4 * width, len(h)), x.dtype)
    both, n, hidden = saved[: 2 * width], saved[2 * width : 3 * width], saved[3 * width :]
    by_input, by_state = xp.matmul(w_ih, x.T, out=saved[: 3 * width]), xp.matmul(w_hh, h.T)
    if b:
        by_input += b[0][:, None]
        by_state += b[1][:, None]
    both += by_state[: 2 * width]
    _sigmoid(xp, both)
    hidden[...] = by_state[2 * width :]
    n += both[:width] * hidden
    xp.tanh(n, out=n)
    new = _by_unit(xp, h) - n
    new *= both[width:]
    new += n
    return new.T, saved.T


def gru_step_grad(xp, dh, h, saved):
    """The gradients of the input's and of the state's pre-activations, and the direct gradient of h, by ``u * h``."""
    dh, h, saved = (_by_unit(xp, y) for y in (dh, h, saved))
    width = len(h)
    r, u, n, hidden = saved.reshape(4, *h.shape)
    by_input = xp.empty((3 * width, h.shape[1]), h.dtype)
    to_r, to_u, to_n = by_input.reshape(3, *h.shape)
    xp.multiply(saved[: 2 * width], saved[: 2 * width], out=by_input[: 2 * width])
    xp.subtract(saved[: 2 * width], by_input[: 2 * width], out=by_input[: 2 * width])  # the slopes of the sigmoids
    to_u *= h - n
    to_u *= dh
    direct = dh * u
    xp.multiply(n, n, out=to_n)
    xp.subtract(1, to_n, out=to_n)
    to_n *= dh - direct
    to_r *= to_n
    to_r *= hidden
    by_state = by_input.copy()
    by_state[2 * width :] *= r
    return by_input.T, by_state.T, direct.T


def rnn_step(xp, x, h, w_ih, w_hh, *b, relu=False):
    """``(h', h')``, the second one kept for the gradient."""
    z = xp.matmul(w_ih, x.T)
    z += xp.matmul(w_hh, h.T)
    if b:
        z += (b[0] + b[1])[:, None]
    new = xp.maximum(z, z.dtype.type(0)) if relu else xp.tanh(z)
    return new.T, new.T.copy()


def rnn_step_grad(xp, dh, h, saved, relu=False):
    """``(dz, dz, None)``: the gradient of the pre-activations; h has no other path."""
    dz = select(xp, saved > 0, dh, dh.dtype.type(0)) if relu else (1 - saved * saved) * dh
    return dz, dz, None


def through(xp, w, by, direct=None):
    """The gradient of what is multiplied by ``w``, from that of the product; ``direct`` is added."""
    found = xp.matmul(w.T, by.T).T
    if direct is not None:
        found += direct
    return found


def gradients(xp, local_grads, needed, inputs, states):
    """The gradients of the step's inputs that are ``needed``, by their positions.

    ``local_grads`` is the result of a step's gradient function above, ``states`` the number of states among the inputs.
    """
    by_input, by_state, direct, *of_other_states = local_grads
    x, h, *_ = inputs
    (w_ih, w_hh, *b), sums = inputs[1 + states :], {}

    def of_bias(by):
        if id(by) not in sums:  # an LSTM's two are one
            sums[id(by)] = by.T @ xp.ones(len(x), x.dtype)
        return sums[id(by)]

    rules = [
        lambda: through(xp, w_ih, by_input),
        lambda: through(xp, w_hh, by_state, direct),
        *[lambda y=y: y for y in of_other_states],
    ]
    rules += [lambda: xp.matmul(by_input.T, x), lambda: xp.matmul(by_state.T, h)]
    rules += [lambda: of_bias(by_input), lambda: of_bias(by_state)] if b else []
    return [rules[i]() for i in needed]


def sums_over_steps(xp, x, h, by_input, by_state, needed):
    """The gradients of (w_ih, w_hh, b_ih, b_hh) that are ``needed``, by their positions, as sums over all steps.

    Arguments are sequences of arrays, one for each step. ``by_state`` holds the last gates alone, where the gradient by
    the state differs from that by the input; it is empty where none does. One product takes the steps of a block.
    """
    size, sums = max(1, _BLOCK // by_input[0].size), {}
    if not by_state:
        needed = [min(i, 2) for i in needed]  # the biases' gradients are one
    for start in range(0, len(x), size):
        block = [part[start : start + size] for part in (x, h, by_input, by_state)]
        for i, found in _sums_of_block(xp, *block, dict.fromkeys(needed)):
            sums[i] = xp.add(sums[i], found, out=sums[i]) if i in sums else found
    return [sums[i] for i in needed]


def _sums_of_block(xp, x, h, by_input, by_state, needed):
    by_paths = [[_below_one_another(xp, by_input).T]] * 2
    if by_state:
        last = _below_one_another(xp, by_state).T
        by_paths[1] = [by_paths[0][0][: -len(last)], last]
    for i in needed:
        by = by_paths[i % 2]
        if i < 2:
            factor = _below_one_another(xp, h if i else x)
            found = [product(xp, part, factor) for part in by]
        else:
            found = [part @ xp.ones(part.shape[1], part.dtype) for part in by]
        yield i, found[0] if len(found) == 1 else xp.concatenate(found)


def _below_one_another(xp, arrays):
    wide = [cached_cast(xp, y) for y in arrays]
    return xp.concatenate(wide) if len(wide) > 1 else wide[0]
