"""The picture of ``minispore train``: skipped steps are marked, and a line says why the scale stands where it does."""

import pytest

from minispore.tools.cli.history import History
from minispore.tools.cli.plot import draw, settling
from minispore.tools.cli.report import Result


def result_of(scales, overflows, level="O2", ends=None):
    history = History([1.0] * len(scales), [float(x) for x in overflows], [float(x) for x in scales], [0.5], [1.0])
    return Result(level, {}, history, float(ends or scales[-1]))


@pytest.mark.parametrize(
    ("scales", "overflows", "line"),
    [
        ([8, 8, 8], [0, 0, 0], "O2: no step was skipped, the scale ends at 2**3"),
        ([8, 4, 2], [1, 1, 0], "O2: 2 steps skipped; the scale ends at 2**1, since 2**2 overflowed at step 2"),
        ([8, 4, 16], [1, 0, 0], "O2: 1 step skipped, the last at step 1; the scale has grown again, and ends at 2**4"),
        ([6, 6, 6], [1, 0, 1], "O2: 2 steps skipped, the last at step 3; the scale stays the same, and ends at 6"),
    ],
)
def test_why_the_scale_stands_where_it_does(scales, overflows, line):
    assert settling(result_of(scales, overflows)) == line


def test_a_skip_at_the_last_step_has_lowered_the_scale():
    line = settling(result_of([8, 8], [0, 1], ends=4))
    assert line == "O2: 1 step skipped; the scale ends at 2**2, since 2**3 overflowed at step 2"


def test_each_skipped_step_is_marked_at_its_scale(tmp_path, monkeypatch):
    figures = pytest.importorskip("matplotlib.figure")
    drawn = []
    monkeypatch.setattr(figures.Figure, "savefig", lambda self, file, **options: drawn.append(self))
    assert draw(
        [result_of([8, 4, 2, 2], [1, 1, 0, 0]), result_of([4, 4, 4, 4], [0, 0, 0, 0], "O3")], tmp_path / "c.png"
    )
    marks = {line.get_label(): line for line in drawn[0].axes[1].lines if line.get_marker() == "x"}
    assert list(marks["O2 skipped a step"].get_xdata()) == [0, 1]
    assert list(marks["O2 skipped a step"].get_ydata()) == [8, 4]
    assert drawn[0].axes[1].get_title(loc="left").splitlines() == [
        "O2: 2 steps skipped; the scale ends at 2**1, since 2**2 overflowed at step 2",
        "O3: no step was skipped, the scale ends at 2**2",
        "A skip divides the scale by 2; 2000 good steps in a row multiply it by 2.",
    ]
    assert "O3 skipped a step" not in [text.get_text() for text in drawn[0].axes[1].get_legend().get_texts()]
