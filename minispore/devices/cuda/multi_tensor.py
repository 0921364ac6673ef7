"""One launch for many Tensors: the gradients' check and unscaling, and the optimizers' steps of all Parameters.

The addresses of the Tensors go with the launch by value, as many as fit a kernel's 4 KiB of arguments. A longer list
takes a launch for each part of it.
"""

import functools
import re
from typing import NamedTuple

import numpy as np

from minispore.devices.cuda.launch import (
    THREADS,
    TYPES,
    ceil_div,
    counters_for,
    options,
    takes_or_empty,
    with_common,
)
from minispore.devices.cuda.narrow_copies import narrow_of, remember

__all__ = []

_ARGUMENTS = 3584  # bytes of a launch's arguments that the places may take
_NAMES = {**TYPES, "bool": "bool", "int32": "int", "uint32": "unsigned", "uint8": "unsigned char"}

_KINDS, _MIXED = tuple(TYPES), "Numbers"
_NUMBERS = """
struct Numbers {  // read as float, whatever their type is
  long long place;
  int kind;
  explicit __device__ Numbers(long long place) : place(place), kind(0) {}
  __device__ float operator[](int i) const {
    if (kind == 0) return ((const float*)place)[i];
    return kind == 1 ? float(((const float16*)place)[i]) : float(((const bfloat16*)place)[i]);
  }
};
"""


class Rule(NamedTuple):
    """The code for element i of each list of Tensors.

    ``tensors`` and ``numbers`` are the names, in the body, of the arrays (which the body indexes by i) and of the 0-d
    arrays; ``settings`` the names of Python's numbers, of type float. ``first`` is said once a thread, ``body`` once a
    place. ``last`` is said by each thread when its places are done. There ``results`` are 0-d arrays to write, and
    ``counters`` two numbers that are 0 before and after. ``blocks`` is the number of blocks of all launches. The lists
    of a launch have the same types; but the Tensors of the names in ``mixed``, which are only read, have any.
    """

    name: str
    tensors: tuple
    numbers: tuple
    settings: tuple
    first: str
    body: str
    results: tuple = ()
    last: str = ""
    mixed: tuple = ()


def launch(xp, rule, lists, numbers=(), settings=(), results=()):
    """Run ``rule`` for lists of contiguous arrays: each has one array for each of ``rule.tensors``.

    An array may be None if the body checks for it, as for the narrow copy of an update: it becomes a null pointer.
    """
    kinds, planned = [tuple(_NAMES[x.dtype.name] for x in given) for given in (numbers, results)], []
    for types, alike in _by_types(rule, lists).items():
        function, table, most = _compiled(xp, rule, types, *kinds)
        for at in range(0, len(alike), most):
            planned.append((function, *_table(rule, table, alike[at : at + most])))
    arguments = *numbers, *[np.float32(value) for value in settings], *results
    counters = counters_for(xp, 2) if rule.last else None
    if rule.last:
        arguments += counters, np.uint32(sum(blocks * count for _, _, (blocks, count) in planned))
    try:
        for function, places, grid in planned:
            function(grid, (THREADS,), (places, *arguments))
    except BaseException:
        if rule.last:
            counters.fill(0)  # not all of the blocks have counted themselves
        raise


def _by_types(rule, lists):
    """The lists by the types of their arrays; an array that is None has the type of another list's."""
    found, columns = {}, list(zip(*lists, strict=True))
    default = [min([_NAMES[x.dtype.name] for x in column if x is not None], default="float") for column in columns]
    for arrays in lists:
        types = tuple(
            _MIXED if name in rule.mixed else d if x is None else _NAMES[x.dtype.name]
            for name, x, d in zip(rule.tensors, arrays, default, strict=True)
        )
        found.setdefault(types, []).append(arrays)
    return found


def _table(rule, table, part):
    """The places of a launch's lists, and its grid."""
    places = np.zeros((), table)
    pointers = [[0 if x is None else x.data.ptr for x in arrays] for arrays in part]
    places["place"][:, : len(part)] = np.array(pointers).T
    sizes = [arrays[0].size for arrays in part]
    places["size"][: len(part)] = sizes
    for k, name in enumerate(rule.mixed):
        at = rule.tensors.index(name)
        places["kind"][k, : len(part)] = [_KINDS.index(arrays[at].dtype.name) for arrays in part]
    return places[()], (min(128, ceil_div(max(sizes), 4 * THREADS)), len(part))


