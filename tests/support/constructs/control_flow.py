"""The code forms with control flow: branches, loops, contexts, exceptions, comprehensions."""

import contextlib

from support.constructs.listed_calls import FORMS, NEAR, Parts, form

import minispore as ms

__all__ = ["FORMS"]


@form(
    """
    y = x
    if self.k > 1:
        y = self.fc(y)
    else:
        y = y * 3
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class If(Parts):
    def construct(self, x):
        y = x
        if self.k > 1:  # noqa: SIM108 - a form
            y = self.fc(y)
        else:
            y = y * 3
        return y, x * NEAR


@form(
    """
    if self.k == 1:
        y = x
    elif self.k == 2:
        z = self.fc(x)
        y = self.relu(z)
    else:
        raise ValueError('k')
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 ReLU16 Mul32",
)
class IfElif(Parts):
    def construct(self, x):
        if self.k == 1:
            y = x
        elif self.k == 2:
            z = self.fc(x)
            y = self.relu(z)
        else:
            raise ValueError("k")
        return y, x * NEAR


@form(
    """
    fc = self.fc(x)
    gt_var = fc > 1
    if gt_var:
        tuple_var = (x, x)
        return tuple_var
    fc_1 = self.fc(x)
    mult_var = x * NEAR
    tuple_var_1 = (fc_1, mult_var)
    return tuple_var_1
    """,
    "MatMul16 Greater8 MatMul16 Mul32",
)
class IfOnCall(Parts):
    def construct(self, x):
        if self.fc(x) > 1:
            return x, x
        return self.fc(x), x * NEAR


@form(
    """
    if self.off:
        tuple_var = (x, x)
        return tuple_var
    if self.k:
        y = self.fc(x)
        mult_var = x * NEAR
        tuple_var_1 = (y, mult_var)
        return tuple_var_1
    tuple_var_2 = (x, x)
    return tuple_var_2
    """,
    "MatMul16 Mul32",
)
class EarlyReturn(Parts):
    def construct(self, x):
        if self.off:
            return x, x
        if self.k:
            y = self.fc(x)
            return y, x * NEAR
        return x, x


