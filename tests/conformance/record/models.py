"""Record the models of ``models/`` under the real MindSpore into ``vectors/models.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.models [--out FILE] [--seed NUMBER] [NAME ...]``. For
each model the file has what ``judge/models.py`` observes and ``spreads``, MindSpore's gradients against its own with
every weight moved by one ulp; ``O3`` has the logits in evaluation and in training of the network in float16. ``meta``
has, as JSON, the Parameters in order and the printed network.
"""

import argparse
import json
import pathlib

import mindspore as ms
import numpy as np
from conformance import models
from conformance.judge import models as observed_models
from mindspore import amp


def record(name, seed):
    """(arrays, description) of a model."""
    network, batch = models.build(name), observed_models.batch_of(models.MODELS[name], seed)
    found, grads = observed_models.observe(ms, network, batch, seed)
    found["spreads"] = observed_models.spreads(ms, network, batch, seed, grads)
    described = observed_models.description(network)
    low, _ = observed_models.observe(ms, amp.auto_mixed_precision(models.build(name), "O3"), batch, seed)
    found["O3"] = np.stack([low["eval"], low["train"]])
    return found, described


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(models.MODELS))
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "vectors" / "models.npz"
    )
    parser.add_argument("--seed", type=int, default=1, help="1 meets no kink of a ReLU within an ulp")
    given, out = parser.parse_args(), {}
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    meta = {"mindspore": ms.__version__, "seed": given.seed, "models": {}}
    for name in given.names:
        arrays, meta["models"][name] = record(name, given.seed)
        out.update({f"{name}/{key}": array for key, array in arrays.items()})
    np.savez_compressed(given.out, meta=np.array(json.dumps(meta)), **out)
    print(f"{given.out.name}: {given.out.stat().st_size / 1e6:.2f} MB, {len(out)} arrays")


if __name__ == "__main__":
    main()
