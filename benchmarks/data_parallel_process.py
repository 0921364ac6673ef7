"""One process of a job of ``data_parallel.py``: ``python data_parallel_process.py TASK``, with the task as JSON.

The task names a ``framework``, the ``count`` of processes, and the ``kind`` of measurement: "step", of ResNet-20 on a
``batch`` of images in each process, whose gradients travel in so many ``buckets``, during the backward pass unless
``after`` is true, or "reduce", of sums of ``sizes`` numbers. The first process prints a line of JSON.
"""

import importlib
import json
import os
import sys
import time
from statistics import median

WARM_UP = 3
PARAMETERS = 65  # of ResNet-20


def ends_of(buckets):
    """The numbers of the last Parameters of all buckets but the last one."""
    return [PARAMETERS * (i + 1) // buckets - 1 for i in range(buckets - 1)]


def minispore_job(task):
    """The step, the number of this process, and what ends the job."""
    import minispore as ms

    rank = 0
    if task["count"] > 1:
        ms.communication.init("mpi")
        rank, buckets = ms.communication.get_rank(), task.get("buckets", 1)
        fusion = {"mode": "index", "config": ends_of(buckets)} if buckets > 1 else {"mode": "size", "config": 1024}
        ms.set_auto_parallel_context(
            parallel_mode="data_parallel", gradients_mean=True, comm_fusion={"allreduce": fusion}
        )
    if task["kind"] == "reduce":
        return ms, rank, None, ms.communication.release
    ms.set_context(mode=ms.GRAPH_MODE if task.get("graph") else ms.PYNATIVE_MODE)
    if task.get("after"):  # as where a user reduces the gradients: once all of them are there
        ms.nn.wrap.TrainOneStepCell._reduces_meanwhile = lambda self, reducer: False
    step = importlib.import_module("workloads.resnet20").cells(ms, task["batch"])
    return ms, rank, step, ms.communication.release if task["count"] > 1 else lambda: None


def torch_job(task):
    import torch

    torch.set_num_threads(1)
    rank, wrapped = int(os.environ.get("RANK", "0")), lambda net: net
    if task["count"] > 1:
        torch.distributed.init_process_group(
            "gloo", init_method=f"file://{task['meeting']}", rank=rank, world_size=task["count"]
        )
        wrapped = torch.nn.parallel.DistributedDataParallel
    step = importlib.import_module("workloads.resnet20").torch(torch, task["batch"], wrapped)
    return torch, rank, step, torch.distributed.destroy_process_group if task["count"] > 1 else lambda: None


def milliseconds(function, times):
    """How long each of some calls takes, after the first ones: the median and the least."""
    for _ in range(WARM_UP):
        function()
    found = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        found.append((time.perf_counter() - start) * 1e3)
    return {"ms": median(found), "least_ms": min(found)}


def reductions(sizes, times):
    """What a sum over all processes takes, agreement apart, for each size."""
    import numpy as np

    from minispore.parallel.communication import world

    group = world.world()
    arrays = {size: np.ones(size, np.float32) for size in sizes}
    found = {size: milliseconds(lambda x=x: group.start_sum("sum", x)(), times) for size, x in arrays.items()}
    agreement = milliseconds(lambda: group.barrier("agreement"), times)
    return {"sums": [[4 * size, each["ms"]] for size, each in found.items()], "agreement": agreement["ms"]}


def main():
    task = json.loads(sys.argv[1])
    module, rank, step, end = {"minispore": minispore_job, "torch": torch_job}[task["framework"]](task)
    found = milliseconds(step, task["times"]) if step else reductions(task["sizes"], task["times"])
    if rank == 0:
        print(json.dumps({**found, "version": str(module.__version__)}), flush=True)
    end()


if __name__ == "__main__":
    main()
