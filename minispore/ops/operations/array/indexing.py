"""Indexing and assignment: ``x[key]`` with ints, slices, Ellipsis, None, and Tensors of ints or bools.

A key is split in two: a template of the parts without data, with a mark for each Tensor, and the Tensors.
"""

from __future__ import annotations

import numpy as np

from minispore.core import backend
from minispore.core.errors import shown, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor, wrap
from minispore.ops.broadcasting import sum_to
from minispore.ops.kernels.scatter import added_at, placed_at
from minispore.ops.kernels.take import first_axes, nearest
from minispore.ops.list_checks import check_axes
from minispore.ops.operands import tensor_beside
from minispore.ops.operations.math.select import Select
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_tensor

__all__ = ["GetItem", "ScatterTo", "SetItem"]

_TENSOR = "tensor"  # stands in a template for the next index Tensor


def _frozen(part):
    """A hashable form of a template's part: slices are not hashable before Python 3.12."""
    return ("slice", part.start, part.stop, part.step) if isinstance(part, slice) else part


def _thawed(part):
    return slice(*part[1:]) if isinstance(part, tuple) else part


def _slice(part):
    bounds = (b.item() if isinstance(b, Tensor) else b for b in (part.start, part.stop, part.step))
    return slice(*bounds)


def _parts(key):
    """The parts of a key: a list of more than numbers stands for a tuple."""
    if isinstance(key, list) and not all(isinstance(part, (bool, int, float, np.generic)) for part in key):
        return key
    return key if isinstance(key, tuple) else (key,)


def _read(part):
    """Numbers in lists, tuples and arrays as the Tensor that they stand for; anything else as it is."""
    if isinstance(part, (list, tuple)) and not part:
        return Tensor(np.zeros(0, np.int64))
    return Tensor(part) if isinstance(part, (bool, np.bool_, list, tuple, np.ndarray)) else part


def _as_array(part):
    """The array of a Tensor, or of a value in place of one; anything else as it is."""
    if isinstance(part, Tensor):
        return part.array
    return np.asarray(part) if isinstance(part, (bool, list, tuple)) else part


def _check_written(operation, shape, parts):
    """Raise IndexError for an index outside of ``shape`` that the host knows: a device does not check its indices.

    Those are numbers in lists, tuples and arrays.
    """
    parts = [_as_array(part) for part in parts]
    for part, axis in zip(parts, first_axes(shape, parts), strict=True):
        if isinstance(part, np.ndarray) and part.dtype.kind in "iu" and axis < len(shape):
            outside = part[(part < -shape[axis]) | (part >= shape[axis])]
            if outside.size:
                found = f"index {outside.flat[0]} is out of bounds for axis {axis} with size {shape[axis]}"
                raise IndexError(f"For '{operation}', the indices must lie within the input, but got: {found}.")


def split_key(operation, shape, key):
    """``(template, Tensors)`` of an index into ``shape`` as a user writes it, for ``operation``.

    Raises:
        IndexError: If a part is of an unknown kind, or a Tensor that indexes holds neither ints nor bools. On a
            device other than the host, also if a number in a list or an array lies outside of the shape. (Other indices
            outside of it raise later.)
    """
    if type(key) is int and backend.xp is np:
        return (key,), ()
    template, tensors, parts = [], [], _parts(key)
    for part in map(_read, parts):
        if isinstance(part, Tensor):
            if part.array.dtype.kind not in "iub":
                raise IndexError(f"For 'index', a Tensor that indexes must hold ints or bools, but got {part.dtype}.")
            template.append(_TENSOR)
            tensors.append(part)
        elif part is None or part is Ellipsis:
            template.append(part)
        elif isinstance(part, slice):
            template.append(_frozen(_slice(part)))
        elif isinstance(part, (int, np.integer)):
            template.append(int(part))
        else:
            expected = "an index must be an int, a slice, Ellipsis, None, or a Tensor or list of ints or bools"
            raise IndexError(f"For 'index', {expected}, but got {shown(part)} of type {type(part).__name__}.")
    if backend.xp is not np:
        _check_written(operation, shape, parts)
    return tuple(template), tensors


