"""Training runs: a network, an optimizer, a level, a loss scale, and the events of each step."""

from dataclasses import dataclass

from hypothesis import strategies as st

from minispore.tools.testing.strategies.networks import CLASSES, calls, expression, known_leaves, plans

__all__ = ["EVENTS", "OPTIMIZERS", "SCALES", "Run", "runs"]

POISON = '''class Poison(nn.Cell):
    """Hands its input on, times a factor; its gradient, times another."""

    def __init__(self):
        super().__init__()
        self.spoils = True
        self.forwards, self.backwards = 1.0, 1.0
        self.count = ms.Parameter(ms.Tensor(2**24 + 1, ms.int32), name="count", requires_grad=False)  # no float32

    def construct(self, x):
        return x * self.forwards

    def bprop(self, x, out, dout):
        return (dout * self.backwards,)
'''
PLACES = ("data", "forward", "gradient")
EVENTS = ("good", *PLACES, "resume")
OPTIMIZERS = {
    "SGD": "nn.SGD(params, learning_rate=0.1, momentum=0.9)",
    "Momentum": "nn.Momentum(params, learning_rate=0.1, momentum=0.9)",
    "Adam": "nn.Adam(params, learning_rate=0.01)",
    "RMSProp": "nn.RMSProp(params, learning_rate=0.01)",
    "Adagrad": "nn.Adagrad(params, learning_rate=0.01)",
    "Momentum in small steps": "nn.Momentum(params, learning_rate=0.0005, momentum=0.9, weight_decay=0.5)",
}
SCALES = ((8.0, 2, 2), (16.0, 2, 1))  # small, so that no gradient of a good step overflows in float16


@dataclass(frozen=True)
class Run:
    """A training run: ``course`` has an event for each step."""

    plan: list
    optimizer: str
    level: str
    scale: tuple
    course: tuple

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.level} {self.optimizer} {expression(self.plan)}: {' '.join(self.course)}"

    @property
    def size(self):
        """The number of calls that the network has."""
        return calls(self.plan)

    def source(self):
        """The program whose ``make()`` makes the plan's network, with a cell that spoils passing values."""
        inside = f"{expression(self.plan)[:-2]}, Poison()])"  # at the end, where no layer makes an inf finite again
        needed = [text for name, text in CLASSES.items() if f"{name}(" in inside]
        return "\n\n".join([POISON, *needed, f"def make():\n    return {inside}\n"])

    def with_course(self, course):
        """The same run with other events."""
        return Run(self.plan, self.optimizer, self.level, self.scale, tuple(course))


def runs(target, events, levels=("O0", "O1", "O2", "O3"), least=1, most=5):
    """Training runs of a target: without Dropout where it cannot go on with a stream of random numbers.

    Args:
        target (Target): The implementation to draw for.
        events (Sequence[str]): What may happen at a step.
        levels (Sequence[str]): The levels. Default: all.
        least (int): The fewest steps. Default: 1.
        most (int): The most. Default: 5.
    """
    scaled = getattr(target, "scales_losses", False)
    scales = st.sampled_from(SCALES) if scaled else st.none()
    course = st.lists(st.sampled_from(events), min_size=least, max_size=most).map(tuple)
    return st.builds(
        Run, plans(known_leaves(target)), st.sampled_from(list(OPTIMIZERS)), st.sampled_from(levels), scales, course
    )
