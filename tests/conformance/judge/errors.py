"""How near the other conformance tests come: they are run as they are, and what they compare is watched.

A family is a title and the rows of its table: name, cases, worst error in units of the tolerance, verdict.
"""

import importlib
import re
import sys
from unittest import mock

import numpy as np

from minispore.core import seeds

# What has no arrays to compare here: bases of classes, decorators, the register of Ascend, cells for training (of which
# amp's vectors tell), stacks of the layers that are compared, and what is looked up by name.
NO_COMPARISON = """
    Primitive PrimitiveWithInfer prim_attr_register constexpr partial composite functional operations primitive
    dtype GradOperation HyperMap Map MultitypeFuncGraph Partial DType NPUAllocFloatStatus NPUClearFloatStatus
    NPUGetFloatStatus HookBackward InsertGradientOf Cell CellList SequentialCell LossBase Metric Optimizer asnumpy
    numpy from_numpy item init_data DynamicLossScaleUpdateCell FixedLossScaleUpdateCell ForwardValueAndGrad
    MicroBatchInterleaved ParameterUpdate PipelineCell SyncBatchNorm TrainOneStepCell TrainOneStepWithLossScaleCell
    WithEvalCell WithGradCell WithLossCell TransformerEncoder TransformerDecoder Fbeta get_activation get_metric_fn
    get_metrics names rearrange_inputs
"""


class Watch:
    """While it holds, ``np.testing.assert_allclose`` notes its error in units of its tolerance."""

    def __init__(self):
        self.worst, self.true = 0.0, np.testing.assert_allclose

    def __call__(self, found, expected, rtol=1e-7, atol=0.0, **told):
        """Note, and do what is meant."""
        x, y = np.asarray(found, np.float64), np.asarray(expected, np.float64)
        if x.size and x.shape == y.shape:
            with np.errstate(all="ignore"):
                units = np.abs(x - y) / (atol + rtol * np.abs(y))
            self.worst = max(self.worst, float(np.max(units, initial=0.0, where=np.isfinite(units))))
        self.true(found, expected, rtol=rtol, atol=atol, **told)

    def run(self, function, *arguments):
        """Whether a test passes."""
        seed, draws = seeds.seed.value, seeds.seed.draws
        try:
            with mock.patch.object(np.testing, "assert_allclose", self):
                function(*arguments)
        except AssertionError:
            return False
        finally:
            seeds.seed.value, seeds.seed.draws = seed, draws
        return True


def _module(name):
    """A module of tests: the one that pytest has collected, whose vectors are read already, if it has."""
    return sys.modules.get(f"tests.conformance.test_{name}") or importlib.import_module(f"conformance.test_{name}")


def _watched(measure, groups):
    """The rows of groups: ``{name: [(test, arguments), …]}``."""
    for name, runs in groups.items():
        watch = Watch()
        passed = [watch.run(test, *arguments) for test, *arguments in runs] if measure else [True]
        yield [
            f"`{name}`",
            str(len(runs)),
            f"{watch.worst:.2g}" if watch.worst else "",
            "agrees" if all(passed) else "differs",
        ]


def _grouped(pairs):
    groups = {}
    for name, run in pairs:
        groups.setdefault(name, []).append(run)
    return dict(sorted(groups.items(), key=lambda pair: pair[0].lower()))


def layers(measure):
    """Layers with Parameters and their gradients: float32 beside ``1e-5`` of the norm, float16 beside two units."""
    layer = _module("layers")
    for name, numbers in _grouped((row["layer"], n) for n, row in enumerate(layer.cases())).items():
        worst = (
            [max(_of_layer(layer, n, p) for n in numbers) for p in ("float32", "float16")] if measure else [0.0, 0.0]
        )
        digits = " / ".join(f"{value:.2g}" for value in worst) if measure else ""
        yield [f"`nn.{name}`", str(len(numbers)), digits, "agrees" if max(worst) <= 1 else "differs"]


def _of_layer(layer, number, precision):
    worst = 0.0
    for _, ours, theirs in layer.judged(number, precision, np):
        difference = np.subtract(ours, theirs, dtype=np.float64)
        if precision == "float32":
            worst = max(worst, np.linalg.norm(difference) / (1e-5 * np.linalg.norm(theirs) + 1e-30))
        else:
            worst = max(worst, np.abs(difference).max() / (2 * np.spacing(np.abs(theirs).max().astype(np.float16))))
    return float(worst)