@functools.cache
def _compiled(xp, rule, types, number_types, result_types):
    """The rule's kernel for arrays of these types, the dtype of its table, and how many lists the table holds."""
    count = max(1, len(rule.mixed))
    most = _ARGUMENTS // (8 * len(types) + 4 + count)
    fields = ("place", np.int64, (len(types), most)), ("size", np.int32, most), ("kind", np.uint8, (count, most))
    table = np.dtype(list(fields), align=True)
    places = [kind if kind == _MIXED else f"{kind}*" for kind in types]
    arrays = "\n".join(
        f"  typedef {kind} {name}_t; {place} {name} = ({place})table.place[{k}][blockIdx.y];"
        for k, (kind, place, name) in enumerate(zip(types, places, rule.tensors, strict=True))
    )
    kinds = "\n".join(f"  {name}.kind = table.kind[{k}][blockIdx.y];" for k, name in enumerate(rule.mixed))
    arguments = [f"const {kind}* {name}_" for kind, name in zip(number_types, rule.numbers, strict=True)]
    arguments += [f"float {name}" for name in rule.settings]
    arguments += [f"{kind}* {name}" for kind, name in zip(result_types, rule.results, strict=True)]
    arguments += ["unsigned* counters", "unsigned blocks"] if rule.last else []
    loads = "\n".join(f"  float {name} = float(*{name}_);" for name in rule.numbers)
    text = f"""
struct Table {{ long long place[{len(types)}][{most}]; int size[{most}]; unsigned char kind[{count}][{most}]; }};
{_NUMBERS if rule.mixed else ""}
extern "C" __global__ void {rule.name}({", ".join(["Table table", *arguments])}) {{
{arrays}
{loads}
{kinds}
  {rule.first}
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < table.size[blockIdx.y]; i += gridDim.x * blockDim.x) {{
    {rule.body}
  }}
  {rule.last}
}}
"""
    return xp.RawKernel(with_common(text), rule.name, options=options(xp)), table, most


_FINITE = Rule("all_finite", ("x",), ("all",), (), "", "if (!isfinite(float(x[i]))) *(bool*)all_ = false;")
# The block that ends last collects the answer of all threads (is any number not finite?), and goes on.
UNSCALE = Rule(
    *("unscale", ("x", "y"), ("scale",), ()),
    # the reciprocal of a scale above 2**126 is subnormal, and would be 0
    "float part = scale > 0x1p126f ? 0.25f : 1.0f, inverse = 1 / (scale * part); bool found = false;",
    "float v = x[i] * inverse * part; y[i] = v; found |= !isfinite(v);",
    ("told",),
    """if (found) counters[1] = 1;
  if (is_last(counters, blocks) && threadIdx.x == 0) {{
    bool overflow = *told = atomicExch(counters + 1, 0u) != 0;
    {more}
  }}""",
    ("x",),
)
UNSCALE_ONLY = UNSCALE._replace(last=UNSCALE.last.format(more=""))


def all_finite(xp, arrays):
    """A 0-d bool, True if all numbers of all arrays are finite; None for arrays that the kernel does not take."""
    if not takes_or_empty(*arrays):
        return None
    finite = xp.ones((), bool)
    launch(xp, _FINITE, [(x,) for x in arrays if x.size], (finite,))
    return finite


def unscaled(xp, scale, arrays, rule=UNSCALE_ONLY, numbers=(), results=()):
    """``x / scale`` for each array, in float32, and whether any is not finite; None likewise, or if all are empty.

    ``rule`` may do more at the end, with its own ``numbers`` and ``results``.
    """
    if not takes_or_empty(*arrays) or scale.dtype != np.float32 or not any(x.size for x in arrays):
        return None
    outs, overflow = [xp.empty(x.shape, np.float32) for x in arrays], xp.empty((), bool)
    lists = [pair for pair in zip(arrays, outs, strict=True) if pair[0].size]
    launch(xp, rule, lists, (scale, *numbers), (), (overflow, *results))
    return *outs, overflow


def update(xp, rule, settings, inputs, outs, numbers, results=()):
    """An optimizer's step of many Parameters: new values into ``outs``, and the narrow copies that are in use.

    The first input is the Parameter's array, the first output its successor. ``results`` are the rule's, if it has any.
    """
    copies = [_narrow_for(xp, arrays[0]) for arrays in inputs]
    rows = [(*a, *new, narrow) for a, new, narrow in zip(inputs, outs, copies, strict=True) if a[0].size]
    launch(xp, rule, rows, numbers, settings, results)
    for new, narrow in zip(outs, copies, strict=True):
        remember(new[0], narrow)


