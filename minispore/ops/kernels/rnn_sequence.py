"""Recurrent networks over a whole sequence, one direction: gates in place, one weight gradient for all steps.

``z`` holds, for each step and sample, the inputs' part of the gates' pre-activations. One product has computed it
beforehand; only the product with the state is left to the loop. ``alive`` (T, N, 1) is False where a sample has ended:
its state no longer changes and its output is 0; None where all samples are as long as z. With ``reverse`` the last step
comes first. A backward pass computes the factors that do not depend on the gradient for all steps at once. It loops
over those that do, and multiplies once for the weight's gradient.
"""

from minispore.ops.kernels.select import select

_IN_CACHE = 1 << 16  # elements of the gates of as many steps as are worked on at a time


def order(steps, reverse):
    """The steps in the order of computation."""
    return range(steps - 1, -1, -1) if reverse else range(steps)


def _kept(xp, alive, t, new, old):
    """The new state, but the old one of a sample that has ended."""
    return new if alive is None else select(xp, alive[t], new, old)


def _shown(xp, alive, y):
    """The outputs: 0 where a sample has ended."""
    return y if alive is None else select(xp, alive, y, y.dtype.type(0))


def before(xp, states, first, alive, reverse):
    """The state that each living step began with."""
    if not len(states):
        return states
    if alive is not None:
        states = select(xp, alive, states, first)
    first = first[None]
    return xp.concatenate((states[1:], first) if reverse else (first, states[:-1]))


def _flat(x):
    return x.reshape(-1, x.shape[-1])


def weight_gradient(xp, dz, previous):
    """``sum over steps and samples of dz^T previous``, as one product."""
    return xp.matmul(_flat(dz).T, _flat(previous))


def lstm(xp, z, h, c, w, alive, reverse):
    """The outputs, the last h and c, and, for the backward pass, the activated gates (T, N, 4H) and every step's c."""
    gates, y = xp.empty(z.shape, z.dtype), xp.empty((len(z), *h.shape), z.dtype)
    cells, turned = xp.empty_like(y), xp.ascontiguousarray(_weights_by_gate(xp, w).swapaxes(1, 2))
    half = z.dtype.type(0.5)
    turned[:3] *= half  # one tanh opens all gates: sigmoid(x) = tanh(x / 2) / 2 + 1 / 2
    for now in _blocks(z, reverse):
        opened = _by_gate(xp, z[now])
        halved = opened[:, :3]
        halved *= half
        for t in _steps(now, reverse):
            gate = opened[t - now.start]
            gate += xp.matmul(h, turned)
            xp.tanh(gate, out=gate)
            sigmoids = gate[:3]
            sigmoids *= half
            sigmoids += half
            (o, i, f, g), held_c, held_h, c, h = gate, c, h, cells[t], y[t]
            xp.multiply(f, held_c, out=c)
            c += i * g
            xp.multiply(o, xp.tanh(c), out=h)
            if alive is not None:
                c[...], h[...] = select(xp, alive[t], c, held_c), select(xp, alive[t], h, held_h)
        _by_sample(opened, out=gates[now])
    return _shown(xp, alive, y), h.copy(), c.copy(), gates, cells


