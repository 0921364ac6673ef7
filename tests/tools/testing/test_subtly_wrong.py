"""Subtly wrong implementations, planted by someone who had not read the laws: each is caught, and the law says why."""

import re
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from support.wrong_targets import assert_caught, registered

import minispore as ms
from minispore import nn, ops
from minispore.amp.policy import white_pass
from minispore.rewrite.edit import replacing
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.targets.minispore import Minispore, restored

WRONG = []  # what is wrong, the law that catches it, the groups that it is looked for in, what it says, the class
wrong = registered(WRONG)


class Scale(Minispore):
    """A dynamic loss scale, written out."""

    def __init__(self):
        super().__init__()
        self.faces = {"scaler": "minispore"}

    def scale_course(self, face, start, factor, window, word):
        self.grown, scale, good, scales = 0, start, 0, []
        for overflow in word:
            good = 0 if overflow else good + 1
            if overflow:
                good, scale = self.skipped(good, scale), max(scale / factor, 1.0)
            elif good >= self.window(window):
                good, scale, self.grown = 0, scale * factor if scale * factor < 2.0**128 else scale, self.grown + 1
            scales.append(scale)
        return scales

    def window(self, window):
        return window

    def skipped(self, good, scale):
        return 0


@wrong("loss_scale_course", says="after '.' ")
class GrowsEarly(Scale):
    """A scale that grows one step early."""

    def window(self, window):
        return max(window - 1, 1)


@wrong("loss_scale_course", says="after 'v")
class CountsASkipAtTheFloor(Scale):
    """A scale that counts a skip at the floor as a good step."""

    def skipped(self, good, scale):
        return int(scale == 1.0)


@wrong("loss_scale_course", says="the scale is")
class TiresOfGrowing(Scale):
    """A scale whose window doubles after three growths."""

    def window(self, window):
        return window * 2 if self.grown >= 3 else window


@wrong("overflow_is_seen", says="told to be finite")
class LeavesBiasesOut(Minispore):
    """An overflow check that leaves biases out."""

    def finite(self, arrays):
        return super().finite([x for x in arrays if x.ndim != 1])


@wrong("overflow_is_seen", says="told to be finite")
class LeavesOneElementOut(Minispore):
    """An overflow check that leaves out arrays of one element."""

    def finite(self, arrays):
        return super().finite([x for x in arrays if x.size > 1])


@wrong("optimizer_formula", "Adam", says="after step 1 of Adam")
class CorrectsLate(Minispore):
    """An Adam whose correction is one step late."""

    def descend(self, optimizer, start, gradients):
        w, m, v, values = start.astype(np.float64), 0.0, 0.0, []
        for t, g in enumerate(gradients):
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            w = w - 0.01 * m / (1 - 0.9 ** (t + 2)) / (np.sqrt(v / (1 - 0.999 ** (t + 2))) + 1e-8)
            values.append(w.astype(np.float32))
        return values


@wrong("checkpoint", says="optimizer.global_step")
class ForgetsAStep(Minispore):
    """A resumed step count that is one less."""

    def _resumed(self, step, *how):
        fresh = super()._resumed(step, *how)
        fresh.optimizer.global_step.set_data(fresh.optimizer.global_step - 1)
        return fresh


@wrong("gradient", "-M", says="the difference quotient")
class SumsNotOverTheBroadcast(Minispore):
    """A gradient of a 0-d operand that is not summed over what it was broadcast to."""

    def gradient(self, call, inputs, moving, weights):
        found = super().gradient(call, inputs, moving, weights)
        count = max(np.size(w) for w in weights)
        return [g / count if g.shape == () and count else g for g in found]


@wrong("network_gradient", says="the difference quotient")
class CountsTwice(Minispore):
    """A gradient that counts a shared subexpression twice."""

    def backward(self, source, values, inputs, weights):
        found = super().backward(source, values, inputs, weights)
        return [found[0] * 2, *found[1:]] if "self.inner(self.inner(x))" in source else found


@wrong("second_gradient", "-Exp", says="the difference quotient")
class Detaches(Minispore):
    """A second gradient that is cut off."""

    def second(self, *case):
        return [g * 0 for g in super().second(*case)]


@wrong("layer_in_graph", "ELU", says="in graph mode it is")
class RoundsInGraphMode(Minispore):
    """A graph mode that rounds."""

    def in_graph(self, *case):
        return super().in_graph(*case).astype(np.float16).astype(np.float32)