@functools.cache
def with_unscaling(rule, unscaling):
    """The rule of an update whose gradients are first unscaled by ``unscaling``, a rule made of :data:`UNSCALE`."""
    value = "float raw = __fmul_rn(__fmul_rn(g[i], inverse), part); found |= !isfinite(raw);\n    "
    return rule._replace(
        name=f"{unscaling.name}_{rule.name}",
        numbers=(*rule.numbers, *unscaling.numbers),
        first=f"{rule.first}\n  {unscaling.first}",
        body=value + re.sub(r"\bg\[i\]", "raw", rule.body),
        results=unscaling.results,
        last=unscaling.last,
        mixed=("g",),
    )


def _narrow_for(xp, before):
    """Memory for the narrow copy of a Parameter's next array; None if the present array has no narrow copy."""
    narrow = narrow_of(before)
    return None if narrow is None else xp.empty(narrow.shape, narrow.dtype)


def _with_narrow_copy(moved, rule):
    """The rule; it also writes ``moved``, the Parameter's new value, into the narrow copy, if there is one."""
    body = f"{rule.body}\n    if (narrow) narrow[i] = narrow_t({moved}[i]);"
    return rule._replace(tensors=(*rule.tensors, "narrow"), body=body)


MOMENTUM = _with_narrow_copy(
    "moved",
    Rule(
        "momentum",
        ("w", "m", "g", "moved", "grown"),
        ("lr", "momentum"),
        ("gradient_scale", "nesterov"),
        "",
        """float gradient = g[i] * gradient_scale, sum = m[i] * momentum + gradient;
    grown[i] = sum;
    moved[i] = w[i] - (nesterov ? sum * momentum + gradient : sum) * lr;""",
    ),
)
ADAM = _with_narrow_copy(
    "moved",
    Rule(
        "adam",
        ("w", "m", "v", "g", "moved", "first", "second"),
        ("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon"),
        ("nesterov",),
        "float rate = lr * sqrtf(1 - beta2_power) / (1 - beta1_power);",
        """float gradient = g[i], m1 = m[i] + (gradient - m[i]) * (1 - beta1);
    float v1 = v[i] + (gradient * gradient - v[i]) * (1 - beta2);
    first[i] = m1;
    second[i] = v1;
    moved[i] = w[i] - (nesterov ? m1 * beta1 + gradient * (1 - beta1) : m1) * rate / (sqrtf(v1) + epsilon);""",
    ),
)
SCALE = _with_narrow_copy("scaled", Rule("scale", ("w", "scaled"), ("factor",), (), "", "scaled[i] = w[i] * factor;"))
SCALE_EACH = _with_narrow_copy(
    "scaled", Rule("scale_each", ("w", "factor", "scaled"), (), (), "", "scaled[i] = w[i] * factor[i];")
)
SGD = _with_narrow_copy(
    "moved",
    Rule(
        "sgd",
        ("w", "g", "a", "stat", "moved", "grown", "begun"),
        ("lr", "momentum"),
        ("dampening", "weight_decay", "nesterov"),
        "",
        """float gradient = weight_decay ? g[i] + w[i] * weight_decay : g[i];
    float sum = a[i] * momentum + gradient * (1 - dampening * (1 - stat[i]));
    grown[i] = sum;
    moved[i] = w[i] - (nesterov ? sum * momentum + gradient : sum) * lr;
    begun[i] = 0;""",
    ),
)
ADAM_WEIGHT_DECAY = _with_narrow_copy(
    "moved",
    Rule(
        "adam_weight_decay",
        ("w", "m", "v", "g", "moved", "first", "second"),
        ("lr", "beta1", "beta2", "epsilon", "decay"),
        (),
        "",
        """float gradient = g[i], m1 = m[i] + (gradient - m[i]) * (1 - beta1);
    float v1 = v[i] + (gradient * gradient - v[i]) * (1 - beta2);
    first[i] = m1;
    second[i] = v1;
    moved[i] = w[i] - (w[i] * decay + m1 / (sqrtf(v1) + epsilon)) * lr;""",
    ),
)
