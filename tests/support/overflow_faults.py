"""Faults that the tests of the overflow verdict plant: functions that overflow in float16, a network around them."""

import inspect
import linecache

import numpy as np

import minispore as ms
from minispore import nn, ops
from minispore.tools.insight import explain_overflow

X = np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)
Y = np.zeros((2, 4), np.float32)


class Body(nn.Cell):
    """A layer before the fault and one after it, so that the fault has a way in and out."""

    def __init__(self, rule):
        super().__init__()
        self.before, self.fault, self.after = nn.Dense(4, 4), Fault(rule), nn.Dense(4, 4)

    def construct(self, x):
        return self.after(self.fault(self.before(x)))


class Fault(nn.Cell):
    def __init__(self, rule):
        super().__init__()
        self.rule = rule

    def construct(self, x):
        return self.rule(x)


def exponential(x):
    large = x * 0 + 12
    return ops.exp(large) * 1e-3  # FAULT


def sum_of_a_softmax(x):
    total = ops.exp(x * 0 + 10).sum(1, keepdims=True)  # FAULT
    return x * total * 1e-5


def square(x):
    wide = x * 0 + 300
    return ops.square(wide) * x * 1e-5  # FAULT


def product(x):
    return (x * 0 + 300) * (x * 0 + 300)  # FAULT


def matmul(x):
    large = x * 0 + 200
    return ops.matmul(large, large.T) @ x  # FAULT


def division_by_a_small_number(x):
    small = x * 0 + 1e-5
    return 1 / small  # FAULT


def division_by_what_float16_has_no_number_for(x):
    tiny = x * 0 + 1e-9
    return x / tiny * 1e-9  # FAULT


def power(x):
    return ops.pow(x * 0 + 20, 4)  # FAULT


def sum_in_a_loop(x):
    total = x * 0 + 5
    for _ in range(3):
        total = total * total  # FAULT
    return total * 1e-6


def reciprocal_root(x):
    return ops.rsqrt(ops.square(x * 0 + 1e-5)) * 1e-3  # FAULT


def softplus_by_hand(x):
    return ops.log(1 + ops.exp(x * 0 + 30))  # FAULT


def log_of_a_negative_number(x):
    return ops.log(-1 - x * x)  # FAULT


def root_of_a_negative_number(x):
    return ops.sqrt(x * 0 - 1)  # FAULT


def nothing_by_nothing(x):
    nothing = x * 0
    return nothing / nothing  # FAULT


def gradient_of_a_root_at_zero(x):
    return ops.sqrt(x * 0) + x  # FAULT


RULES = {  # rule -> the operation, the phase and the kind
    exponential: ("Exp", "forward", "forward"),
    sum_of_a_softmax: ("ReduceSum", "forward", "forward"),
    square: ("Square", "forward", "forward"),
    product: ("Mul", "forward", "forward"),
    matmul: ("MatMul", "forward", "forward"),
    division_by_a_small_number: ("Div", "forward", "forward"),
    division_by_what_float16_has_no_number_for: ("Div", "forward", "forward"),
    power: ("Pow", "forward", "forward"),
    sum_in_a_loop: ("Mul", "forward", "forward"),
    reciprocal_root: ("Rsqrt", "forward", "forward"),
    softplus_by_hand: ("Exp", "forward", "forward"),
    log_of_a_negative_number: ("Log", "forward", "invalid"),
    root_of_a_negative_number: ("Sqrt", "forward", "invalid"),
    nothing_by_nothing: ("Div", "forward", "invalid"),
    gradient_of_a_root_at_zero: ("Div", "backward", "invalid"),
}


def softmax_of_large_scores(x):
    keys = x * 0 + 300
    return ops.softmax(ops.matmul(keys, keys.T), -1) @ x  # FAULT


def softmax_by_hand(x):
    powers = ops.exp(x * 0 + 11.5)  # FAULT
    return powers / powers.sum(-1, keepdims=True)


def variance_by_hand(x):
    wide = (x * 0 + 1) * ms.Tensor([900, -900, 900, -900], ms.float32)
    return x * ops.square(wide - wide.mean()).mean() * 1e-6  # FAULT


def variance(x):
    wide = (x * 0 + 1) * ms.Tensor([900, -900, 900, -900], ms.float32)
    return x * ops.var(wide) * 1e-6  # FAULT


def norm_by_hand(x):
    large = x * 0 + 300
    return x * ops.sqrt((large * large).sum()) * 1e-3  # FAULT


def normalization_of_what_float16_squares_to_zero(x):
    small = x * 0 + 1e-4
    return small / ops.sqrt(ops.square(small).sum())  # FAULT


def epsilon_that_float16_has_not(x):
    same = x - x
    return same / ops.sqrt(ops.square(same).mean() + 1e-9)  # FAULT


def logarithm_of_what_underflows(x):
    rare = ops.exp(x * 0 - 20)
    return ops.log(rare) * 1e-3 * x  # FAULT


