"""MindSpore's methods of primitives that have no effect here, and the names of the class."""

import pytest

import minispore as ms
from minispore import nn, ops
from minispore.ops import operations as P  # noqa: N812 - the field's name for it


def test_what_has_no_effect_is_noted_in_attributes():
    relu = P.ReLU().set_device("CPU").set_stage(1).shard(((1, 1),)).recompute(False)
    assert relu.attrs == {
        "primitive_target": "CPU",
        "stage": 1,
        "in_strategy": ((1, 1),),
        "out_strategy": None,
        "recompute": False,
    }
    assert relu.get_attr_dict() == relu.attrs and relu.get_attr_dict() is not relu.attrs
    assert relu.del_prim_attr("stage") is relu and "stage" not in relu.attrs
    assert relu.set_prim_instance_name("first").instance_name == "first"
    relu.init_prim_io_names(["x"], ["y"])
    assert (relu.input_names, relu.output_names) == (["x"], ["y"])


WRONG = [
    ("For 'shard', the 'in_strategy' must be a tuple of tuples or None", lambda p: p.shard([1])),
    ("For 'recompute', the 'mode' must be a bool", lambda p: p.recompute(1)),
    ("For 'set_prim_instance_name', the 'instance_name' must be a str", lambda p: p.set_prim_instance_name(1)),
]


@pytest.mark.parametrize(("message", "call"), WRONG)
def test_a_wrong_argument_is_refused(message, call):
    with pytest.raises(TypeError, match=f"^{message}"):
        call(P.ReLU())


def test_the_class_and_the_decorators_have_all_of_mindspores_names():
    assert ops.PrimitiveWithCheck is ops.PrimitiveWithInfer is ops.primitive.PrimitiveWithCheck is ops.Primitive
    assert ops.primitive._primexpr is ops.primitive.constexpr is ops.constexpr
    assert ops.primitive.prim_attr_register is ops.prim_attr_register
    assert {"PrimitiveWithCheck", "PrimitiveWithInfer", "prim_attr_register", "constexpr"} <= {*ops.primitive.__all__}


def test_a_former_attribute_of_a_users_own_primitive_warns_and_exempt_inputs_stay_so():
    with pytest.warns(DeprecationWarning, match="'autocast_exempt' of the primitive 'Kept' is read no more"):

        class Kept(ops.Primitive):
            autocast_exempt = (1,)

            def infer(self, x, y):
                return x

            def compute(self, xp, x, y):
                seen.append((x.dtype.name, y.dtype.name))
                return x

    class Net(nn.Cell):
        def construct(self, x, y):
            return Kept()(x, y)

    seen = []
    Net().to_float(ms.float16)(ms.Tensor([1.0]), ms.Tensor([2.0]))
    assert seen == [("float16", "float32")]


@pytest.mark.parametrize("name", ["in_python", "owns_memory", "piecewise", "refuses", "ufunc"])
def test_every_former_attribute_warns_of_itself(name):
    with pytest.warns(DeprecationWarning, match=f"'{name}' of the primitive 'Own' is read no more"):
        type("Own", (ops.Primitive,), {name: True, "__module__": "users"})


def test_a_primitive_tells_its_arguments_inputs_and_outputs():
    multiply = ops.MatMul(transpose_b=True)
    assert multiply.init_attrs == {"transpose_a": False, "transpose_b": True}
    assert (len(multiply.input_names), multiply.output_names) == (2, ["output"])
    multiply.init_prim_io_names(["x1", "x2"], ["y"])
    assert (multiply.input_names, multiply.output_names) == (["x1", "x2"], ["y"])
    multiply.add_attr("a", 3)
    assert multiply.attrs["a"] == 3 and multiply.check_elim(1, 2) == (False, None)
    multiply.del_attr("a")
    multiply.set_instance_name("mine")
    assert "a" not in multiply.attrs and multiply.instance_name == "mine"
