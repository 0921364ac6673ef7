"""Marks of the inputs of a user's primitive."""

import minispore as ms
from minispore.ops.signature import make_sig, sig_dtype, sig_kind, sig_rw


class Doubled(ms.ops.PrimitiveWithInfer):
    """A user's primitive with marks."""

    __mindspore_signature__ = (make_sig("x", sig_rw.RW_READ, dtype=sig_dtype.T), sig_dtype.T1)

    def __call__(self, x):
        return x + x


def test_a_marked_primitive_computes_as_it_is_written():
    assert Doubled()(ms.Tensor([1.5])).item() == 3


def test_the_marks_have_mindspores_numbers():
    assert [x.value for x in (sig_rw.RW_WRITE, sig_rw.RW_REF, sig_dtype.T, sig_dtype.T9)] == [1, 2, 0, 9]
    mark = make_sig()
    assert (mark.name, mark.rw, mark.kind) == ("var", sig_rw.RW_READ, sig_kind.KIND_POSITIONAL_KEYWORD)
    assert (mark.default.value, mark.dtype.value) == (4, 10)
