"""Wrong implementations: each is caught within the profile ci, by a counterexample of at most five calls.

Each is minispore with one thing wrong, as a target whose verb is overridden.
"""

from unittest import mock

import numpy as np
import pytest
from support.wrong_targets import assert_caught, registered

import minispore as ms
from minispore import ops
from minispore.amp.lowbit import formats
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.oracles.loss_scale import course
from minispore.tools.testing.runner import tried
from minispore.tools.testing.targets.minispore import Minispore

WRONG = []  # what is wrong, the law that catches it, the groups that it is looked for in, what it says, the class
wrong = registered(WRONG)


class Scale(Minispore):
    """A dynamic loss scale, written out."""

    first_good, floor, at_growth, at_overflow = 0, 1.0, 0, 0

    def __init__(self):
        super().__init__()
        self.faces = {"scaler": "minispore"}

    def scale_course(self, face, start, factor, window, word):
        scale, good, scales = start, self.first_good, []
        for number, overflow in enumerate(word):
            scale, good = self.moved(scale, good, factor, window, overflow, number)
            scales.append(scale)
        return scales

    def moved(self, scale, good, factor, window, overflow, number):
        if overflow:
            return max(scale / factor, self.floor), self.kept(good)
        if good + 1 >= window:
            return self.grown(scale, factor), self.at_growth
        return scale, good + 1

    def kept(self, good):
        return self.at_overflow

    def grown(self, scale, factor):
        return scale * factor if scale * factor < 2.0**128 else scale


def test_the_written_out_scale_is_right_before_it_is_spoiled():
    assert not tried(LAWS["loss_scale_course"], Scale()).failures


@wrong("loss_scale_course")
class CountsFromTheWrongStep(Scale):
    """A scaler that counts from the wrong step."""

    first_good = 1


@wrong("loss_scale_course")
class KeepsTheWindow(Scale):
    """A scaler whose window goes on after an overflow."""

    def kept(self, good):
        return good


@wrong("loss_scale_course")
class CountsTheOverflow(Scale):
    """A scaler that counts the overflow itself as a step of the window."""

    at_overflow = 1


@wrong("loss_scale_course")
class GrowsForEver(Scale):
    """A scaler whose window does not begin anew when the scale has grown."""

    at_growth = 1


@wrong("loss_scale_course")
class HasNoFloor(Scale):
    """A scaler that goes below 1."""

    floor = 0.0


@wrong("loss_scale_course")
class BecomesInfinite(Scale):
    """A scaler that grows beyond float32."""

    def grown(self, scale, factor):
        return scale * factor


@wrong("loss_scale_course")
class Halves(Scale):
    """A scaler that halves, whatever its factor."""

    def moved(self, scale, good, factor, window, overflow, number):
        return super().moved(scale, good, 2 if overflow else factor, window, overflow, number)


@wrong("loss_scale_course")
class FollowsPaddle(Scale):
    """A scaler that takes two overflows to reduce the scale."""

    def scale_course(self, face, *case):
        return course("paddle", *case)


@wrong("overflow_is_seen")
class LooksAtTheFirst(Minispore):
    """An overflow check that looks at the first gradient only."""

    def finite(self, arrays):
        return super().finite(arrays[:1])


@wrong("overflow_is_seen")
class SeesNoNan(Minispore):
    """An overflow check that takes nan for finite."""

    def finite(self, arrays):
        return not any(np.isinf(x).any() for x in arrays)


@wrong("overflow_is_seen")
class SumsUp(Minispore):
    """An overflow check that adds the elements up, in their dtype."""

    def finite(self, arrays):
        with np.errstate(all="ignore"):
            return all(bool(np.isfinite((np.abs(x) * 2).sum(dtype=x.dtype))) for x in arrays)


@wrong("unscaling")
class UnscalesInFloat16(Minispore):
    """An unscale in float16."""

    def unscale(self, scale, arrays):
        return [np.float32(x / np.asarray(scale, x.dtype)) for x in arrays]


@wrong("long_sums", "ReduceSum")
class SumsInFloat16(Minispore):
    """A sum in float16."""

    def compute(self, call, inputs):
        return [np.add.accumulate(inputs[0][0])[-1]]


@wrong("formula", "-Exp float16")
class RoundsTwice(Minispore):
    """A float16 operation that rounds to eight bits on the way."""

    def compute(self, call, inputs):
        return [np.ldexp(np.round(np.ldexp(y, 7)), -7).astype(y.dtype) for y in super().compute(call, inputs)]