class _Indexed(Primitive):
    """Base of the operations on ``x[key]``, for one template."""

    def __init__(self, template) -> None:
        self.add_prim_attr("template", template)
        self._plain = None if _TENSOR in template else tuple(map(_thawed, template))

    def key(self, tensors):
        """The index with the Tensors in their places."""
        if self._plain is not None:
            return self._plain
        tensors = iter(tensors)
        return tuple(next(tensors) if part is _TENSOR else _thawed(part) for part in self.template)

    def indexed_shape(self, shape, tensors):
        """The shape of ``x[key]``; None where a mask makes it depend on data."""
        self._check_tensors(shape, tensors)
        if any(t.dtype == np.bool_ for t in tensors):
            return None
        named = len(shape) if Ellipsis in self.template else sum(part is not None for part in self.template)
        view = np.broadcast_to(np.empty((), np.bool_), shape[:named])  # the axes behind these would only be copied
        try:
            return view[self.key([np.zeros(t.shape, np.intp) for t in tensors])].shape + shape[named:]
        except (IndexError, OverflowError, TypeError, ValueError) as error:  # an index outside, or a slice of texts
            kind = ValueError if isinstance(error, ValueError) else IndexError
            raise kind(f"For '{self.name}', the key must lie in the shape {shape}, but got: {error}.") from None

    def _check_tensors(self, shape, tensors):
        """Raise ValueError unless Tensors of ints broadcast, and a mask has the shape of the axes it stands for."""
        ints = [t.shape for t in tensors if t.dtype != np.bool_]
        try:
            np.broadcast_shapes(*ints)
        except ValueError:
            raise value_error(self.name, "the Tensors that index must broadcast", f"shapes {ints}") from None
        parts = self.key(tensors)
        for part, axis in zip(parts, first_axes(shape, parts), strict=True):
            if isinstance(part, Spec) and part.dtype == np.bool_:
                covered = shape[axis : axis + len(part.shape)]
                if part.shape != covered:
                    raise value_error(self.name, f"the mask must have the shape {covered}", part.shape)


class GetItem(_Indexed):
    """Elements of a Tensor at a key, as indexing takes them.

    ``out = x[key]``.

    Indexing calls it: the template holds the key, and the Tensors among it are inputs.

    Dtypes: any, kept.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([1.0, 2.0, 3.0])
        >>> print(x[1:])  # by GetItem
        [2. 3.]
    """

    complex_numbers = "as written"

    def infer(self, x, *tensors):
        check_tensor(self, "x", x)
        return Spec(self.indexed_shape(x.shape, tensors), x.dtype)

    def compute(self, xp, x, *tensors):
        return x[nearest(xp, x.shape, self.key(tensors))]

    def bprop(self, x, *tensors_out_dout):
        *tensors, _, dout = tensors_out_dout
        return (ScatterTo(self.template, x.shape)(dout, *tensors), *(None for _ in tensors))


class ScatterTo(_Indexed):
    """Zeros of ``shape`` to which ``x`` is added at key: the gradient of ``GetItem``.

    Methods and gradients call it, as ``scatter_to`` of a Tensor does.

    Dtypes: any, kept.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([5.0, 6.0]).scatter_to((4,), slice(1, 3)))  # by ScatterTo
        [0. 5. 6. 0.]
    """

    complex_numbers = "as written"

    def __init__(self, template, shape) -> None:
        super().__init__(template)
        shape = check_axes(self.name, "shape", shape)
        self.add_prim_attr("shape", tuple(shape) if isinstance(shape, (tuple, list)) else (shape,))

    def infer(self, x, *tensors):
        shape = self.indexed_shape(self.shape, tensors)
        check_shape(self, "x", x, x.shape if shape is None else shape)
        return Spec(self.shape, x.dtype)

    def compute(self, xp, x, *tensors):
        out = xp.zeros(self.shape, x.dtype)
        key = self.key(tensors)
        if all(t.dtype == np.bool_ for t in tensors):  # no element is named twice
            out[key] = x
            return out
        return added_at(xp, out, key, x)

    def bprop(self, x, *tensors_out_dout):
        *tensors, _, dout = tensors_out_dout
        return (GetItem(self.template)(dout, *tensors), *(None for _ in tensors))