@wrong("loss_formula", "MSELoss", says="the gradient of MSELoss")
class DividesAgain(Minispore):
    """A gradient of MSELoss that is divided by the batch once more."""

    def gradient(self, call, inputs, moving, weights):
        return [g / len(inputs[0]) for g in super().gradient(call, inputs, moving, weights)]


@wrong("rewritten_network", says="rewritten 1 times")
class LosesALaterUser(Minispore):
    """A rewrite that loses the later user of a value."""

    def rewrite(self, source, inputs, times):
        before, _ = super().rewrite(source, inputs, times)
        lost = source.replace("return x + y - z", "return x + y - x")
        return [before, super().rewrite(lost, inputs, times)[1]]


class Unstable(Minispore):
    """A softmax that does not subtract the largest, in a dtype."""

    def compute(self, call, inputs):
        if inputs[0].dtype != self.kind:
            return super().compute(call, inputs)
        axis = int(call.partition("(")[2].partition(")")[0])
        return [np.exp(inputs[0]) / np.exp(inputs[0]).sum(axis, keepdims=True)]


@wrong("drawn_arguments", "Softmax", says="float16 is inf times")
class UnstableInFloat16(Unstable):
    """A softmax that overflows in float16."""

    kind = np.float16


@wrong("drawn_arguments", "Softmax", says="float32 is inf times")
class UnstableInFloat32(Unstable):
    """A softmax that overflows in float32."""

    kind = np.float32


@wrong("drawn_arguments", "Gather", says="Gather(axis=")
class ClipsIndices(Minispore):
    """A gather that clips negative indices."""

    def compute(self, call, inputs):
        return super().compute(call, [inputs[0], np.maximum(inputs[1], 0)])


@wrong("rounds_to_nearest", "Add", says="the exact")
class Truncates(Minispore):
    """A float16 that truncates."""

    def compute(self, call, inputs):
        exact = inputs[0].astype(np.float64) + inputs[1]
        found = exact.astype(np.float16)
        return [np.where(np.abs(found) > np.abs(exact), np.nextafter(found, np.float16(0)), found)]


@wrong("long_sums", "ReduceSum", says="2048")
class SumsInBlocks(Minispore):
    """A float16 sum in blocks of eight."""

    def compute(self, call, inputs):
        parts = [np.add.accumulate(inputs[0][0][i : i + 8])[-1] for i in range(0, inputs[0].size, 8)]
        return [np.float16(np.sum(np.float32(parts)))]


@wrong("unscaling", says="is 0, not")
class FlushesSubnormals(Minispore):
    """An unscaling that flushes subnormal numbers."""

    def unscale(self, scale, arrays):
        found = super().unscale(scale, arrays)
        return [np.where(np.abs(x) < np.finfo(np.float32).tiny, np.float32(0), x) for x in found]


class Listing(Minispore):
    """A level by other lists than the documented ones."""

    level = "O1"

    def _converted(self, network, how):
        return self.by_lists(network) if how == self.level else super()._converted(network, how)


def without(*classes):
    return [each for each in ms.amp.get_white_list() if each not in classes]


@wrong("black_cells", "BatchNorm2d", says="O2 nn.BatchNorm2d behind float32: its output is")
class CastsBatchNorm(Listing):
    """An O2 that casts BatchNorm."""

    level = "O2"

    def by_lists(self, network):
        return ms.amp.custom_mixed_precision(network, black_list=[nn.LayerNorm])


@wrong("listed_cells", "MatMul", says="O1 ops.MatMul in a cell: it computes in float32, not in float16")
class LacksMatMul(Listing):
    """An O1 without MatMul."""

    def by_lists(self, network):
        return ms.amp.custom_mixed_precision(network, white_list=without(ops.MatMul))


@wrong("listed_cells", "Conv1d", says="O1 nn.Conv1d in a cell: it computes in float32, not in float16")
class LacksConv1d(Listing):
    """An O1 without Conv1d."""

    def by_lists(self, network):
        return ms.amp.custom_mixed_precision(network, white_list=without(nn.Conv1d))


@wrong("listed_cells", "nn.", says="it computes in float32, not in float16")
class ConvertsDenseAlone(Listing):
    """An O1 that converts nothing but Dense."""

    def by_lists(self, network):
        return ms.amp.custom_mixed_precision(network, white_list=[nn.Dense])


@wrong("training_formula", "O2", says="it is moved by")
class KeepsWeightsInFloat16(Minispore):
    """A training step whose master weights are float16."""

    def _stepped(self, step, event, number):
        found = super()._stepped(step, event, number)
        for parameter in step.network.trainable_params():
            parameter.set_data(ms.Tensor(parameter.asnumpy().astype(np.float16).astype(np.float32)))
        return found


