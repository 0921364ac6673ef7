"""Constructs as people rarely write them: each is rewritten, runs as before, and computes in float16 under O1."""

import itertools
import linecache
import textwrap

import numpy as np
import pytest
from support.constructs.listed_calls import NEAR, identity

import minispore as ms
from minispore import nn, ops
from minispore.amp.policy.lists import AMP_WHITE_LIST
from minispore.amp.policy.white_pass import white_tree
from minispore.rewrite import SymbolTree, check

_files = itertools.count()

# By what is odd: the methods, what stands before the class, and what stands in __init__.
CONSTRUCTS = {
    "names_that_shadow_builtins": (
        """
        def construct(self, x):
            list = self.fc(x)
            sum = list + list
            if self.k:
                len = sum
                print = len / 2
            return print, list
        """,
        "",
        "",
    ),
    "factor_that_changes_what_it_is_multiplied_by": (
        """
        def construct(self, x):
            d = {"a": self.fc(x)}
            d["a"] *= d.pop("a")
            return d["a"], 1
        """,
        "",
        "",
    ),
    "name_bound_behind_its_reading": (
        """
        def construct(self, x):
            z = x - x
            y = self.fc(x) + RELU(z) * (z := x)
            return y + (z - x), 1
        """,
        "RELU = ops.ReLU()",
        "",
    ),
    "global_prim_in_comp": (
        """
        def construct(self, x):
            return [RELU(t) for t in (x,)][0], 1
        """,
        "RELU = ops.ReLU()",
        "",
    ),
    "global_prim_in_loop": (
        """
        def construct(self, x):
            y = x
            for i in range(2):
                y = RELU(y)
            return y, 1
        """,
        "RELU = ops.ReLU()",
        "",
    ),
    "global_cell": (
        """
        def construct(self, x):
            return HEAD(x), 1
        """,
        "HEAD = identity()",
        "",
    ),
    "global_fn_taking_cell": (
        """
        def construct(self, x):
            return apply(self.fc, x), 1
        """,
        "def apply(f, x):\n    return f(x)",
        "",
    ),
    "with_tuple_target": (
        """
        def construct(self, x):
            with C() as (a, b), C() as c:
                a = self.fc(x)
            return a, b
        """,
        "class C:\n    def __enter__(self): return 1, 2\n    def __exit__(self, *a): return False",
        "",
    ),
    "starred": (
        """
        def construct(self, x, *rest):
            a, *b = self.fc(x), x, x
            self.fc(x)
            return a, b[0]
        """,
        "",
        "",
    ),
    "del": (
        """
        def construct(self, x):
            y = self.fc(x)
            del x
            return y, 1
        """,
        "",
        "",
    ),
    "import_inside": (
        """
        def construct(self, x):
            from minispore import ops as o
            return self.fc(x), o.mul(x, x)
        """,
        "",
        "",
    ),
    "walrus_in_a_comprehension": (
        """
        def construct(self, x):
            z = [w := self.fc(x), w]
            y = [last := t for t in z]
            return last, y[0]
        """,
        "",
        "",
    ),
    "try_return_finally": (
        """
        def construct(self, x):
            try:
                return self.fc(x), 1
            finally:
                self.k = 3
        """,
        "",
        "",
    ),
    "while_else_break": (
        """
        def construct(self, x):
            i = 0
            while True:
                i += 1
                if i > 2:
                    break
                x = self.fc(x)
            else:
                x = None
            return x, 1
        """,
        "",
        "",
    ),
    "while_call_in_test": (
        """
        def construct(self, x):
            i = 0
            while self.fc(x).sum() < 3 and i < 2:
                i += 1
                x = self.fc(x)
            return x, 1
        """,
        "",
        "",
    ),
    "for_attr_target": (
        """
        def construct(self, x):
            for self.k in range(2):
                x = self.fc(x)
            d = {}
            for d["a"] in range(2):
                x = self.fc(x)
            return x, d["a"]
        """,
        "",
        "",
    ),
    "nested_tuple_for": (
        """
        def construct(self, x):
            for i, (a, b) in enumerate([(self.fc, self.relu)]):
                x = b(a(x))
            return x, i
        """,
        "",
        "",
    ),
    "lambda_late": (
        """
        def construct(self, x):
            fs = []
            for layer in self.layers:
                fs.append(lambda t: layer(t))
            return fs[0](x), 1
        """,
        "",
        "",
    ),
    "ternary_chain_in_call_args": (
        """
        def construct(self, x):
            y = self.relu(self.fc(x) if self.k > 1 else self.relu(x) if self.k else x)
            return y, (self.fc if self.k else self.relu)(x)
        """,
        "",
        "",
    ),
    "exception_name_reuse": (
        """
        def construct(self, x):
            e = 1
            try:
                raise ValueError("q")
            except ValueError as e:
                y = self.fc(x), str(e)
            return y
        """,
        "",
        "",
    ),
    "global_stmt": (
        """
        def construct(self, x):
            global ZZ
            ZZ = self.fc(x)
            return ZZ, 1
        """,
        "",
        "",
    ),
    "static_method_classmethod_call": (
        """
        @staticmethod
        def sm(f, x):
            return f(x)
        def construct(self, x):
            return self.sm(self.fc, x), type(self).sm(self.relu, x)
        """,
        "",
        "",
    ),
    "dict_of_lambdas": (
        """
        def construct(self, x):
            return {"a": lambda t: self.fc(t)}["a"](x), 1
        """,
        "",
        "",
    ),
    "attr_of_self_assigned": (
        """
        def construct(self, x):
            self.cache = self.fc(x)
            self.cache += 0
            return self.cache, 1
        """,
        "",
        "",
    ),
    "subscripts_store_slices": (
        """
        def construct(self, x):
            out = [None, None]
            out[0], out[1:] = self.fc(x), [1]
            return out
        """,
        "",
        "",
    ),
    "assert_and_raise": (
        """
        def construct(self, x):
            if x.ndim != 2:
                raise ValueError(f"{x.shape!r:>10} {self.k=}")
            return self.fc(x), f"{self.k:{self.k}d}"
        """,
        "",
        "",
    ),
    "prim_from_list_var": (
        """
        def construct(self, x):
            acts = {"relu": self.relu, "fc": self.fc}
            return acts["fc"](x), acts["relu"](x)
        """,
        "",
        "",
    ),
    "functools_partial": (
        """
        def construct(self, x):
            import functools
            return functools.partial(self.fc)(x), 1
        """,
        "",
        "",
    ),
    "map": (
        """
        def construct(self, x):
            return list(map(self.fc, [x]))[0], 1
        """,
        "",
        "",
    ),
    "held_in_object": (
        """
        def construct(self, x):
            return self.box.f(x), 1
        """,
        "",
        "import types; self.box = types.SimpleNamespace(f=self.fc)",
    ),
    "partial_held": (
        """
        def construct(self, x):
            return self.p(x), 1
        """,
        "",
        "import functools; self.p = functools.partial(lambda f, t: f(t), self.fc)",
    ),
}
_TEMPLATE = """
{before}
class Odd(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.relu, self.k = identity(), ops.ReLU(), 2
        self.layers = nn.CellList([self.fc])
        {init}
"""


