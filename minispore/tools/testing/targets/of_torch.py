"""The adapter of PyTorch, for the parts that it has: gradients, losses, optimizers, the loss scale, overflow.

It imports NumPy and torch alone. Overflow is what torch's own function for unscaling gradients says of them.
"""

# ruff: noqa: B905 - the Python of a target may be 3.9, which has no strict zip

import numpy as np

FACES = {"GradScaler": "torch"}
LACKS = dict.fromkeys(
    ("forward", "backward", "accumulate", "in_graph", "convert", "ran_in", "train", "rewrite", "edit"),
    "networks are told as programs of MindSpore's API",
) | {
    "infer": "what it infers cannot be asked for without computing",
    "quantized": "it has no operands of recipes",
}


class Torch:
    """The protocol of ``targets/__init__.py`` over PyTorch on the CPU."""

    name = speaks = "torch"
    faces = FACES
    scales_losses = keeps_streams = True
    lacks = LACKS

    def __init__(self, torch):
        self.torch, self.version = torch, torch.__version__.split("+")[0]

    def compute(self, expression, inputs):
        """The outputs of an expression, as arrays."""
        return [y.detach().numpy() for y in self._run(expression, self._tensors(inputs))]

    def gradient(self, expression, inputs, moving, weights):
        """The gradients, by the inputs at ``moving``, of the sum of weights times outputs."""
        made = self._tensors(inputs, moving)
        outs = self._run(expression, made)
        total = sum((y * self.torch.as_tensor(w)).sum() for y, w in zip(outs, weights) if w is not None)
        return [g.numpy(force=True) for g in self.torch.autograd.grad(total, [made[i] for i in moving])]

    def second(self, expression, inputs, moving, weights, ways):
        """The gradients of the derivative along ``ways``: by the inputs at ``moving``, then by each weight."""
        made, weighing = self._tensors(inputs, moving), [w if w is None else self._leaf(w) for w in weights]
        outs = self._run(expression, made)
        total = sum((y * w).sum() for y, w in zip(outs, weighing) if w is not None)
        grads = self.torch.autograd.grad(total, [made[i] for i in moving], create_graph=True)
        slope = sum((g * self.torch.as_tensor(d)).sum() for g, d in zip(grads, ways))
        leaves = [*(made[i] for i in moving), *(w for w in weighing if w is not None)]
        found = self.torch.autograd.grad(slope, leaves, allow_unused=True)
        return [np.zeros(x.shape) if g is None else g.numpy(force=True) for g, x in zip(found, leaves)]

    def jvp(self, expression, inputs, ways):
        """The outputs of an expression, and their derivatives along directions."""
        given = tuple(self._tensors(inputs)), tuple(self._tensors(ways))
        return [self._arrays(found) for found in self.torch.func.jvp(self._function(expression), *given)]

    def vjp(self, expression, inputs, weights):
        """The outputs of an expression, and the gradients of the sum of weights times outputs, by every input."""
        out, pull_back = self.torch.func.vjp(self._function(expression), *self._tensors(inputs))
        return self._arrays(out), self._arrays(pull_back(tuple(self._tensors(weights))))

    def vmap(self, expression, inputs, axes, out):
        """The outputs of an expression that is mapped over an axis of each input; None: of none."""
        function = self.torch.func.vmap(self._function(expression), tuple(axes), out)
        return self._arrays(function(*self._tensors(inputs)))

    def _function(self, expression):
        return lambda *xs: tuple(self._run(expression, xs))

    def _arrays(self, found):
        return [y.detach().numpy() for y in found]

    def _run(self, expression, made):
        out = eval(expression, {"torch": self.torch, **{f"x{i}": x for i, x in enumerate(made)}})
        return out if isinstance(out, (tuple, list)) else (out,)

    def has(self, expression):
        """True if an expression can be computed."""
        return expression is not None

    def scale_course(self, face, start, factor, window, word):
        """The scales after each step of a word of overflows, of real steps of an optimizer."""
        scaler = self.torch.amp.GradScaler("cpu", start, float(factor), 1 / factor, window)
        weight, scales = self.torch.nn.Parameter(self.torch.zeros(1)), []
        optimizer = self.torch.optim.SGD([weight], lr=0.0)
        for overflow in word:
            optimizer.zero_grad()
            scaler.scale((weight * (float("inf") if overflow else 0.0)).sum()).backward()
            scaler.step(optimizer)
            scaler.update()
            scales.append(scaler.get_scale())
        return scales

    def decoded(self, format, codes):
        """The values of codes of one of torch's formats of eight bits."""
        return self.torch.from_numpy(codes).view(self._kind(format)).float().numpy()

    def encoded(self, format, numbers):
        """The codes of numbers within a format's range."""
        return self.torch.from_numpy(numbers).to(self._kind(format)).view(self.torch.uint8).numpy()

    def rounded(self, format, numbers):
        """The numbers of one of torch's formats of eight bits that numbers become."""
        return self.decoded(format, self.encoded(format, numbers))

    def _kind(self, format):
        kind = getattr(self.torch, format, None)
        if kind is None:
            raise NotImplementedError(f"torch has no {format}")
        return kind

    def finite(self, arrays):
        """True if all elements of arrays are finite, as the unscaling of gradients finds it."""
        return self._unscaled(1.0, arrays)[1] == 0

    def unscale(self, scale, arrays):
        """Scaled gradients, unscaled; torch's gradients are of Parameters in float32."""
        return self._unscaled(scale, [x.astype(np.float32) for x in arrays])[0]

    def descend(self, optimizer, start, gradients):
        """The values of a Parameter after each step of an optimizer that is given these gradients."""
        return [value for (value,) in self.descend_groups(optimizer, [start], [[g] for g in gradients])]

    def descend_groups(self, optimizer, starts, gradients):
        """The values of several Parameters after each step of an optimizer that is given a gradient for each."""
        weights = [self.torch.nn.Parameter(x) for x in self._tensors(starts)]
        made, course = eval(optimizer, {"torch": self.torch, "params": weights}), []
        for step in gradients:
            for weight, gradient in zip(weights, self._tensors(step)):
                weight.grad = gradient
            made.step()
            course.append([weight.detach().numpy().copy() for weight in weights])
        return course

    def _unscaled(self, scale, arrays):
        """The gradients divided by a scale, and 1 if one of them was not finite, else 0."""
        torch = self.torch
        made, found = [torch.as_tensor(x.copy()) for x in arrays], torch.zeros(1)
        for each in made:
            torch._amp_foreach_non_finite_check_and_unscale_([each], found, torch.full((1,), 1 / scale))
        return [x.numpy() for x in made], int(found)

    def _leaf(self, array):
        return self.torch.as_tensor(np.ascontiguousarray(array).copy()).requires_grad_()

    def _tensors(self, inputs, moving=()):
        made = [self.torch.as_tensor(x.copy()) if isinstance(x, np.ndarray) else x for x in inputs]
        return [x.requires_grad_() if i in moving else x for i, x in enumerate(made)]


def target():
    """PyTorch, in the process of its own Python."""
    import torch

    return Torch(torch)