def _one_true(shape):
    """A mask of one element: it goes with any number of indices, as a fitting mask does."""
    mask = np.zeros(shape, bool)
    mask.flat[:1] = True
    return mask


class SetItem(_Indexed):
    """``x`` with ``value`` in place of ``x[key]``.

    Assignment calls it: the Tensor then holds the answer.

    Dtypes: any, kept.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([1.0, 2.0, 3.0])
        >>> x[0] = 9.0  # by SetItem
        >>> print(x)
        [9. 2. 3.]
    """

    complex_numbers = "as written"

    def adapt(self, x, value, *tensors):
        """Read a number or an array as a Tensor of x's dtype, with no more axes than it needs."""
        value = tensor_beside(value, x)
        if value.array.shape[:1] == (1,):
            value = self._without_leading_axes(x, value, tensors)
        return (x, value, *tensors)

    def _without_leading_axes(self, x, value, tensors):
        """``value`` without the leading axes of length 1 that ``x[key]`` lacks; NumPy drops them, too."""
        shape = value.array.shape
        extra = len(shape) - self._rank(x.array.shape, tensors)
        return value.reshape(shape[extra:]) if extra > 0 and shape[:extra] == (1,) * extra else value

    def _rank(self, shape, tensors):
        """The number of axes of ``x[key]``, found once for Tensors of as many axes."""
        known = ("rank", len(shape), *[(t.array.ndim, t.array.dtype == np.bool_) for t in tensors])
        if known not in self._known:
            specs = [Spec(t.array.shape, t.array.dtype) for t in tensors]
            self._check_tensors(shape, specs)
            key = self.key([_one_true(s.shape) if s.dtype == np.bool_ else np.zeros(s.shape, np.intp) for s in specs])
            self._known[known] = np.broadcast_to(np.empty(()), shape)[key].ndim
        return self._known[known]

    def infer(self, x, value, *tensors):
        shape = self.indexed_shape(x.shape, tensors)
        if shape is not None:
            try:
                fits = np.broadcast_shapes(shape, value.shape) == shape
            except (RuntimeError, ValueError):  # NumPy broadcasts at most 32 axes
                fits = False
            if not fits:
                raise value_error(self.name, f"the 'value' must broadcast to {shape}", value.shape)
        return Spec(x.shape, x.dtype)

    def compute(self, xp, x, value, *tensors):
        key = self.key(tensors)
        if self._once(tensors):
            out = x.copy()
            out[nearest(xp, x.shape, key)] = value
            return out
        return placed_at(xp, x, key, value)

    def _once(self, tensors):
        """True if the key can name no element twice."""
        return all(t.dtype == np.bool_ or t.size < 2 for t in tensors)

    def bprop(self, x, value, *tensors_out_dout):
        *tensors, _, dout = tensors_out_dout
        kept = self(dout, 0, *tensors) if needs_grad(x) else None
        return (
            kept,
            sum_to(self._arriving(dout, tensors), value.shape) if needs_grad(value) else None,
            *(None for _ in tensors),
        )

    def _arriving(self, dout, tensors):
        """The gradient at key; 0 for a value that a later one has replaced."""
        getitem = self.cached_primitive(GetItem, self.template)
        at_key = getitem(dout, *tensors)
        if self._once([t.array for t in tensors]):
            return at_key
        numbers = wrap(backend.xp.arange(1, at_key.size + 1).reshape(at_key.shape))
        placed = self(wrap(backend.xp.zeros(dout.shape, numbers.array.dtype)), numbers, *tensors)
        return _select(getitem(placed, *tensors) == numbers, at_key, 0)


_select = Select()
