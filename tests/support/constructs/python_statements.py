"""The code forms of Python at large: stars, deletions, nested functions, generators, assignments to parts of things."""

import contextlib

from support.constructs.control_flow import FORMS
from support.constructs.listed_calls import NEAR, Blocks, Parts, form

import minispore as ms

__all__ = ["FORMS"]


@form(
    """
    tuple_var = (x,)
    dict_var = {'scale': 1}
    args, options = (tuple_var, dict_var)
    tuple_var_1 = (self.block(*args, **options), x * NEAR)
    return tuple_var_1
    """,
    "MatMul16 Mul32 Mul32",
)
class StarArguments(Blocks):
    def construct(self, x):
        args, options = (x,), {"scale": 1}
        return self.block(*args, **options), x * NEAR


@form(
    """
    fc = self.fc(x)
    tuple_var = (fc, x, x)
    first, *rest = tuple_var
    subscript_var = rest[-1]
    mult_var = subscript_var * NEAR
    tuple_var_1 = (first, mult_var)
    return tuple_var_1
    """,
    "MatMul16 Mul32",
)
class StarredTargets(Parts):
    def construct(self, x):
        first, *rest = self.fc(x), x, x
        return first, rest[-1] * NEAR


@form(
    """
    if 0 < self.k <= 2:
        fc = self.fc(x)
        mult_var = x * NEAR
        tuple_var = (fc, mult_var)
        return tuple_var
    tuple_var_1 = (x, x)
    return tuple_var_1
    """,
    "MatMul16 Mul32",
)
class ChainedComparison(Parts):
    def construct(self, x):
        if 0 < self.k <= 2:
            return self.fc(x), x * NEAR
        return x, x


