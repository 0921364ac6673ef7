"""What each algorithm of boost does to the accuracy and the time of ResNet-20 on the embedded images.

    OPENBLAS_NUM_THREADS=1 python benchmarks/boost.py [--quick] [--epochs 4] [--seeds 1] [--only ROW ...] [--write PAGE]
    OPENBLAS_NUM_THREADS=1 python benchmarks/boost.py --times --results FILE --write PAGE

Every run has the same images in the same order, the same first weights and the same rates, and computes on one thread.
``--quick`` is one epoch of 640 images, too few to learn much: a try of the whole, which takes more than an hour. The
runs of two processes need mpiexec (the extra mpi), and are left out where there is none. ``--write`` puts the table
into the page, docs/reference/boost.md, whose text is in ``boost_template.md``. ``--results`` keeps the figures in a
file, from which ``--times`` takes the accuracies; it measures the times alone, of 40 steps of each row, the rows in
turn: those need a machine that does nothing else.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template

import numpy as np
from machine import described

import minispore as ms
from minispore import amp, boost, communication, nn
from minispore.dataset import embedded_fashion_mnist
from minispore.tools.cli.networks import ResNet20

BATCH, RATE, DECAY = 32, 0.02, 0.8
SAVED, COMPONENTS, ACCUMULATED, GROUPS = 40, 32, 4, 3
OFF = dict.fromkeys(boost.boost.ALGORITHMS, False)
QUICK = {"images": 640, "tested": 500, "epochs": 1}
WHOLE = {"images": 10_000, "tested": 2_000}
TIMED = {"images": 1_280, "tested": 250, "epochs": 1}


@dataclass(frozen=True)
class Row:
    """One way to train: the algorithms that are on, the level of mixed precision, and how many processes."""

    on: tuple = ()
    level: str = "O0"
    processes: int = 1


ROWS = {
    "plain": Row(),
    "gradient freeze": Row(("grad_freeze",)),
    "less BatchNorm": Row(("less_bn",)),
    "O1: both": Row(("less_bn", "grad_freeze")),
    "gradient accumulation": Row(("grad_accumulation",)),
    "dimension reduction": Row(("dim_reduce",)),
    "float16": Row(level="O3"),
    "float16, one loss scale": Row(level="O3"),
    "float16, a loss scale for each group": Row(("loss_scale_group",), "O3"),
    "two processes": Row(processes=2),
    "two processes, AdaSum": Row(("adasum",), processes=2),
}


class Grouped(ResNet20):
    """ResNet-20 in three groups, between which a manager passes the gradients on: by the stages of its channels."""

    def __init__(self, manager, width):
        super().__init__(width=width)
        self.manager = manager
        params = {name: cell.trainable_params() for name, cell in self.name_cells().items()}
        manager.loss_scale_groups = [
            [*params["conv"], *params["bn"], *params["stage1"]],
            params["stage2"],
            [*params["stage3"], *params["fc"]],
        ]

    def construct(self, x):
        x = self.manager(self.stage1(self.relu(self.bn(self.conv(x)))), 1, 2)
        x = self.stage3(self.manager(self.stage2(x), 2, 3))
        return self.manager(self.fc(self.mean(x, (2, 3))), 3, 4)


@dataclass(frozen=True)
class Plan:
    """How much is trained, and from which seed."""

    images: int
    tested: int
    epochs: int
    seed: int = 1
    width: int = 16

    def steps(self, processes):
        """The number of steps of an epoch."""
        return self.images // (BATCH * processes)

    def data(self):
        """``((images, labels), (images, labels))`` to train and to test with: float32 with mean 0, int32."""
        parts = zip(embedded_fashion_mnist(), (self.images, self.tested), strict=True)
        return [(_normal(images[:n]), labels[:n].astype(np.int32)) for (images, labels), n in parts]

    def batches(self, data, rank, processes):
        """The steps' images and labels of a process, epoch after epoch."""
        images, labels = data
        for epoch in range(self.epochs):
            order = np.random.default_rng((self.seed, epoch)).permutation(len(images))
            for step in range(self.steps(processes)):
                first = (step * processes + rank) * BATCH
                chosen = order[first : first + BATCH]
                yield ms.Tensor(images[chosen]), ms.Tensor(labels[chosen])

    def rates(self, processes):
        """The learning rate of each step."""
        steps = self.steps(processes)
        return [RATE * DECAY ** (i // steps) for i in range(self.epochs * steps)]


def _normal(images):
    return ((images[:, None] / 255.0 - 0.286) / 0.353).astype(np.float32)


def configuration(row, plan, folder):
    """The configuration dict of AutoBoost for a row."""
    few = plan.epochs * plan.steps(row.processes) < SAVED
    return {
        "boost": {"mode": "manual", **OFF, **dict.fromkeys(row.on, True)},
        "common": {"device_number": 1},
        "grad_freeze": {"total_steps": plan.epochs * plan.steps(row.processes)},
        "grad_accumulation": {"grad_accumulation_step": ACCUMULATED},
        "dim_reduce": {"weight_load_dir": str(folder), "n_components": 8 if few else COMPONENTS},
    }


def step_of(name, plan, folder):
    """The training step of a row, and the network to test."""
    row = ROWS[name]
    ms.set_seed(plan.seed)
    np.random.seed(plan.seed)  # from which gradient freeze draws
    manager = boost.GroupLossScaleManager(1024.0, []) if "loss_scale_group" in row.on else None
    net = Grouped(manager, plan.width) if manager else ResNet20(width=plan.width)
    opt = nn.Momentum(net.trainable_params(), plan.rates(row.processes), 0.9)
    made = boost.AutoBoost("O1", configuration(row, plan, folder))
    net, opt = made.network_auto_process_train(net, opt)
    if name == "float16, one loss scale":
        manager = amp.DynamicLossScaleManager(1024.0)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    boosted = "O1" if row.on else "O0"
    return amp.build_train_network(net, opt, loss, row.level, boosted, loss_scale_manager=manager), net


def trained(name, plan, folder, rank=0):
    """Test accuracy in percent, mean loss of the last tenth, mean milliseconds of a step and of the processor, skipped.

    The first step, which looks at the network, is not timed.
    """
    step, net = step_of(name, plan, folder)
    processes, (train, test) = ROWS[name].processes, plan.data()
    every = max(1, plan.epochs * plan.steps(1) // SAVED)
    losses, walls, processors, skipped = [], [], [], 0
    for i, batch in enumerate(plan.batches(train, rank, processes)):
        if name == "plain" and i % every == 0:
            ms.save_checkpoint(net, str(folder / f"{i}.ckpt"))
        wall, processor = time.perf_counter(), time.process_time()
        out = step(*batch)
        losses.append(float(out[0] if isinstance(out, tuple) else out))
        walls.append(1000 * (time.perf_counter() - wall))
        processors.append(1000 * (time.process_time() - processor))
        skipped += bool(out[1]) if isinstance(out, tuple) else 0
    last = float(np.mean(losses[-max(1, len(losses) // 10) :]))
    return accuracy(net, test), last, float(np.mean(walls[1:])), float(np.mean(processors[1:])), skipped


def accuracy(net, data):
    """The share of images in percent whose class the network tells."""
    net.set_train(False)
    images, labels = data
    told = [net(ms.Tensor(images[i : i + 250])).asnumpy().argmax(1) for i in range(0, len(images), 250)]
    return float(100 * (np.concatenate(told) == labels).mean())


def in_processes(name, plan, folder):
    """``trained`` in several processes, or None without mpiexec; what rank 0 has found."""
    beside = os.path.dirname(sys.executable)
    mpiexec = shutil.which("mpiexec", path=os.pathsep.join([beside, os.environ.get("PATH", "")]))
    if mpiexec is None:
        return None
    command = [mpiexec, "-n", str(ROWS[name].processes), sys.executable, __file__, "--rank-of", name]
    task = json.dumps({"plan": asdict(plan), "folder": str(folder)})
    job = subprocess.run([*command, "--task", task], stdout=subprocess.PIPE, text=True, check=True, timeout=7200)
    return json.loads(job.stdout.strip().split("\n")[-1])


def as_rank(name, task):
    """One process of :func:`in_processes`."""
    communication.init("mpi")
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    rank = communication.get_rank()
    found = trained(name, Plan(**task["plan"]), Path(task["folder"]), rank)
    if rank == 0:
        print(json.dumps(found), flush=True)


def measured(names, plans):
    """The rows' numbers, each the mean over the plans' seeds."""
    table = {name: [] for name in names}
    for plan in plans:
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                run = trained if ROWS[name].processes == 1 else in_processes
                found = run(name, plan, Path(folder))
                if found is not None:
                    table[name].append(found)
                print(f"seed {plan.seed}  {name:38}", "no mpiexec" if found is None else _line(found), flush=True)
    return {name: np.mean(found, axis=0).tolist() for name, found in table.items() if found}


def timed_in_turn(names, plan):
    """Milliseconds of a step, and of the processor; rows of one process take turns, since a machine's speed changes."""
    alone = [name for name in names if ROWS[name].processes == 1]
    with tempfile.TemporaryDirectory() as folder:
        trained("plain", plan, Path(folder))  # which saves what dimension reduction reads
        steps = {name: step_of(name, plan, Path(folder))[0] for name in alone}
        spent = {name: [] for name in alone}
        for batch in plan.batches(plan.data()[0], 0, 1):
            for name, step in steps.items():
                before = time.perf_counter(), time.process_time()
                step(*batch)
                spent[name].append(np.subtract((time.perf_counter(), time.process_time()), before))
        times = {name: (1000 * np.mean(spent[name][1:], axis=0)).tolist() for name in alone}
        for name in names:
            if name not in alone and (found := in_processes(name, plan, Path(folder))) is not None:
                times[name] = found[2:4]
    return times


def _line(found):
    share, loss, wall, processor, skipped = found
    return (
        f"{share:6.2f} %  loss {loss:.3f}  {wall:7.1f} ms a step, {processor:.1f} of the processor  {skipped:g} skipped"
    )


def table_of(found, times=None):
    """The table of the page; ``times`` are of other runs, if they are given."""
    times = times or {name: row[2:4] for name, row in found.items()}
    plain = times["plain"]
    lines = ["| | test accuracy | last loss | a step | to plain | in processor time | skipped |", "|---|" + "---|" * 6]
    for name, (wall, processor) in times.items():
        share, loss, *_, skipped = found[name]
        told = f"{wall:.0f} ms | {wall / plain[0]:.2f} | {processor / plain[1]:.2f}"
        lines.append(f"| {name} | {share:.1f} % | {loss:.3f} | {told} | {skipped:g} |")
    return "\n".join(lines)


def page(table, plan, seeds, command, timed=False):
    """The page: the template with the table, and what was run; ``timed``: the times are of runs of their own."""
    template = Path(__file__).with_name("boost_template.md").read_text()
    many = "one seed" if seeds == 1 else f"the mean of {seeds} seeds"
    run = f"{plan.epochs} epoch{'s' * (plan.epochs > 1)} of {plan.images:,} images, tested on {plan.tested:,}; {many}"
    if plan.images < WHOLE["images"]:
        run += " (the quick form, which shows that all of it runs, and is too short to learn from)"
    times = "On a machine that does other work too, only processor time can be compared."
    if timed:
        steps = TIMED["images"] // BATCH
        times = (
            f"The times are of\nother runs (`--times`) of {steps} steps on a machine that did nothing else: the rows "
            "of one process step by step in turn,\nsince its speed changes, those of two by themselves."
        )
    on = described()
    told = f"{on['Processor']}; {on['Memory']}"
    return Template(template).substitute(table=table, run=run, command=command, machine=told, times=times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="one epoch of a few images")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=ROWS, help="these rows; dimension reduction needs 'plain' too")
    parser.add_argument("--write", type=Path, help="the page to write")
    parser.add_argument("--results", type=Path, help="a file for the figures")
    parser.add_argument("--times", action="store_true", help="measure the times, of the accuracies in --results")
    parser.add_argument("--rank-of", choices=ROWS, help=argparse.SUPPRESS)
    parser.add_argument("--task", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.times and not options.results:
        parser.error("--times needs --results")
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":  # NumPy has read it: too late to set it
        parser.error("OPENBLAS_NUM_THREADS must be 1, as in OPENBLAS_NUM_THREADS=1 python benchmarks/boost.py")
    ms.set_context(cpu_loss_scale=True, runtime_num_threads=1)
    if options.rank_of:
        return as_rank(options.rank_of, options.task)
    settings = QUICK if options.quick else {**WHOLE, "epochs": options.epochs}
    plans = [Plan(**settings, seed=seed) for seed in range(1, options.seeds + 1)]
    if options.times:
        found = json.loads(options.results.read_text())["found"]
        times = timed_in_turn(list(found), Plan(**TIMED))
    else:
        found, times = measured(options.only or list(ROWS), plans), None
    if options.results:
        options.results.write_text(json.dumps({"found": found, "timed": times}, indent=1) + "\n")
    if options.write:
        arguments = "--quick " if options.quick else f"--epochs {options.epochs} --seeds {options.seeds} "
        command = f"OPENBLAS_NUM_THREADS=1 python benchmarks/boost.py {arguments}--write docs/reference/boost.md"
        options.write.write_text(page(table_of(found, times), plans[0], options.seeds, command, options.times))
    return None


if __name__ == "__main__":
    main()