@wrong("layer_formula", "Dense")
class ForgetsTheBias(Minispore):
    """A Dense without its bias."""

    def forward(self, source, values, inputs):
        return super().forward(source, [x * 0 if x.ndim == 1 else x for x in values], inputs)


@wrong("layer_in_float16", "Conv2d")
class RoundsToTenBits(Minispore):
    """A layer whose Parameters are rounded to bfloat16 where float16 is asked for."""

    def forward(self, source, values, inputs):
        return super().forward(source, [(x.view(np.uint32) & 0xFFFF0000).view(np.float32) for x in values], inputs)


@wrong("layer_gradient", "LayerNorm")
class LeavesTheScaleOut(Minispore):
    """A normalization without the gradient of its scale."""

    def backward(self, source, values, inputs, weights):
        found = super().backward(source, values, inputs, weights)
        return [found[0], found[1] * 0, *found[2:]]


@wrong("layer_in_graph", "Dense")
class KeepsTheFirstInput(Minispore):
    """A graph that computes with the inputs of its first call."""

    def in_graph(self, source, values, inputs):
        return super().in_graph(source, values, [x * 0 for x in inputs])


@wrong("gradient", "-Tanh")
class ForgetsASquare(Minispore):
    """A gradient of tanh that forgets a square."""

    def gradient(self, *case):
        with mock.patch.object(ops.Tanh, "_rule", lambda self, x, out, dout: (dout * (1 - out),)):
            return super().gradient(*case)


@wrong("gradient", "-Maximum")
class GivesBothTheGradient(Minispore):
    """A gradient of the maximum that goes to both inputs."""

    def gradient(self, call, inputs, moving, weights):
        found = super().gradient(call, inputs, moving, weights)
        return [g + (g == 0) for g in found]


@wrong("second_gradient", "-Sigmoid")
class IsConstantTwice(Minispore):
    """A gradient of the sigmoid that is a constant to the second derivative."""

    def second(self, *case):
        def bprop(self, x, out, dout):
            slope = ms.Tensor(out.asnumpy() * (1 - out.asnumpy()))
            return (dout * slope,)

        with mock.patch.object(ops.Sigmoid, "_rule", bprop):
            return super().second(*case)


@wrong("infer", "-ReduceMean")
class PromisesAnAxis(Minispore):
    """An infer that promises an axis that the reduction takes away."""

    def infer(self, call, inputs):
        said, given = super().infer(call, inputs)
        return [((*shape, 1), kind) for shape, kind in said], given


class Converting(Minispore):
    """A conversion whose networks are changed after it."""

    def _converted(self, network, how):
        converted = super()._converted(network, how)
        self.spoil(converted, network)
        return converted


@wrong("conversion_keeps", "O2")
class CastsParameters(Converting):
    """A conversion that stores Parameters in float16."""

    def spoil(self, converted, network):
        for parameter in converted.get_parameters():
            parameter.set_dtype(ms.float16)


@wrong("conversion_keeps", "O1")
class EditsTheOriginal(Converting):
    """An O1 that edits the original too."""

    def spoil(self, converted, network):
        next(cell for path, cell in network.cells_and_names() if path).to_float(ms.float16)


@wrong("level_computes", "O1")
class ForgetsATarget(Minispore):
    """A white pass that forgets a target."""

    def _converted(self, network, how):
        return network if how == "O0" else ms.amp.custom_mixed_precision(network, white_list=[ops.ReLU])


@wrong("conversion_once", "O3")
class CountsConversions(Converting):
    """A conversion that marks the network anew each time."""

    def spoil(self, converted, network):
        converted.insert_child_to_cell(f"mark{len(list(converted.cells()))}", ms.nn.ReLU())


@wrong("empty_list")
class FillsTheList(Minispore):
    """An empty list that stands for the built-in one."""

    def _converted(self, network, how):
        return ms.amp.custom_mixed_precision(network, white_list=how["white_list"] or [ms.nn.Dense])


class Stepping(Minispore):
    """A training step after which the state is changed."""

    def _stepped(self, step, event, number):
        before = {path: p.asnumpy().copy() for path, p in step.parameters_and_names()}
        found = super()._stepped(step, event, number)
        self.after(step, before, found)
        return found


@wrong("skipped_step", "data")
class MovesBatchNorm(Stepping):
    """A skipped step that moves BatchNorm's statistics."""

    def after(self, step, before, found):
        for path, parameter in step.parameters_and_names():
            if found["overflow"] and path.endswith("moving_mean"):
                parameter.set_data(ms.Tensor(parameter.asnumpy() * 0.9 + 0.1))


