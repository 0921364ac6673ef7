"""The rule ``compute_fused`` of primitives: kernels of the GPU's own, in front of ``compute`` while a GPU computes.

On the CPU nothing of it is there. The rule takes the place of ``compute`` when the array module changes to one that
compiles CUDA, and gives it back when it changes again.
"""

from functools import partial, wraps

from minispore import backend

__all__ = []

_plain = {}  # class with the rule -> its compute without it, and whether that is its own or inherited


def register(primitive_class):
    """Let the rule ``compute_fused`` of a class stand before its ``compute`` where the array module compiles CUDA."""
    _plain[primitive_class] = primitive_class.compute, "compute" in primitive_class.__dict__
    if backend.has_kernels():
        _put_before(primitive_class)


def _put_before(primitive_class):
    plain, fused = primitive_class.compute, primitive_class.compute_fused

    @wraps(plain)
    def compute(self, xp, *arrays):
        result = fused(self, xp, *arrays) if backend.has_kernels(xp) else None  # NumPy may compute meanwhile
        return plain(self, xp, *arrays) if result is None else result

    primitive_class.compute = compute


def _give_back(primitive_class, plain, own):
    if own:
        primitive_class.compute = plain
    else:
        del primitive_class.compute


def names_with_kernels():
    """The names of the primitives that have kernels of the GPU's own, or inherit them."""
    return sorted({name for kind in _plain for name in _names(kind)})


def _names(kind):
    """The name of a class, and those of the ones derived from it, but for names that are nobody's to use."""
    yield from [] if kind.__name__.startswith("_") else [kind.__name__]
    for derived in kind.__subclasses__():
        yield from _names(derived)


def plain_compute(primitive):
    """A primitive's ``compute`` without the rule: the reference of its kernels."""
    for kind in type(primitive).__mro__:
        if kind in _plain:
            return partial(_plain[kind][0], primitive)
    return primitive.compute


@backend.on_change
def _follow(before, module):
    if backend.has_kernels(before) == backend.has_kernels(module):
        return
    for primitive_class, (plain, own) in _plain.items():
        if backend.has_kernels(module):
            _put_before(primitive_class)
        else:
            _give_back(primitive_class, plain, own)
