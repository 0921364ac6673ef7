"""Facts of primitives that graph mode uses beside their rules, by the names of their classes.

A subclass has those of its base. A user's own primitive has none: it may count its calls, or keep what it made.
"""

from minispore.core.primitive import Primitive
from minispore.ops.added import add_to

__all__ = []

# Those whose results may be an input or a view of one, lie in one memory, or be kept
_SHARING = """
    BroadcastTo Cast Conj DiagPart ExpandDims Flatten GetItem Meshgrid Reshape ReverseV2 Slice Split Squeeze
    StopGradient StridedSlice Transpose Unstack _EachTensor _GradientHook _Part _ScaleGradient _StepGrad _Whole
"""
_SHARES = frozenset(_SHARING.split())
_IN_PYTHON = {"Custom", "_Message"}  # a call does what no kernel does: it calls a user's function, or notes a value
# How float16 is computed on float32 arrays that hold its numbers: ``compute_in_float32`` gives float16's own numbers,
# or those that are to be rounded
_EXACT = """
    Equal ExpandDims Flatten Greater GreaterEqual Less LessEqual MaxPool NotEqual ReLU ReLU6 ReluGrad Reshape Transpose
    _ReLU6Grad
"""
_ROUNDED = """
    Add BatchNormGrad BiasAdd GeLUGrad LayerNormGrad MatMul Mul ReduceMean ReduceSum Smooth SoftmaxGrad Sub _AlongAxis
    _Convolution _Normalization _Slopes _Step _StepGrad
"""
_FORMS = dict.fromkeys(_EXACT.split(), "exact") | dict.fromkeys(_ROUNDED.split(), "rounded")
_BY_ATTRIBUTES = {"MaxPoolGrad"}  # their ``wide`` says which


def _names(primitive):
    return [kind.__name__ for kind in type(primitive).__mro__]


def owns_memory(primitive):
    """True if each result is new: no input or view of one, no other result, nothing that is kept."""
    return primitive.ours and _SHARES.isdisjoint(_names(primitive))


def computes_into(primitive):
    """True if ``compute_into(xp, out, *arrays)`` may be given, as out, the memory of an input."""
    into = primitive.ours and hasattr(primitive, "compute_into")
    return into and getattr(primitive, "ufunc", "of its own") is not None


def runs_python(primitive):
    """True if each call must run in Python."""
    return not _IN_PYTHON.isdisjoint(_names(primitive))


def waits(primitive):
    """True if a call waits for other processes, so that all must make the same ones."""
    return getattr(primitive, "communicates", False)


def float16_form(primitive):
    """The way in which float16 may be computed in float32, "exact" or "rounded"; None where it may not."""
    names = _names(primitive) if primitive.ours else ()
    if not _BY_ATTRIBUTES.isdisjoint(names):
        return primitive.wide
    return next((_FORMS[name] for name in names if name in _FORMS), None)


class _InFloat32:
    """The method that every primitive gets."""

    def compute_in_float32(self, xp, *arrays):
        """``compute`` of float32 arrays that hold float16's numbers."""
        return self.compute(xp, *arrays)


add_to(Primitive, _InFloat32)