def logarithm_of_a_sum_of_exponentials(x):
    return ops.log(ops.exp(x * 0 + 20).sum()) * x  # FAULT


def convolution(x):
    image = (x * 0 + 200).reshape(2, 1, 2, 2)
    return ops.conv2d(image, image[:1]).reshape(2, 1) * x * 1e-6  # FAULT


def batch_of_products(x):
    large = (x * 0 + 200).reshape(2, 2, 2)
    return ops.bmm(large, large).reshape(2, 4) * 1e-5  # FAULT


def sum_of_large_numbers(x):
    large = x * 0 + 3e4
    return large.sum() * 1e-5 * x  # FAULT


def cumulative_sum(x):
    large = x * 0 + 3e4
    return ops.cumsum(large, 1) * 1e-5 * x  # FAULT


def hyperbolic_sine(x):
    return ops.sinh(x * 0 + 13) * 1e-4  # FAULT


def exponential_less_one(x):
    return ops.expm1(x * 0 + 13) * 1e-4  # FAULT


def cube(x):
    return ops.pow(x * 0 + 50, 3) * 1e-5  # FAULT


def number_that_float16_has_not(x):
    return (x + 1e5) * 1e-5  # FAULT


def loop_until_it_is_large(x):
    total, count = x * 0 + 4, 0
    while count < 4:
        total, count = total * total, count + 1  # FAULT
    return total * 1e-8


def distance_by_squares(x):
    far = x * 0 + 300
    return ops.pow(far - x, 2) * 1e-5  # FAULT


def reciprocal(x):
    return ops.reciprocal(x * 0 + 1e-5) * 1e-3  # FAULT


def gradient_of_a_reciprocal(x):
    steep = ops.reciprocal(x * 2e-6 + 3e-5)  # FAULT
    return steep * 1e-3


def logarithm_of_zero(x):
    return ops.log(x * 0) * 0 + x  # FAULT


def quotient_of_zeros(x):
    return ops.div(ops.sign(x) * 0, x * 0)  # FAULT


FURTHER = {  # the same
    softmax_of_large_scores: ("MatMul", "forward", "forward"),
    softmax_by_hand: ("Exp", "forward", "forward"),
    variance_by_hand: ("Square", "forward", "forward"),
    variance: ("Mul", "forward", "forward"),
    norm_by_hand: ("Mul", "forward", "forward"),
    normalization_of_what_float16_squares_to_zero: ("Div", "forward", "forward"),
    epsilon_that_float16_has_not: ("Div", "forward", "forward"),
    logarithm_of_what_underflows: ("Log", "forward", "forward"),
    logarithm_of_a_sum_of_exponentials: ("Exp", "forward", "forward"),
    convolution: ("Conv2D", "forward", "forward"),
    batch_of_products: ("BatchMatMul", "forward", "forward"),
    sum_of_large_numbers: ("ReduceSum", "forward", "forward"),
    cumulative_sum: ("CumSum", "forward", "forward"),
    hyperbolic_sine: ("Sinh", "forward", "forward"),
    exponential_less_one: ("Expm1", "forward", "forward"),
    cube: ("Pow", "forward", "forward"),
    number_that_float16_has_not: ("Add", "forward", "forward"),
    loop_until_it_is_large: ("Mul", "forward", "forward"),
    distance_by_squares: ("Pow", "forward", "forward"),
    reciprocal: ("Reciprocal", "forward", "forward"),
    gradient_of_a_reciprocal: ("Mul", "backward", "forward"),
    logarithm_of_zero: ("Log", "forward", "invalid"),
    quotient_of_zeros: ("Div", "forward", "invalid"),
}


def line_of(function):
    """The line of a function that is marked as its fault, as "file:line"."""
    code = inspect.unwrap(function).__code__
    lines = sorted({number for _, _, number in code.co_lines() if number})
    return f"{code.co_filename}:{next(n for n in lines if '# FAULT' in linecache.getline(code.co_filename, n))}"


def step_of(net, level="O3", scale=8.0, **keywords):
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    manager = ms.amp.DynamicLossScaleManager(scale)
    return ms.build_train_network(net, optimizer, nn.MSELoss(), level=level, loss_scale_manager=manager, **keywords)


def overflows(step, *inputs):
    return bool(step(*map(ms.Tensor, inputs))[1])


def state_of(step):
    return [p.asnumpy().tobytes() for p in step.get_parameters()]


def explained(step, *inputs):
    """The verdict, which leaves everything as it was, and whose remedy makes the step finite."""
    given, before = [ms.Tensor(x) for x in inputs], state_of(step)
    verdict = explain_overflow(step, *given)
    assert state_of(step) == before
    if verdict.remedy is not None:
        exec(verdict.remedy, {"step": step, "inputs": given, "ms": ms})
        assert not step(*given)[1]
    return verdict
