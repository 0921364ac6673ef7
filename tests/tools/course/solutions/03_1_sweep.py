"""Exercise 3.1: mend the tape."""

tape = []


class Number:
    """A number that notes how it was made."""

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return record(sum_rule, self, other, self.value + other.value)

    def __sub__(self, other):
        return record(difference_rule, self, other, self.value - other.value)

    def __mul__(self, other):
        return record(product_rule, self, other, self.value * other.value)


def record(rule, x, y, value):
    out = Number(value)
    tape.append((rule, (x, y), out))
    return out


def sum_rule(x, y, dout):
    return dout, dout


def difference_rule(x, y, dout):
    return dout, -dout


def product_rule(x, y, dout):
    return dout * y.value, dout * x.value


def sweep(grads):
    """Take every record, newest first, and hand its gradient on to its inputs."""
    while tape:
        rule, inputs, out = tape.pop()
        dout = grads.pop(out, 0.0)
        for x, g in zip(inputs, rule(*inputs, dout)):
            grads[x] = grads.get(x, 0.0) + g
    return grads


def gradients(function, *values):
    """The gradients of a function of numbers, by each of them."""
    tape.clear()
    inputs = [Number(value) for value in values]
    grads = sweep({function(*inputs): 1.0})
    return [grads.get(x, 0.0) for x in inputs]