@wrong("batch_norm_statistics", "O0", says="moving_mean is")
class SwapsTheMomentum(Minispore):
    """A BatchNorm whose momentum is the batch's share."""

    def train(self, source, *case):
        return super().train(source.replace("momentum=", "momentum=1 - "), *case)


@wrong("marked_layer", "Dense", says="marked float16, computes in float32")
class CastsTheOutputAlone(Minispore):
    """A marked layer that casts its output only."""

    def ran_in(self, source, how, inputs, probe, moved):
        with restored():
            network = self._network(source.replace(".to_float(ms.float16)", "")).set_train(False)
            return probe(lambda *xs: network(*xs).astype(ms.float16), *self._tensors(inputs))


PLANTED = len(WRONG)


@wrong("listed_cells", "LayerNorm", says="it computes in float16, not in float32")
class CastsEverything(Listing):
    """An O2 that casts all that O3 does."""

    level = "O2"

    def by_lists(self, network):
        return ms.amp.auto_mixed_precision(network, "O3")


@wrong("edited_network", "insert", says="new0")
class FeedsEveryReader(Minispore):
    """An insert after which all later users read the new node."""

    def _insert(self, tree, value, cell, reader, name):
        users = [u.get_targets()[0].value for u in self._users(tree, value) if u.get_targets()]
        super()._insert(tree, value, cell, reader, name)
        for other in users:
            self._relink(next(n for n in tree.nodes() if n.get_targets()[0].value == other), value, name)

    def _users(self, tree, value):
        return next(n for n in tree.nodes() if n.get_targets() and n.get_targets()[0].value == value).get_users()


@wrong("edited_network", "replace", says="it gives")
class KeepsTheOldCell(Minispore):
    """A replacement that is not made."""

    def _replace(self, tree, value, cell):
        pass


@wrong("edited_network", "erase", says="the users of")
class LeavesAUser(Minispore):
    """An erased node that stays among the users of what it read."""

    def edit(self, source, edits, inputs):
        outputs, users = super().edit(source, edits, inputs)
        gone = [value for kind, value, *_ in edits if kind == "erase"]
        return outputs, {value: sorted([*readers, *gone]) for value, readers in users.items()}


@wrong("network_gradient", says="the difference quotient")
class ForgetsTheBias(Minispore):
    """A network's gradient in which the first bias has none."""

    def backward(self, source, values, inputs, weights):
        found = super().backward(source, values, inputs, weights)
        return [found[0], found[1], found[2] * 0, *found[3:]]


@wrong("network_formula", says="times the allowed error")
class RoundsItsOutput(Minispore):
    """A network in float32 whose output is rounded to float16."""

    def forward(self, *case):
        return super().forward(*case).astype(np.float16).astype(np.float32)


@wrong("rewritten_twice", says="rewritten 2 times")
class LosesASignTheSecondTime(Minispore):
    """A second rewrite that loses a sign."""

    def rewrite(self, source, inputs, times):
        before, after = super().rewrite(source, inputs, times)
        lost = super().rewrite(source.replace("y = -x", "y = x"), inputs, times)[1]
        return [before, lost if times == 2 else after]


@wrong("unscaling", says="it is float16, not float32")
class LeavesFloat16(Minispore):
    """An unscaling that leaves float16 gradients in float16."""

    def unscale(self, scale, arrays):
        return [(x / scale).astype(x.dtype) for x in arrays]


@wrong("training_formula", "O0", says="it is moved by")
class ForgetsTheMomentum(Minispore):
    """A training whose optimizer has no momentum."""

    def train(self, source, optimizer, *case):
        return super().train(source, optimizer.replace("momentum=0.9", "momentum=0.0"), *case)


