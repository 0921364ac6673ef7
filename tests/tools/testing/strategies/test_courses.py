"""Training runs: a network, an optimizer, a level, a loss scale, and the events of each step."""

from minispore.tools.testing.strategies.courses import Run


def test_a_run_counts_the_calls_of_its_network():
    assert Run(["relu", ("sum", ["dense", "tanh"])], "SGD", "O2", None, ("good",)).size == 5