@form(
    """
    y = x
    for layer in self.layers:
        y = layer(y)
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class ForCellList(Parts):
    def construct(self, x):
        y = x
        for layer in self.layers:
            y = layer(y)
        return y, x * NEAR


@form(
    """
    y = x
    for i in range(len(self.layers)):
        self_layers = self.layers
        subscript_var = self_layers[i]
        y = subscript_var(y)
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class ForRange(Parts):
    def construct(self, x):
        y = x
        for i in range(len(self.layers)):
            y = self.layers[i](y)
        return y, x * NEAR


@form(
    """
    outs = []
    for layer, step in zip(self.layers, self.steps, strict=True):
        layer_1 = layer(x)
        step_1 = step(layer_1)
        append = outs.append(step_1)
    subscript_var = outs[0]
    mult_var = x * NEAR
    tuple_var = (subscript_var, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 MatMul16 ReLU16 Mul32",
)
class ForZip(Parts):
    def construct(self, x):
        outs = []
        for layer, step in zip(self.layers, self.steps, strict=True):
            outs.append(step(layer(x)))
        return outs[0], x * NEAR


@form(
    """
    y = x
    for i, layer in enumerate(self.layers):
        if i == 0:
            continue
        layer_1 = layer(y)
        y = self.relu(layer_1)
        break
    else:
        y = x
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 ReLU16 Mul32",
)
class ForEnumerate(Parts):
    def construct(self, x):
        y = x
        for i, layer in enumerate(self.layers):
            if i == 0:
                continue
            y = self.relu(layer(y))
            break
        else:
            y = x
        return y, x * NEAR


@form(
    """
    count, y = (0, x)
    while count < self.k:
        y = self.fc(y)
        count += 1
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class While(Parts):
    def construct(self, x):
        count, y = 0, x
        while count < self.k:
            y = self.fc(y)
            count += 1
        return y, x * NEAR


@form(
    """
    y = x
    for layer in self.layers:
        for _ in range(2):
            if self.k > 1:
                y = layer(y)
                z = y
    mult_var = x * NEAR
    tuple_var = (z, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 MatMul16 MatMul16 Mul32",
)
class NestedLoops(Parts):
    def construct(self, x):
        y = x
        for layer in self.layers:
            for _ in range(2):
                if self.k > 1:
                    y = layer(y)
                    z = y
        return z, x * NEAR


@form(
    """
    if self.k > 1:
        ifexp_var = self.fc(x)
    else:
        ifexp_var = self.head(x)
    y = ifexp_var
    ifexp_var_1 = x * NEAR if self.k else x
    tuple_var = (y, ifexp_var_1)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class Ternary(Parts):
    def construct(self, x):
        y = self.fc(x) if self.k > 1 else self.head(x)
        return y, x * NEAR if self.k else x


@form(
    """
    if self.off:
        ifexp_var = x
    else:
        if self.k:
            ifexp_var_1 = self.relu(x)
        else:
            ifexp_var_1 = x
        ifexp_var = self.fc(ifexp_var_1)
    y = ifexp_var
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "ReLU16 MatMul16 Mul32",
)
class NestedTernary(Parts):
    def construct(self, x):
        y = x if self.off else self.fc(self.relu(x) if self.k else x)
        return y, x * NEAR


@form(
    """
    y = self.off or self.fc(x)
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32",
)
class ShortCircuit(Parts):
    def construct(self, x):
        y = self.off or self.fc(x)
        return y, x * NEAR


@form(
    """
    outs = [layer(x) for layer in self.layers if self.k]
    subscript_var = outs[-1]
    mult_var = x * NEAR
    tuple_var = (subscript_var, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class Comprehension(Parts):
    def construct(self, x):
        outs = [layer(x) for layer in self.layers if self.k]
        return outs[-1], x * NEAR


@form(
    """
    generatorexp_var = (step(x) for step in self.steps)
    sum_1 = sum(generatorexp_var)
    y = sum_1 / 2
    mult_var = x * NEAR
    tuple_var = (y, mult_var)
    return tuple_var
    """,
    "MatMul16 Add32 ReLU16 Add32 Div32 Mul32",
)
class GeneratorOfSteps(Parts):
    def construct(self, x):
        y = sum(step(x) for step in self.steps) / 2
        return y, x * NEAR


@form(
    """
    outs = {name: self.table[name](x) for name in ['a']}
    table_b_0 = self.table['b'][0](x)
    outs['b'] = table_b_0
    subscript_var = outs['a']
    subscript_var_1 = outs['b']
    mult_var = subscript_var * subscript_var_1
    mult_var_1 = x * NEAR
    tuple_var = (mult_var, mult_var_1)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32 Mul32",
)
class DictOfOutputs(Parts):
    def construct(self, x):
        outs = {name: self.table[name](x) for name in ["a"]}
        outs["b"] = self.table["b"][0](x)
        return outs["a"] * outs["b"], x * NEAR


@form(
    """
    with contextlib.nullcontext(2) as two:
        fc = self.fc(x)
        y = fc * two
    div_var = y / two
    mult_var = x * NEAR
    tuple_var = (div_var, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32 Div32 Mul32",
)
class With(Parts):
    def construct(self, x):
        with contextlib.nullcontext(2) as two:
            y = self.fc(x) * two
        return y / two, x * NEAR


@form(
    """
    y = x
    try:
        y = self.fc(y)
        y = self.missing(y)
    except AttributeError as error:
        list_var = [error]
        len_1 = len(list_var)
        y = y * len_1
    else:
        y = x
    finally:
        z = y
    mult_var = x * NEAR
    tuple_var = (z, mult_var)
    return tuple_var
    """,
    "MatMul16 Mul32 Mul32",
)
class Try(Parts):
    def construct(self, x):
        y = x
        try:
            y = self.fc(y)
            y = self.missing(y)
        except AttributeError as error:
            y = y * len([error])
        else:
            y = x
        finally:
            z = y
        return z, x * NEAR


@form(
    """
    if (y := self.fc(x)) is not None:
        mult_var = x * NEAR
        tuple_var = (y, mult_var)
        return tuple_var
    tuple_var_1 = (x, x)
    return tuple_var_1
    """,
    "MatMul16 Mul32",
)
class Walrus(Parts):
    def construct(self, x):
        if (y := self.fc(x)) is not None:
            return y, x * NEAR
        return x, x


@form(
    """
    match self.k:
        case 2:
            y = self.fc(x)
        case _:
            y = x
    return (y, x * NEAR)
    """,
    "MatMul16 Mul32",
)
class Match(Parts):
    def construct(self, x):
        match self.k:
            case 2:
                y = self.fc(x)
            case _:
                y = x
        return y, x * NEAR


@form(
    """
    for name in ('fc', 'head'):
        getattr_1 = getattr(self, name)
        x = getattr_1(x)
    Tensor = ms.Tensor(NEAR)
    mult_var = Tensor * NEAR
    tuple_var = (x, mult_var)
    return tuple_var
    """,
    "MatMul16 MatMul16 Mul32",
)
class GetAttr(Parts):
    def construct(self, x):
        for name in ("fc", "head"):
            x = getattr(self, name)(x)
        return x, ms.Tensor(NEAR) * NEAR