def _blocks(z, reverse):
    """Slices of the steps of z, in the order of computation, each of as many steps as stay in the cache."""
    size = max(1, _IN_CACHE // max(1, z[0].size))
    return [slice(start, min(start + size, len(z))) for start in range(0, len(z), size)][:: -1 if reverse else 1]


def _steps(block, reverse):
    """The steps of a block, in the order of computation."""
    return order(block.stop, reverse)[: block.stop - block.start] if reverse else range(block.start, block.stop)


def _by_gate(xp, z):
    """(T, N, 4H) of i, f, g, o to (T, 4, N, H) of o, i, f, g: sigmoids are neighbours, and so are the gates of c."""
    steps, samples, rows = z.shape
    gates, parts = xp.empty((steps, 4, samples, rows // 4), z.dtype), z.reshape(steps, samples, 4, -1).swapaxes(1, 2)
    gates[:, 1:], gates[:, 0] = parts[:, :3], parts[:, 3]
    return gates


def _by_sample(gates, out):
    """Write the gates as :func:`_by_gate` found them."""
    parts = out.reshape(*out.shape[:2], 4, -1).swapaxes(1, 2)
    parts[:, :3], parts[:, 3] = gates[:, 1:], gates[:, 0]


def _weights_by_gate(xp, w):
    """(4H, H) of i, f, g, o to (4, H, H) of o, i, f, g: four products are faster than one of long rows."""
    return xp.roll(w.reshape(4, -1, w.shape[1]), 1, axis=0)


def lstm_grad(xp, dy, dh, dc, h, c, w, y, gates, cells, alive, reverse):
    """The gradients of z, of the first h and c, and of w."""
    dy, previous = _shown(xp, alive, dy), before(xp, cells, c, alive, reverse)
    dz, weights = xp.empty_like(gates), _weights_by_gate(xp, w)
    for now in _blocks(dz, not reverse):
        living = None if alive is None else alive[now]
        slopes, through, kept = _lstm_slopes(xp, gates[now], cells[now], previous[now], living)
        for t in _steps(now, not reverse):
            k = t - now.start
            slope = slopes[k]
            dh = dh + dy[t]
            dc = dc + dh * through[k]
            slope[0] *= dh
            slope[1:] *= dc
            dc *= kept[k]
            dh = _passed(xp, alive, t, xp.matmul(slope, weights).sum(axis=0), dh)
        _by_sample(slopes, out=dz[now])
    return dz, dh, dc, weight_gradient(xp, dz, before(xp, y, h, alive, reverse))


def _lstm_slopes(xp, gates, cells, previous, alive):
    """The factors of the gradients of o, i, f and g, (T, 4, N, H), that from h to c, and that from c to the one before.

    A sample that has ended has 0, 0 and 1.
    """
    opened, tanh = _by_gate(xp, gates), xp.tanh(cells)
    slopes = opened * opened
    xp.subtract(1, slopes[:, 3], out=slopes[:, 3])
    xp.subtract(opened[:, :3], slopes[:, :3], out=slopes[:, :3])  # of the sigmoids
    o, i, f, g = opened.swapaxes(0, 1)
    for k, factor in enumerate((tanh, g, previous, i)):
        slopes[:, k] *= factor
    tanh *= tanh
    through = xp.subtract(1, tanh, out=tanh)
    through *= o
    if alive is None:
        return slopes, through, f
    return _shown(xp, alive[:, None], slopes), _shown(xp, alive, through), select(xp, alive, f, f.dtype.type(1))


def _passed(xp, alive, t, dh, held):
    """The gradient of the state before a step: unchanged, ``held``, where a sample has ended."""
    return dh if alive is None else select(xp, alive[t], dh, held)


def gru(xp, z, h, w, b, alive, reverse):
    """The outputs, the last h, the activated gates r, u, n (T, N, 3H), and the state's part of n before r scales it."""
    steps, width = len(z), h.shape[1]
    gates, y = xp.empty(z.shape, z.dtype), xp.empty((*z.shape[:2], width), z.dtype)
    hidden = xp.empty_like(y)
    turned, half = xp.ascontiguousarray(w.T), z.dtype.type(0.5)
    for t in order(steps, reverse):
        by_state = xp.matmul(h, turned)
        by_state += b
        gate, hidden[t] = gates[t], by_state[:, 2 * width :]
        both, new = gate[:, : 2 * width], gate[:, 2 * width :]
        xp.add(z[t, :, : 2 * width], by_state[:, : 2 * width], out=both)
        both *= half
        xp.tanh(both, out=both)
        both *= half
        both += half
        xp.multiply(gate[:, :width], by_state[:, 2 * width :], out=new)
        new += z[t, :, 2 * width :]
        xp.tanh(new, out=new)
        y[t] = h = _kept(xp, alive, t, new + gate[:, width : 2 * width] * (h - new), h)
    return _shown(xp, alive, y), h, gates, hidden


def gru_grad(xp, dy, dh, h, w, b, y, gates, hidden, alive, reverse):
    """The gradients of z, of the first h, of w and of b."""
    width, dy, previous = h.shape[1], _shown(xp, alive, dy), before(xp, y, h, alive, reverse)
    opened = gates.reshape(*gates.shape[:2], 3, width)
    r, u, n = (opened[:, :, k] for k in range(3))
    dz, by_state = xp.empty_like(opened), xp.empty_like(opened)  # of the input's and of the state's pre-activations
    dz[:, :, 2] = (1 - u) * (1 - n * n)
    dz[:, :, 1] = (previous - n) * u * (1 - u)
    dz[:, :, 0] = dz[:, :, 2] * hidden * r * (1 - r)
    by_state[:, :, :2] = dz[:, :, :2]
    by_state[:, :, 2] = dz[:, :, 2] * r
    if alive is not None:
        dz, by_state = (_shown(xp, alive[..., None], x) for x in (dz, by_state))
        u = select(xp, alive, u, u.dtype.type(1))
    flat, came = by_state.reshape(gates.shape), xp.empty_like(y)
    for t in order(len(dy), not reverse):
        came[t] = dh = dh + dy[t]
        by_state[t] *= dh[:, None]
        dh = dh * u[t]
        dh += xp.matmul(flat[t], w)
    dz *= came[:, :, None]
    return dz.reshape(gates.shape), dh, weight_gradient(xp, flat, previous), _flat(flat).sum(axis=0).reshape(b.shape)


def rnn(xp, z, h, w, alive, reverse, relu):
    """The outputs and the last h."""
    y, turned = xp.empty(z.shape, z.dtype), xp.ascontiguousarray(w.T)
    for t in order(len(z), reverse):
        new = xp.matmul(h, turned)
        new += z[t]
        new = xp.maximum(new, z.dtype.type(0)) if relu else xp.tanh(new)
        y[t] = h = _kept(xp, alive, t, new, h)
    return _shown(xp, alive, y), h


def rnn_grad(xp, dy, dh, h, w, y, alive, reverse, relu):
    """The gradients of z, of the first h and of w."""
    dy = _shown(xp, alive, dy)
    dz = _shown(xp, alive, (y > 0).astype(y.dtype) if relu else 1 - y * y)
    for t in order(len(dy), not reverse):
        dh = dh + dy[t]
        dz[t] *= dh
        dh = _passed(xp, alive, t, xp.matmul(dz[t], w), dh)
    return dz, dh, weight_gradient(xp, dz, before(xp, y, h, alive, reverse))