@wrong("skipped_step", "gradient")
class CountsSkippedSteps(Stepping):
    """An optimizer that counts the steps that are skipped."""

    def after(self, step, before, found):
        if found["overflow"]:
            step.optimizer.global_step.set_data(step.optimizer.global_step + 1)


@wrong("step_sees_overflow", "gradient")
class LooksAtTheLoss(Stepping):
    """A step that looks for overflow in the loss alone."""

    def after(self, step, before, found):
        found["overflow"] = not np.isfinite(found["loss"]).all()


@wrong("step_follows_the_scale", "forward")
class ScalesLate(Stepping):
    """A step that reports the scale of the step before."""

    def after(self, step, before, found):
        found["scale"] = float(before["scale_sense"])


class Loading(Minispore):
    """A resumed step of which something is not restored."""

    def _resumed(self, step, *how):
        fresh = super()._resumed(step, *how)
        self.forget(fresh)
        return fresh


@wrong("resume")
class ForgetsMoments(Loading):
    """A checkpoint without the optimizer's state."""

    def forget(self, fresh):
        for name, parameter in fresh.parameters_and_names():
            if any(word in name for word in ("moment", "accum", "stat", "ms", "stats")):
                parameter.set_data(parameter * 0)


@wrong("checkpoint")
class ForgetsTheScale(Loading):
    """A checkpoint without the loss scale."""

    def forget(self, fresh):
        fresh.scale_sense.set_data(ms.Tensor(np.full(fresh.scale_sense.shape, 2.0**20, np.float32)))


@wrong("rewritten_network")
class LosesASign(Minispore):
    """A rewrite that loses the sign before brackets."""

    def rewrite(self, source, inputs, times):
        before, _ = super().rewrite(source, inputs, times)
        return [before, super().rewrite(source.replace("y = -x", "y = x"), inputs, times)[1]]


@wrong("optimizer_formula", "Adam")
class CorrectsNoBias(Minispore):
    """An Adam without the correction of its moments' bias."""

    def descend(self, optimizer, start, gradients):
        w, m, v, values = start.astype(np.float64), 0.0, 0.0, []
        for g in gradients:
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            w = w - 0.01 * m / (np.sqrt(v) + 1e-8)
            values.append(w.astype(np.float32))
        return values


@wrong("loss_formula", "MSELoss")
class AddsUp(Minispore):
    """A mean that is a sum."""

    def compute(self, call, inputs):
        return [y * 2 for y in super().compute(call, inputs)]


@wrong("low_bit_codes", "e2m1", says="float4_e2m1fn: ")
class RoundsTiesAway(Minispore):
    """A format whose ties go away from zero."""

    def rounded(self, format, numbers):
        return formats.decode(formats.encode(numbers, format, rounding="away"), format)


@wrong("low_bit_codes", "e5m2fnuz", says="float8_e5m2fnuz: ")
class RoundsByWayOfAnother(Minispore):
    """A format of few bits that numbers reach by way of another."""

    def rounded(self, format, numbers):
        return super().rounded(format, super().rounded("float8_e4m3fn", numbers))


@wrong("low_bit_error", "e4m3/1x32/rceil", says="e4m3/1x32/rceil/even of 1 x 1: ")
class HasNoScale(Minispore):
    """A matrix that is rounded without a scale."""

    def quantized(self, operand, matrix):
        return self.rounded("float8_e4m3fn", matrix)


@wrong("low_bit_locality", "e2m1/1x32/rceil", says=": another number at (")
class HasOneScale(Minispore):
    """A matrix with one scale for all."""

    def quantized(self, operand, matrix):
        return super().quantized("e2m1/1x4096/rceil/even", matrix)


@wrong("low_bit_round_trip", "e4m3fn", says="float8_e4m3fn: the value of the code")
class ForgetsSigns(Minispore):
    """A format that forgets signs."""

    def encoded(self, format, numbers):
        return super().encoded(format, np.abs(numbers))


