"""What is taken as a difference for a reason: which rows, kinds of cases and parts of the answer, and why.

A reason is a sentence for the table in ``docs/reference/conformance.md``; those on what minispore does otherwise on
purpose have a row in ``docs/reference/quirks.md`` too.
"""

import fnmatch

NAN = "2.0.0's CPU kernels lose nan and infinities (`log(inf)` is 88.7, `max(nan, 1)` 1); here they propagate"
NAN_PLACES = "where nan stands counts as the place of the extreme, as in NumPy; 2.0.0's answer depends on the position"
NO_GRADIENT = "2.0.0 gives this input a gradient of zero, or a wrong one; the difference quotient holds minispore's"
GARBAGE = "2.0.0 hands back memory that was never written, or the wrong places"
STATISTICS = (
    "2.0.0 takes the biased variance into BatchNorm's moving variance, and leaves float16 statistics as they were"
)
FLOOR = "`-inf // a` is nan here, as in Python and NumPy; 2.0.0 gives -inf"
POLE = "the digamma function's pole at -0.0 is -inf here, as at 0.0; 2.0.0 gives inf"
NARROW = "2.0.0 rounds on the way, and loses all digits of small differences"
INTEGERS = "2.0.0 takes integers and bools, and cuts the result off; minispore refuses, or computes as for floats"
WIDENS = "2.0.0 answers in another dtype or shape than the input's; minispore keeps it"
CANCELS = "the rule takes a rounded output from 1, or x from tanh x; within 1e-5 of those terms, which cancel"
KERNEL = "2.0.0's CPU kernel computes another formula than its documentation; minispore keeps to that"
NEGATIVE_AXIS = "2.0.0 repeats along the wrong axis where the axis is counted from the back"
REASONS = {name: value for name, value in list(globals().items()) if name.isupper() and isinstance(value, str)}

# Rows (patterns), kinds of cases, parts of the answer, reason
HALVES = "float16"
DIFFERENCES = [
    ("sign|log|log2|log10|relu|relu6|fast_gelu|hardtanh|softshrink|log_softmax|clip_by_value", "edges", "out0", NAN),
    ("maximum|minimum|logaddexp2|amax|amin|max|min|max#2", "edges", "out0", NAN),
    ("exp|sgn|logsigmoid|nan_to_num|logaddexp", "edges", "out0", NAN),
    ("max|min", "edges", "out1", NAN_PLACES),
    ("argmax|argmin", "edges", "out0", NAN_PLACES),
    ("digamma", "edges", "out0", POLE),
    ("x % a", "edges", "out0", FLOOR),
    ("x % a", "*", "grad x", NO_GRADIENT),
    ("frac|reciprocal|selu|tanhshrink|sinc|abs|maximum|minimum|xlogy|x + a|x % a", "other", "out0", INTEGERS),
    ("selu|inverse|LayerNorm", "*", "grad x", NO_GRADIENT),
    ("LayerNorm|cross_entropy#2|nll_loss|nn.NLLLoss|nn.CrossEntropyLoss", "*", "grad w", NO_GRADIENT),
    (
        "binary_cross_entropy*|nn.BCE*|SoftmaxCrossEntropy*|nn.SoftmaxCrossEntropy*#2",
        "*",
        "grad y|grad w|grad v",
        NO_GRADIENT,
    ),
    ("gelu", HALVES, "out0", WIDENS),
    ("clip_by_global_norm|nn.PReLU", "*", "out?|grad x", WIDENS),
    ("Conv3DTranspose", HALVES, "grad w", WIDENS),
    ("softmax|softmin|L2Normalize|nn.Softmax2d", HALVES, "grad x", NARROW),
    ("tanhshrink|nn.Tanhshrink|binary_cross_entropy|nn.BCELoss", HALVES, "out0", NARROW),
    ("softmax|softmin|log_softmax|nn.Softm*|nn.LogSoftmax|nn.Sigmoid|nn.Tanh|sinc", "float32", "grad x", CANCELS),
    ("nn.Tanhshrink", "float32", "out0", CANCELS),
    ("tanhshrink|sinc|nn.Tanh", HALVES, "grad x", CANCELS),
    ("nn.Tanhshrink", "float32", "grad x", CANCELS),
    ("log_softmax|nn.LogSoftmax", "float32|edges", "out0", CANCELS),
    ("Mod", "*", "grad y", KERNEL),
    ("binary_cross_entropy|nn.BCELoss", "float32", "out0", KERNEL),
    ("L2Normalize", "float32", "grad x", NARROW),
    ("repeat_interleave", "*", "out0|grad x", NEGATIVE_AXIS),
    ("max_pool2d", "*", "out1|grad x", GARBAGE),
    ("BatchNorm", "*", "written ?", STATISTICS),
]

# Rows that need MindSpore's own error beside them: what is made of several operations rounds several times in float16,
# as MindSpore does; and where terms cancel (1 - out ** 2, dout - sum), the result's own size says little of its terms.
LEANS = """
    sinc celu silu tanhshrink glu softmax log_softmax softmin nan_to_num logit div subtract ReduceStd
    L2Normalize dense addmm addmv addr addbmm baddbmm conv2d conv1d conv3d ResizeBilinear mse_loss cross_entropy
    cross_entropy#2 nn.Sigmoid nn.Tanh nn.SiLU nn.Tanhshrink nn.Softmax nn.LogSoftmax nn.Softmin nn.Softmax2d
    nn.GLU nn.Dense nn.Conv1d nn.Conv2d nn.Conv3d nn.ClipByNorm nn.MSELoss nn.BCEWithLogitsLoss
    nn.CrossEntropyLoss
"""


def reason_for(key, kind, part):
    """Why a finding is no surprise, or None."""
    for rows, kinds, parts, reason in DIFFERENCES:
        if _matches(key, rows) and _matches(kind, kinds) and _matches(part, parts):
            return reason
    return None


def reasons_of(key):
    """The reasons that are given for a row, in order, each once."""
    return list(dict.fromkeys(reason for rows, *_, reason in DIFFERENCES if _matches(key, rows)))


def _matches(word, patterns):
    """Whether one of several patterns, with ``|`` between them, fits."""
    return any(fnmatch.fnmatchcase(word, pattern) for pattern in patterns.split("|"))
