"""Test accuracy over five fixed seeds at each level of mixed precision, and what each level loses against O0.

    python benchmarks/accuracy.py [--net lenet5|mlp|resnet20|lstm] [--epochs N] [--graph]

LeNet-5 takes about four minutes on one core, ResNet-20 about ten for each epoch. The exit code is 1 where a level's
mean is more than 1.0 point below that of O0, or LeNet-5's, the main job's, is below 84 %.
"""

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from minispore import GRAPH_MODE, PYNATIVE_MODE, set_context
from minispore.amp.policy import levels
from minispore.tools.cli.command import prepare
from minispore.tools.cli.job import RATES, Job

SEEDS = (1, 2, 3, 4, 5)
LOWEST_MEAN, LARGEST_LOSS = {"lenet5": 84.0}, 1.0


def accuracies(job):
    """The test accuracy in percent at each level, from the job's seed."""
    found = []
    for training in prepare(job):
        training.run()
        found.append(100 * training.history.accuracies[-1])
    return found


def report(table, net):
    """Print each level's accuracies, mean and distance to O0; returns whether all is as it must be."""
    print(f"\nlevel  {'  '.join(f'seed {seed}' for seed in SEEDS)}    mean   to O0")
    means = table.mean(0)
    for level, column, mean in zip(levels.names(), table.T, means, strict=True):
        print(f"{level:5}  {'  '.join(f'{x:6.2f}' for x in column)}  {mean:6.2f}  {mean - means[0]:+6.2f}")
    return bool((means >= LOWEST_MEAN.get(net, 0)).all() and (means >= means[0] - LARGEST_LOSS).all())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--net", choices=RATES, default="lenet5")
    parser.add_argument("--epochs", type=int, default=Job.epochs)
    parser.add_argument("--graph", action="store_true", help="train in graph mode: the same numbers, sooner")
    options = parser.parse_args()
    set_context(mode=GRAPH_MODE if options.graph else PYNATIVE_MODE)
    with tempfile.TemporaryDirectory() as out:
        job = Job(net=options.net, epochs=options.epochs, lr=RATES[options.net], out=Path(out))
        table = np.array([accuracies(replace(job, seed=seed)) for seed in SEEDS])
    return 0 if report(table, options.net) else 1


if __name__ == "__main__":
    sys.exit(main())