@wrong("loss_scale_course", says="the scale is 2, not 2.5")
class DividesWithoutARest(Scale):
    """A scale that is divided by //."""

    def scale_course(self, face, start, factor, window, word):
        return [scale // 1 for scale in super().scale_course(face, start, factor, window, word)]


@wrong("overflow_is_seen", "many", says="told to be finite")
class ChecksWholeBlocks(Minispore):
    """An overflow check of whole blocks of 1024 elements that leaves out the rest."""

    def finite(self, arrays):
        return super().finite([x.ravel()[: x.size // 1024 * 1024 or x.size] for x in arrays])


@wrong("rounds_to_nearest", "Round", says="the exact")
class RoundsHalvesAway(Minispore):
    """A Round that rounds halves away from zero."""

    def compute(self, call, inputs):
        return [np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x) for x in inputs]


@wrong("drawn_arguments", "Add", says="Add()")
class TakesTheFirstType(Minispore):
    """A sum of whole numbers in the type of the first."""

    def compute(self, call, inputs):
        return [(inputs[0] + inputs[1].astype(inputs[0].dtype)).astype(inputs[0].dtype)]


@wrong("drawn_arguments", "nn.LeakyReLU", says="nn.LeakyReLU()")
class HasAnotherDefault(Minispore):
    """A LeakyReLU whose slope is 0.01 by default."""

    def compute(self, call, inputs):
        return super().compute(call.replace("nn.LeakyReLU()", "nn.LeakyReLU(0.01)"), inputs)


@wrong("loss_formula", "weights and smoothing", says="CrossEntropyLoss")
class SmoothsWithoutWeights(Minispore):
    """A smoothed cross-entropy whose spread part leaves the weights of classes out."""

    def compute(self, call, inputs):
        plain = call.replace("weight=ms.Tensor([0.5, 1.0, 2.0], ms.float32), ", "")
        sharp = call.replace(", label_smoothing=0.1", "")
        rows = super().compute(plain, inputs)[0] - 0.9 * super().compute(plain.replace("0.1", "0.0"), inputs)[0]
        return [np.float32(0.9 * super().compute(sharp, inputs)[0] + rows)]


@wrong("optimizer_formula", "list of rates", says="SGD with a list of rates")
class BeginsTheRatesAnew(Minispore):
    """A list of rates that begins anew after its last."""

    def descend(self, optimizer, *case):
        return super().descend(optimizer.replace("[0.1, 0.05]", "[0.1, 0.05] * 9"), *case)


@wrong("optimizer_formula", "scaled gradients", says="Momentum of scaled gradients")
class DecaysBeforeItUnscales(Minispore):
    """A weight decay that is divided by the loss scale with the gradients."""

    def descend(self, optimizer, *case):
        return super().descend(optimizer.replace("weight_decay=0.1", "weight_decay=0.1 / 64"), *case)


@wrong("training_formula", "O0", says="gamma")
class DecaysNorms(Minispore):
    """A weight decay of a norm's gamma and beta too."""

    def train(self, *case):
        with mock.patch.object(nn.Optimizer, "spares_norms", False):
            return super().train(*case)


@wrong("listed_cells", "a subclass", says="computes in float16, not in float32")
class ListsClassesExactly(Minispore):
    """A black list that does not cover subclasses."""

    def ran_in(self, source, how, *case):
        made = "OwnNorm((3,)).to_float(ms.float16)" if how == "O2" else "OwnNorm((3,))"
        return super().ran_in(source.replace("OwnNorm((3,))", made), how, *case)


@wrong("listed_cells", "nn.LayerNorm", says="black_list nn.Flatten nn.LayerNorm")
class AddsToTheList(Minispore):
    """A black list of one's own that adds to the level's."""

    def _converted(self, network, how):
        own = isinstance(how, dict) and "black_list" in how
        return super()._converted(network, {"black_list": [*how["black_list"], "nn.LayerNorm"]} if own else how)


@wrong("checkpoint", says="count")
class LoadsThroughFloat32(Minispore):
    """A checkpoint whose numbers go through float32."""

    def _resumed(self, step, *how):
        fresh = super()._resumed(step, *how)
        for parameter in fresh.get_parameters():
            parameter.set_data(parameter.astype(ms.float32).astype(parameter.dtype))
        return fresh


@wrong("layer_in_graph", "Tanh", says="graph mode")
class TakesInputsForConstants(Minispore):
    """A graph mode in which the inputs of the first call are constants."""

    def _output(self, network, inputs):
        if ms.get_context("mode") == ms.PYNATIVE_MODE:
            return super()._output(network, inputs)
        if not hasattr(network, "first"):
            object.__setattr__(network, "first", super()._output(network, inputs))
        return network.first


@wrong("dropout_draws", says="two calls drop the same elements")
class DrawsOneMask(Minispore):
    """A dropout that drops the same elements at each call."""

    def compute(self, call, inputs):
        return super().compute(call, inputs)[:1] * 2


@wrong("drawn_gradient", "CumProd", says="the derivative is 0, the difference quotient")
class DividesByZero(Minispore):
    """A gradient of CumProd that is 0 where a factor is zero."""

    def gradient(self, call, inputs, *case):
        return [np.where(inputs[0] == 0, 0, g) for g in super().gradient(call, inputs, *case)]


@wrong("drawn_arguments", "Sort", says="descending=True) float32 is")
class TurnsTies(Minispore):
    """A descending order in which the last of equal elements comes first."""

    def compute(self, call, inputs):
        if "True" not in call:
            return super().compute(call, inputs)
        axis = int(call.partition("(")[2].partition(",")[0])
        return [np.flip(np.argsort(inputs[0], axis, kind="stable"), axis).astype(np.int32)]


@wrong("group_formula", "SGD", says="the Parameter of group")
class IgnoresAGroupsRate(Minispore):
    """An optimizer that takes no rate of a group's own."""

    def descend_groups(self, optimizer, *case):
        return super().descend_groups(re.sub(', "lr": [0-9.]+', "", optimizer), *case)


@wrong("vanishing_gradients", "O2", says="moves 0.weight by 0, not by")
class UnscalesInFloat16(Minispore):
    """A training step that unscales in float16."""

    def train(self, *case):
        def unscaled(step, gradients):
            inverse = 1 / step.scale_sense.astype(ms.float16)
            return tuple((g.astype(ms.float16) * inverse).astype(ms.float32) for g in gradients)

        with mock.patch.object(nn.TrainOneStepWithLossScaleCell, "unscaled", unscaled):
            return super().train(*case)


@wrong("accumulated_gradient", "GradAccumulationCell", says="the loss is")
class TakesTheMeanOfParts(Minispore):
    """A batch in parts whose losses are averaged."""

    def accumulate(self, source, summing, *case):
        loss, gradients = super().accumulate(source, summing, *case)
        parts = np.float32(summing.rpartition(", ")[2][:-1])
        return loss / parts, [g / parts for g in gradients]


@wrong("listed_cells", "OwnMatMul", says="white_list OwnMatMul OwnMatMul in a cell: it computes in float32")
class LeavesKeywordsOut(Minispore):
    """A white list that leaves out what is called by keywords."""

    def ran_in(self, source, how, *case):
        return super().ran_in(source, None if isinstance(how, dict) else how, *case)


@wrong("listed_cells", "marked", says="O2 nn.Dense marked float32 in a cell: it computes in float16, not in float32")
class LosesUsersMarks(Minispore):
    """An O2 and an O3 that the user's own marks do not count for."""

    def ran_in(self, source, how, *case):
        lost = source.replace(".to_float(ms.float32)", "") if how in ("O2", "O3") else source
        return super().ran_in(lost, how, *case)


@wrong("unlisted_calls", "O1", says="the output is float16, not float32")
class TakesCastsOut(Minispore):
    """An O1 that takes out a cast to float32 as soon as one of its readers takes float16."""

    def convert(self, *case, **more):
        with mock.patch.object(white_pass, "all", any, create=True):
            return super().convert(*case, **more)


@wrong("edited_network", "link", says="link v1 v0 last; replace v0")
class LosesLinks(Minispore):
    """A replacement after which what was linked to the old node reads its name."""

    def _replace(self, *case):
        with mock.patch.object(replacing, "link"):
            super()._replace(*case)


@wrong("jvp", "x0 * x1", says="the derivative along the directions, of output 0")
class LeavesDirectionsOut(Minispore):
    """A derivative along the first direction alone."""

    def jvp(self, call, inputs, ways):
        return super().jvp(call, inputs, [ways[0], *map(np.zeros_like, ways[1:])])


@wrong("vjp", "two outputs", says="two outputs of [], []: the derivative is")
class PullsTheFirstBack(Minispore):
    """A gradient of the first output alone."""

    def vjp(self, call, inputs, weights):
        return super().vjp(call, inputs, [weights[0], *map(np.zeros_like, weights[1:])])


@wrong("vmap", "tanh", says="out 1: output 0 has the shape")
class StacksInFront(Minispore):
    """A mapped function whose outputs are always stacked along the first axis."""

    def vmap(self, call, inputs, axes, out):
        return super().vmap(call, inputs, axes, 0)


def test_all_that_the_stranger_planted_are_here():
    assert PLANTED == 26  # of the first stranger; the other's stand behind them


def test_every_law_catches_something():
    """So that the program of each is pasted, too."""
    texts = [Path(__file__).read_text(), Path(__file__).with_name("test_wrong_implementations.py").read_text()]
    assert set(LAWS) - {name for text in texts for name in re.findall(r'@wrong\(\s*"(\w+)"', text)} == set()


@pytest.mark.parametrize(("law", "only", "says", "kind"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_it_is_caught_and_the_law_says_why(law, only, says, kind):
    assert_caught(law, only, says, kind)
