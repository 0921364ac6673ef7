"""The fast call of a primitive on two Tensors like others that were checked before, for Tensor's operators."""

from __future__ import annotations

from minispore.core import backend
from minispore.core.errors import memory_error
from minispore.core.primitive import REMEMBERED
from minispore.core.running import running
from minispore.core.tensor import Tensor


def of_two(primitive):
    """The function ``(x, y) -> primitive(x, y)``, in half the time on small Tensors; Tensor's operators call it.

    It is ``Primitive.__call__`` for the most frequent case of a differentiated function. That case has two Tensors
    of real numbers and of one shape, dtypes that were checked before, nothing to lower, nothing to watch. For it the
    primitive gives its ``array_function``, the bare function of two arrays, and ``local_grads``, its bprop where
    nothing was broadcast. All else is left to the call.
    """
    kernels, new = {}, object.__new__
    rule = primitive.local_grads if primitive.differentiable else None
    backend.forget_on_change(kernels)

    def function(x, y) -> Tensor:
        now = running.__dict__  # this thread's fields by one look-up, instead of one for each field
        if now["cast"] is not None or now["seen"]:
            return primitive(x, y)
        try:
            a, b = x.array, y.array
        except AttributeError:  # one of them is not a Tensor
            return primitive(x, y)
        try:
            kernel = kernels[a.dtype, b.dtype, a.shape, b.shape]
        except KeyError:
            return checked(x, y)
        try:
            result = kernel(a, b)
        except MemoryError as error:
            raise memory_error(primitive.name, error) from error
        if type(result) is not backend.array_type:
            result = backend.as_array(primitive.name, result)
        out = new(Tensor)
        out.array, tape = result, now["tape"]
        if tape is not None and rule is not None and (x._tape is tape or y._tape is tape):
            out._tape = tape
            tape.append((rule, (x, y), out))
        else:
            out._tape = None
        return out

    def checked(x, y):
        a, b = x.array, y.array
        out = primitive(x, y)
        if a.shape == b.shape and a.dtype == b.dtype and a.dtype.kind != "c":
            if len(kernels) >= REMEMBERED:
                kernels.clear()
            kernels[a.dtype, b.dtype, a.shape, b.shape] = primitive.array_function(backend.xp, a, b)
        return out

    return function
