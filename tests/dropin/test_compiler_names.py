"""Names by which scripts speak to MindSpore's compiler, which compile nothing here."""

import numpy as np

import minispore as ms


def test_core_notes_flags_of_a_function_that_computes_as_before():
    from minispore.ops.composite.base import add_flags, core

    @core(tg=True)
    def double(x):
        return 2 * x

    assert double._func_graph_flags == {"core": True, "tg": True} and double(3) == 6
    assert add_flags is ms.ops.add_flags and ms.ops.composite.core is core


def test_a_meta_tensor_has_a_type_and_a_shape_for_the_signature_of_a_jitted_function():
    from minispore._c_expression import MetaTensor

    kind = MetaTensor(ms.float32, (2, 3))
    assert (kind.shape, kind.dtype) == ((2, 3), ms.float32)
    double = ms.jit(lambda x: x + x, input_signature=(kind,))
    assert (double(ms.Tensor(np.ones((2, 3), np.float32))).asnumpy() == 2).all()


def test_print_of_functional_is_print_(capsys):
    from minispore.ops import functional as F  # noqa: N812 - the field's name for it

    F.print("x is", ms.Tensor([1, 2]))
    assert "[1, 2]" in capsys.readouterr().out and F.print is ms.ops.print_


def test_switch_of_functional_chooses():
    from minispore.ops import functional as F  # noqa: N812 - the field's name for it

    assert F.switch(True, 1, 2) == 1 and F.switch(ms.Tensor(False), 1, 2) == 2


def test_partial_is_a_primitive_too():
    assert ms.ops.operations.Partial()(lambda x, y: x - y, 5)(2) == 3


def test_the_tail_of_a_sequence_lacks_its_first_element():
    from minispore.ops.composite.base import tail

    assert tail((1, 2, 3)) == (2, 3) and ms.ops.composite.tail([1]) == []