def network(methods, before="", init=""):
    """A network with these methods, whose source can be read."""
    text = _TEMPLATE.format(before=before, init=init) + textwrap.indent(textwrap.dedent(methods), "    ")
    filename = f"<odd construct {next(_files)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space = {"nn": nn, "ops": ops, "identity": identity, "__name__": __name__}
    exec(compile(text, filename, "exec"), space)
    return space["Odd"]()


def probe():
    return ms.Tensor(np.full((1, 1), NEAR, np.float32))


@pytest.mark.parametrize("odd", CONSTRUCTS)
def test_an_odd_construct_is_rewritten_and_converted(odd):
    net = network(*CONSTRUCTS[odd])
    expected = net(probe())[0].asnumpy()
    tree = SymbolTree.create(net)
    check(tree.get_handler())
    once = tree.get_network()
    twice = SymbolTree.create(once).get_network()
    assert once(probe())[0].asnumpy() == twice(probe())[0].asnumpy() == expected
    converted = white_tree(net, list(AMP_WHITE_LIST))
    out = converted.get_network()(probe())[0]
    assert out.dtype == ms.float32 and out.asnumpy() == 1.0
    assert net(probe())[0].asnumpy() == expected != 1.0


def test_a_construct_that_returns_nothing_returns_nothing():
    new = SymbolTree.create(network("def construct(self, x):\n    self.out = self.fc(x)")).get_network()
    assert new(probe()) is None and new.out.asnumpy() == np.float32(NEAR)


def test_a_construct_on_the_object_itself_is_refused_by_name():
    net = network("def construct(self, x):\n    return x")
    net.construct = lambda x: x
    with pytest.raises(TypeError, match="the construct of 'Odd' must belong to the class, but it is set on the object"):
        SymbolTree.create(net)


def test_a_construct_without_a_first_argument_is_refused_by_name():
    with pytest.raises(TypeError, match="the construct of 'Odd' must take the cell as its first argument"):
        SymbolTree.create(network("def construct(*args):\n    return args[1]"))


def test_a_static_construct_is_refused_by_name():
    with pytest.raises(TypeError, match="the construct of 'Odd' must be a method"):
        SymbolTree.create(network("@staticmethod\ndef construct(x):\n    return x"))


def test_a_nested_class_sees_the_cell():
    net = network("def construct(self, x):\n    class A:\n        f = self.fc\n    return A.f(x)")
    assert white_tree(net, list(AMP_WHITE_LIST)).get_network()(probe()).asnumpy() == 1.0


def test_what_a_method_calls_by_a_global_name_stays_as_it_is_and_is_noted():
    methods = "def h(self, x):\n    return RELU(x)\n\ndef construct(self, x):\n    return self.h(x)"
    net = network(methods, "RELU = ops.ReLU()")
    tree = white_tree(net, list(AMP_WHITE_LIST))
    assert tree.get_network()(probe()).asnumpy() == np.float32(NEAR)
    assert [(note.path, note.type) for note in tree.notes] == [("h", ops.ReLU)]
