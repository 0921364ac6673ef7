"""The nodes of a network before and after O1, a line each: what O1 has put in stands out."""

from canvas import save_both

import minispore as ms
from minispore import amp, nn, ops
from minispore.amp.policy.white_pass import cast_listed_nodes, remove_cancelling_casts
from minispore.rewrite import SymbolTree

ROW, WIDTH, GAP = 34, 420, 40
TITLE = "The lines of a network's construct before and after O1: three calls in float16, and the casts that O1 put in"


class Net(nn.Cell):
    """The network of chapter 11."""

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.relu = nn.Dense(4, 8), nn.LayerNorm((8,)), nn.ReLU()
        self.middle = nn.Dense(8, 8)
        self.matmul, self.table = ops.MatMul(), ms.Parameter(ops.ones((8, 2)), name="table")

    def construct(self, x):
        x = self.relu(self.norm(self.first(x)))
        x = self.middle(x)
        return self.matmul(x, self.table)


def lines_of(tree):
    """The lines of the generated ``construct``."""
    body = tree.get_code().split("def construct(self, x):\n")[1]
    return [line.strip().replace("minispore.", "") for line in body.splitlines() if line.strip()]


def before_and_after():
    """The lines before, and the lines after, each with what it is: "listed", "cast" or "other"."""
    tree = SymbolTree.create(Net())
    before = lines_of(tree)
    cast_listed_nodes(tree, amp.get_white_list())
    remove_cancelling_casts(tree)
    return before, [(line, kind_of(line)) for line in lines_of(tree)]


def kind_of(line):
    """What a line of the generated source is."""
    if "cast_" in line:
        return "cast"
    return "listed" if any(f"self.{name}(" in line for name in ("first", "middle", "matmul")) else "other"


def callee(line):
    """What a line calls, or the line itself: by it a line is found again."""
    return line.split("= ")[-1].split("(")[0] if "(" in line else line.split(" ")[0]


def draw_line(canvas, x, y, line, kind):
    """A line of source in its box."""
    fill = {"listed": "float16", "cast": None, "other": "box"}[kind]
    canvas.box(x, y, WIDTH, 24, fill, "float16" if kind == "cast" else None)
    colour = {"listed": "on", "cast": "float16", "other": "ink"}[kind]
    canvas.text(x + 10, y + 16, line, 12, colour, mono=True)


def draw_with(before, after):
    """The function that draws both."""

    def draw(canvas):
        right, places = 20 + WIDTH + GAP, {}
        canvas.text(20, 28, "before", 15, bold=True)
        canvas.text(right, 28, "after O1", 15, bold=True)
        for row, (line, kind) in enumerate(after):
            draw_line(canvas, right, 44 + row * ROW, line, kind)
            places.setdefault(callee(line), 44 + row * ROW)
        for line in before:
            y = places[callee(line)]
            draw_line(canvas, 20, y, line, "other")
            canvas.line((24 + WIDTH, y + 12), (right - 4, y + 12), dash="3 3")
        bottom = 44 + len(after) * ROW + 20
        canvas.box(20, bottom - 12, 16, 14, "float16")
        canvas.text(42, bottom, "computes in float16", 12, "soft")
        canvas.box(190, bottom - 12, 16, 14, None, "float16")
        canvas.text(212, bottom, "a cast that O1 has put in", 12, "soft")
        canvas.box(390, bottom - 12, 16, 14, "box")
        canvas.text(412, bottom, "as before", 12, "soft")

    return draw


def main(folder):
    """Make the picture in ``folder``."""
    before, after = before_and_after()
    size = 40 + 2 * WIDTH + GAP, 44 + len(after) * ROW + 34
    save_both("symbol_tree", size, TITLE, draw_with(before, after), folder)
