"""Record twenty steps of PyTorch's optimizers, in float64, into ``vectors/optimizer_steps_torch.npz``.

Runs with a Python that has torch: ``python -m conformance.record.optimizer_steps_torch [--out FILE]``. Of the rows of
``cases/optimizer_steps.py`` whose formula PyTorch has too, the file has the Parameters after the steps that are told.
Each Parameter is a group of its own, whose rate and weight decay are set before each step.
"""

import argparse
import math
import pathlib

import numpy as np
import torch
from conformance.cases.optimizer_steps import ROWS, STEPS, TOLD, draw, flat, key

PATH = pathlib.Path(__file__).parent.parent / "vectors" / "optimizer_steps_torch.npz"
SCHEDULES = {  # of t, the number of earlier steps
    "ExponentialDecayLR": lambda t, lr, rate, steps: lr * rate ** (t / steps),
    "CosineDecayLR": lambda t, low, high, steps: (
        low + (high - low) * (1 + math.cos(math.pi * min(t, steps) / steps)) / 2
    ),
    "PolynomialDecayLR": lambda t, lr, end, steps, power: end + (lr - end) * (1 - min(t, steps) / steps) ** power,
    "WarmUpLR": lambda t, lr, steps: lr * min(t, steps) / steps,
    "InverseDecayLR": lambda t, lr, rate, steps, stair: lr / (1 + rate * (t // steps if stair else t / steps)),
}


def number_at(described, t):
    """A described rate or weight decay after ``t`` steps."""
    if not isinstance(described, list):
        return described
    if isinstance(described[0], str) and described[0] != "tensor":
        return SCHEDULES[described[0]](t, *described[1])
    return (described[1] if described[0] == "tensor" else described)[t]


def own(made, name, what):
    """What a Parameter's group has of its own, or the optimizer's."""
    common = made["arguments"].get({"lr": "learning_rate"}.get(what, what), 0.0)
    if made["groups"] is None:  # norms are exempt from the common weight decay
        spared = what == "weight_decay" and "gamma" in name and made["name"] not in ("SGD", "FTRL")
        return 0.0 if spared else common
    return next(group.get(what, common) for group in made["groups"] if name in group.get("params", ()))


def betas(made):
    """The two betas of an Adam."""
    return made["arguments"]["beta1"], made["arguments"]["beta2"]


def optimizer_of(made, groups):
    """PyTorch's optimizer, or None where it has another formula."""
    name, a, optim = made["name"], made["arguments"], torch.optim
    if name in ("SGD", "Momentum"):
        return optim.SGD(groups, momentum=a["momentum"])
    if name in ("Adam", "AdamOffload", "LazyAdam") and not a.get("use_nesterov"):
        return optim.Adam(groups, betas=betas(made))
    if name == "RMSProp" and not any(isinstance(own(made, g["name"], "lr"), list) for g in groups):
        return root_mean_squares(made, groups)  # its momentum holds the rates
    makers = {
        "ASGD": lambda: optim.ASGD(groups, lambd=a["lambd"], alpha=a["alpha"], t0=a["t0"]),
        "AdaMax": lambda: optim.Adamax(groups, betas=betas(made)),
        "Adadelta": lambda: optim.Adadelta(groups, rho=a["rho"], eps=a["epsilon"]),
        "Adagrad": lambda: optim.Adagrad(groups, initial_accumulator_value=a["accum"], eps=0.0),
        "Rprop": lambda: optim.Rprop(groups, etas=a["etas"], step_sizes=a["step_sizes"]),
    }
    return makers[name]() if name in makers else None


def root_mean_squares(made, groups):
    """RMSprop whose mean squares begin as ones, as MindSpore's do."""
    a = made["arguments"]
    made_here = torch.optim.RMSprop(
        groups, alpha=a["decay"], eps=a["epsilon"], momentum=a["momentum"], centered=a["centered"]
    )
    for group in groups:
        p = group["params"][0]
        zeros = {name: torch.zeros_like(p) for name in ("momentum_buffer", "grad_avg")}
        made_here.state[p] = {"step": torch.tensor(0.0), "square_avg": torch.ones_like(p), **zeros}
    return made_here


def steps(made):
    """The Parameters after the steps that are told, or None."""
    parameters = {name: torch.tensor(x, dtype=torch.float64) for name, x in made["values"].items()}
    groups = [
        {"params": [p], "name": name, "lr": number_at(own(made, name, "lr"), 0)} for name, p in parameters.items()
    ]
    optimizer, told = optimizer_of(made, groups), []
    for t in range(STEPS if optimizer else 0):
        for group in optimizer.param_groups:
            p, decay = group["params"][0], number_at(own(made, group["name"], "weight_decay"), t)
            group["lr"] = number_at(own(made, group["name"], "lr"), t)
            p.grad = torch.tensor(made["gradients"][t][group["name"]], dtype=torch.float64) + decay * p
        optimizer.step()
        if t + 1 in TOLD:
            told.append(flat({name: p.numpy() for name, p in parameters.items()}))
    return np.stack(told) if told else None


def main():
    """Record everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=PATH)
    path = parser.parse_args().out
    found = {key(row): steps(draw(row)) for row in ROWS}
    out = {name: x.astype(np.float32) for name, x in found.items() if x is not None}
    np.savez_compressed(path, torch=np.array(torch.__version__), **out)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {len(out)} rows")


if __name__ == "__main__":
    main()