def sequences(measure):
    """Recurrent layers and attention."""
    test = _module("sequences")
    tests = {"float32": test.test_float32_agrees_to_a_few_rounding_errors}
    tests["float16"] = test.test_float16_errs_no_more_than_mindspore_does
    keys = [key for precision in tests for key in test.keys(precision)]
    layer = {key: test.CASES[int(key.split("/")[0])]["layer"] for key in keys}
    return _watched(measure, _grouped((f"nn.{layer[key]}", (tests[key.split("/")[1]], key)) for key in keys))


def learning(measure, table, test):
    """Losses, optimizers, rates or metrics."""
    module = _module("learning")
    function = getattr(module, test)
    return _watched(
        measure, _grouped((f"nn.{row['name']}", (function, n)) for n, row in enumerate(module.table(table)))
    )


def mathematics(measure):
    """Functions of one or more Tensors at chosen points, nan and infinities among them."""
    module = _module("math")
    function = module.test_an_operation_and_its_gradients
    return _watched(measure, _grouped((row["call"], (function, n)) for n, row in enumerate(module.record()[0])))


def arrays(measure):
    """Expressions on the form of Tensors, keys, and assignments."""
    module = _module("arrays")
    function, told = module.test_it_gives_what_mindspore_gives_or_refuses_as_it_does, {}
    told = {"call": "calls", "get": "x[key]", "set": "x[key] = value"}
    return _watched(
        measure, _grouped((told.get(kind, kind), (function, kind, *rest)) for kind, *rest in module.every())
    )


def initializers(measure):
    """Distributions."""
    module = _module("initializers")
    function = module.test_an_initializer_has_mindspores_distribution
    return _watched(measure, _grouped((name, (function, n)) for n, (name, _, _) in enumerate(module.TABLE)))


def models(measure):
    """Whole networks: logits, loss and every gradient of a batch."""
    module = _module("models")
    for name in module.models.MODELS:
        worst = 0.0
        if measure:
            theirs, meta = module.record()
            found, grads = module.observe(name, meta["seed"])
            expected = theirs[name]
            parts = [module.deviation(found[p], expected[p]) / 1e-4 for p in ("eval", "train", "loss")]
            errors = module.errors_of(found, expected, grads) / np.maximum(1e-3, 3 * expected["spreads"])
            worst = float(max(*parts, errors.max()))
        yield [f"`{name}`", "1", f"{worst:.2g}" if measure else "", "agrees" if worst <= 1 else "differs"]


def training(measure):
    """Losses of locked steps and of free runs."""
    module = _module("training")
    tests = module.test_the_loss_of_every_locked_step_is_mindspores, _free(module)
    runs = (
        (f"{net} at {level}", (test, net, level)) for net in module.NETS for level in module.LEVELS for test in tests
    )
    return _watched(measure, _grouped(runs))


def _free(module):
    return module.test_twenty_free_steps_stay_within_three_times_mindspores_own_spread


def families(measure):
    """Every family of the other tests."""
    yield "Layers, with their Parameters' gradients (float32 / float16)", layers(measure)
    yield "Recurrent layers and attention", sequences(measure)
    yield "Losses", learning(measure, "loss", "test_a_loss_and_its_gradients")
    yield "Optimizers", learning(measure, "optimizer", "test_an_optimizers_steps_and_the_names_of_its_state")
    yield "Lists of learning rates", learning(measure, "list", "test_a_list_of_rates")
    yield "Schedules of learning rates", learning(measure, "schedule", "test_a_schedule_of_rates")
    yield "Metrics", learning(measure, "metric", "test_a_metric_of_three_batches")
    yield "Initializers (distributions)", initializers(measure)
    yield "Operations at chosen points", mathematics(measure)
    yield "Indexing, and operations on the form of Tensors", arrays(measure)
    yield "Models", models(measure)
    yield "Training", training(measure)


def names_of_others():
    """The names that the other tests compare."""
    texts = [" ".join(row[0] for _, rows in families(False) for row in rows)]
    texts += [row for _, _, row in _module("arrays").every()]
    return {name for text in texts for name in re.findall(r"\w+", text)}