@form(
    """
    name = f"{'f'}c{'':>{self.k - 2}}"
    getattr_1 = getattr(self, name)
    call = getattr_1(x)
    mult_var = x * NEAR
    tuple_var = (call, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class FString(Parts):
    def construct(self, x):
        name = f"{'f'}c{'':>{self.k - 2}}"
        return getattr(self, name)(x), x * NEAR


@form(
    """
    fc = self.fc(x)
    self.last = fc
    self.k += 0
    self_last = self.last
    mult_var = x * NEAR
    tuple_var = (self_last, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class AttributeAssignment(Parts):
    def construct(self, x):
        self.last = self.fc(x)
        self.k += 0
        return self.last, x * NEAR


@form(
    """
    outs = [x, x]
    fc = self.fc(x)
    outs[0] = fc
    outs[1] *= NEAR
    subscript_var = outs[0]
    subscript_var_1 = outs[1]
    tuple_var = (subscript_var, subscript_var_1)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class SubscriptAssignment(Parts):
    def construct(self, x):
        outs = [x, x]
        outs[0] = self.fc(x)
        outs[1] *= NEAR
        return outs[0], outs[1]


@form(
    """
    y, kept = (self.fc(x), x * NEAR)
    del x
    return (y, kept)
    """,
    "MatMul16 Mul32",
)
class Deleted(Parts):
    def construct(self, x):
        y, kept = self.fc(x), x * NEAR
        del x
        return y, kept


@form(
    """
    global _last
    _last = self.fc(x)
    return (_last, x * NEAR)
    """,
    "MatMul16 Mul32",
)
class GlobalName(Parts):
    def construct(self, x):
        global _last
        _last = self.fc(x)
        return _last, x * NEAR


@form(
    """
    y = x

    def step():
        nonlocal y
        y = self.fc(y)
    step()
    return (y, x * NEAR)
    """,
    "MatMul16 Mul32",
)
class NonlocalName(Parts):
    def construct(self, x):
        y = x

        def step():
            nonlocal y
            y = self.fc(y)

        step()
        return y, x * NEAR


@form(
    """
    def outs():
        for layer in self.layers:
            yield layer(x)
    return (list(outs())[-1], x * NEAR)
    """,
    "MatMul16 MatMul16 Mul32",
)
class NestedGenerator(Parts):
    def construct(self, x):
        def outs():
            for layer in self.layers:
                yield layer(x)

        return list(outs())[-1], x * NEAR


@form(
    """
    async def later(t):
        return self.fc(t)
    try:
        later(x).send(None)
    except StopIteration as done:
        return (done.value, x * NEAR)
    """,
    "MatMul16 Mul32",
)
class AsyncFunction(Parts):
    def construct(self, x):
        async def later(t):
            return self.fc(t)

        try:
            later(x).send(None)
        except StopIteration as done:
            return done.value, x * NEAR


@form(
    """
    from math import floor
    return (self.fc(x) * floor(1.5), x * NEAR)
    """,
    "MatMul16 Mul32 Mul32",
)
class ImportInside(Parts):
    def construct(self, x):
        from math import floor

        return self.fc(x) * floor(1.5), x * NEAR


@form(
    """
    y = x
    for layer, scale in ((self.fc, 1), (self.head, 1)):
        layer_1 = layer(y)
        y = layer_1 * scale
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32 MatMul16 Mul32 Mul32",
)
class ForTuple(Parts):
    def construct(self, x):
        y = x
        for layer, scale in ((self.fc, 1), (self.head, 1)):
            y = layer(y) * scale
        return y, x * NEAR


@form(
    """
    y = x
    for i, (layer, step) in enumerate(zip(self.layers, self.steps, strict=True), start=1):
        layer_1 = layer(y)
        step_1 = step(layer_1)
        mult_var = step_1 * i
        y = mult_var / i
    mult_var_1 = x * NEAR
    tuple_var = (y, mult_var_1)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32 Div32 MatMul16 ReLU16 Mul32 Div32 Mul32",
)
class ForEnumerateZip(Parts):
    def construct(self, x):
        y = x
        for i, (layer, step) in enumerate(zip(self.layers, self.steps, strict=True), start=1):
            y = step(layer(y)) * i / i
        return y, x * NEAR


@form(
    """
    outs = []
    for name, part in self.table.items():
        if name == 'a':
            part_1 = part(x)
            append = outs.append(part_1)
    subscript_var = outs[0]
    mult_var = x * NEAR
    tuple_var = (subscript_var, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class ForItems(Parts):
    def construct(self, x):
        outs = []
        for name, part in self.table.items():
            if name == "a":
                outs.append(part(x))
        return outs[0], x * NEAR


@form(
    """
    i, y = (0, x)
    while i < 5:
        i += 1
        if i > self.k:
            break
        y = self.fc(y)
    else:
        y = x
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class WhileElse(Parts):
    def construct(self, x):
        i, y = 0, x
        while i < 5:
            i += 1
            if i > self.k:
                break
            y = self.fc(y)
        else:
            y = x
        return y, x * NEAR


@form(
    """
    try:
        fc = self.fc(x)
        mult_var = x * NEAR
        tuple_var = (fc, mult_var)
        return tuple_var
    finally:
        relu = self.relu(x)
    """,
    "MatMul16 Mul32 ReLU16",
)
class TryFinally(Parts):
    def construct(self, x):
        try:
            return self.fc(x), x * NEAR
        finally:
            self.relu(x)


@form(
    """
    with contextlib.nullcontext(), contextlib.nullcontext((x, 1)) as (y, one):
        fc = self.fc(y)
        y = fc * one
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32 Mul32",
)
class SeveralContexts(Parts):
    def construct(self, x):
        with contextlib.nullcontext(), contextlib.nullcontext((x, 1)) as (y, one):
            y = self.fc(y) * one
        return y, x * NEAR


@form(
    """
    names = {'fc'}
    constant_var = ...
    subscript_var = x[:1, constant_var]
    fc = self.fc(subscript_var)
    constant_var_1 = ...
    y = fc[constant_var_1, :]
    len_1 = len(names)
    mult_var = y * len_1
    mult_var_1 = x * NEAR
    tuple_var = (mult_var, mult_var_1)
    return tuple_var
    """,
    "GetItem32 MatMul16 GetItem32 Mul32 Mul32",
)
class SetAndSlices(Parts):
    def construct(self, x):
        names = {"fc"}
        y = self.fc(x[:1, ...])[..., :]
        return y * len(names), x * NEAR


@form(
    """
    if not self.off and (self.k or self.off):
        y = self.fc(x)
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class BooleanTests(Parts):
    def construct(self, x):
        if not self.off and (self.k or self.off):
            y = self.fc(x)
        return y, x * NEAR


@form(
    """
    if self.k:
        ifexp_var = self.fc(x)
    else:
        ifexp_var = x
    relu = self.relu(ifexp_var)
    mult_var = x * NEAR
    tuple_var = (relu, mult_var)
    return tuple_var
    """,
    "MatMul16 ReLU16 Mul32",
)
class ConditionalExpressionInArguments(Parts):
    def construct(self, x):
        return self.relu(self.fc(x) if self.k else x), x * NEAR


@form(
    """
    self_fc = self.fc
    twice = self.twice(self_fc, x)
    scale = self.scale(twice)
    mult_var = x * NEAR
    tuple_var = (scale, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32 Mul32",
)
class StaticAndClassMethods(Parts):
    @staticmethod
    def twice(layer, t):
        return layer(layer(t))

    @classmethod
    def scale(cls, t):
        return t * cls.__name__.count("StaticAndClassMethods")

    def construct(self, x):
        return self.scale(self.twice(self.fc, x)), x * NEAR


@form(
    """
    self_k = self.k
    repeat = self.repeat(x, self_k)
    mult_var = x * NEAR
    tuple_var = (repeat, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class RecursiveMethod(Parts):
    def repeat(self, t, times):
        return t if times == 0 else self.repeat(self.fc(t), times - 1)

    def construct(self, x):
        return self.repeat(x, self.k), x * NEAR


@form(
    """
    helper = self.helper(x)
    mult_var = x * NEAR
    tuple_var = (helper, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32 MatMul16 Mul32",
)
class SuperMethod(Parts):
    def helper(self, t, scale=1):
        return self.fc(super().helper(t, scale))

    def construct(self, x):
        return self.helper(x), x * NEAR


@form(
    """
    y = self.fc(x)
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class Annotated(Parts):
    def construct(self, x: "ms.Tensor", low: bool = True) -> tuple:
        y: ms.Tensor = self.fc(x)
        z: int  # noqa: F842 - a form
        return y, x * NEAR


@form(
    """
    step = lambda t, layer=self.fc: layer(t)
    step_1 = step(x)
    mult_var = x * NEAR
    tuple_var = (step_1, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class LambdaDefaults(Parts):
    def construct(self, x):
        step = lambda t, layer=self.fc: layer(t)  # noqa: E731 - a form
        return step(x), x * NEAR


@form(
    """
    y = z if (z := self.fc(x)) is not None else x
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class WalrusInACondition(Parts):
    def construct(self, x):
        y = z if (z := self.fc(x)) is not None else x
        return y, x * NEAR


@form(
    """
    if low:
        ifexp_var = self.block(x, scale=scale)
    else:
        ifexp_var = x
    mult_var = x * NEAR
    tuple_var = (ifexp_var, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32 Mul32",
)
class PositionalOnly(Blocks):
    def construct(self, x, /, scale=1, *, low=True):
        return self.block(x, scale=scale) if low else x, x * NEAR