@wrong("low_bit_chance", "e2m1", says="float4_e2m1fn: the mean of")
class RoundsUpTooRarely(Minispore):
    """Rounding by chance with a bit that is never set."""

    def rounded_by(self, format, numbers, bits, count):
        return super().rounded_by(format, numbers, bits // 2, count)


@wrong("low_bit_keys", "e2m1/1x32", says="the operand 2 of a step is drawn as the first")
class UsesAKeyTwice(Minispore):
    """One key for all operands of a step."""

    def quantized_by_chance(self, operand, matrix, times, seed):
        return super().quantized_by_chance(operand, matrix, 1, seed) * times


@wrong("low_bit_products", "mxfp8", says="1 x 1 x 1: ")
class IsAHundredthTooSmall(Minispore):
    """A product that is a hundredth too small."""

    def low_bit_product(self, kind, first, second, a, b):
        return super().low_bit_product(kind, first, second, a, b) * np.float32(0.99)


@wrong("low_bit_axes", "mxfp4", says="fprop of permuted rows is not the permuted fprop")
class SortsRows(Minispore):
    """A product whose rows come in an order of their own."""

    def low_bit_product(self, kind, first, second, a, b):
        return np.sort(super().low_bit_product(kind, first, second, a, b), 0)


@wrong("low_bit_infinity", "mxfp8", says="gives finite numbers in its row of the product")
class HidesAnInfinity(Minispore):
    """A product that makes infinities finite."""

    def low_bit_product(self, kind, first, second, a, b):
        return np.nan_to_num(super().low_bit_product(kind, first, second, a, b))


@wrong("low_bit_hadamard", says="the matrix of the transform is not orthogonal")
class ForgetsTheQuarter(Minispore):
    """A transform that is not divided by 4."""

    def hadamard(self, matrix):
        return super().hadamard(matrix) * 4


@wrong("delayed_scale", "e4m3/tensor/delayed(0,4,max)", says=": after [")
class IsAStepLate(Minispore):
    """A delayed scale that comes a step late."""

    def delayed_scales(self, operand, amaxes):
        return [1.0, *super().delayed_scales(operand, amaxes)[:-1]]


@wrong("low_bit_powers", "e4m3/1x32/rceil", says="it is not that multiple")
class AddsALittle(Minispore):
    """A least number that is added."""

    def quantized(self, operand, matrix):
        return super().quantized(operand, matrix) + np.float32(2.0**-30)


@wrong("low_bit_clipping", "e4m3/1x32/rceil", says="the largest of its tile, is off by")
class ClipsTheTop(Minispore):
    """A tile whose top quarter is clipped."""

    def quantized(self, operand, matrix):
        return np.clip(matrix, *np.float32([-0.75, 0.75]) * np.abs(matrix).max())


@wrong("low_bit_turned", "e4m3/1x32/rceil", says="along axis 0 it is not the transposed")
class KnowsOneAxis(Minispore):
    """A matrix that is always quantized along its rows."""

    def quantized_along(self, operand, matrix, axis):
        return super().quantized_along(operand, matrix, 1)


@wrong("low_bit_zeros", "e4m3/1x32/rceil", says="columns of zeros it is another matrix")
class ScalesByItsShape(Minispore):
    """A scale that depends on the matrix's shape."""

    def quantized(self, operand, matrix):
        return super().quantized(operand, matrix) * np.float32(matrix.size)


@wrong("low_bit_not_finite", "e4m3/1x32/rceil", says="inf at (0, 0) becomes")
class HidesAnInfiniteNumber(Minispore):
    """A matrix in which infinities become finite."""

    def quantized(self, operand, matrix):
        return np.nan_to_num(super().quantized(operand, matrix))


@wrong("low_bit_state", "current_fp8", says="without what stands between the steps other are ['events']")
class CountsEvents(Minispore):
    """A state that counts evaluations, too."""

    def low_bit_state(self, *, events, **more):
        return {**super().low_bit_state(events=events, **more), "events": np.array(len(events))}


@wrong("low_bit_modes", "current_fp8", says="other are ['way']")
class KnowsItsWay(Minispore):
    """A state that depends on the mode."""

    def low_bit_state(self, *, way, **more):
        return {**super().low_bit_state(way=way, **more), "way": np.array(way)}


@wrong("low_bit_absent", "current_fp8", says="without the recipe other are ['recipe']")
class KnowsItsRecipe(Minispore):
    """A state that holds a recipe which no cell takes."""

    def low_bit_state(self, *, recipe, **more):
        return {**super().low_bit_state(recipe=recipe, **more), "recipe": np.array(recipe)}


def test_there_are_at_least_twenty():
    assert len({what for what, *_ in WRONG}) >= 20


@pytest.mark.parametrize(("law", "only", "says", "kind"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_it_is_caught_by_a_small_counterexample_that_can_be_pasted(law, only, says, kind):
    assert_caught(law, only, says, kind)
