"""Twenty steps of every optimizer, with drawn arguments, groups of Parameters and schedules of rates.

A case is a number of a row: everything in it is drawn from the optimizer's name and that number, so that each framework
meets the same. :func:`steps` runs one under a framework of MindSpore's interface, passed as ``ms``.
"""

import numpy as np

STEPS = 20
TOLD = (1, 2, 3, 8, 20)  # the steps after which the Parameters are recorded
SHAPES = {"a": (2, 3), "norm.gamma": (3,), "c": (2, 4, 1, 1)}
GROUPS = ("none", "rates", "decays", "both", "decay by step")
RATES = ("constant", "list", "tensor", "schedule")

ARGUMENTS = {  # what is drawn for each optimizer: lists are choices, pairs are bounds
    "ASGD": {"lambd": (0.001, 0.3), "alpha": (0.5, 1.0), "t0": [0.0, 2.0, 7.0, 1e6]},
    "AdaFactor": {
        "beta1": [None, 0.5, 0.9],
        "decay_rate": (0.5, 0.9),
        "clip_threshold": (0.3, 1.5),
        "scale_parameter": [False],
        "relative_step": [False],
        "weight_decay": [0.0, 0.1],
    },
    "AdaMax": {"beta1": (0.5, 0.9), "beta2": (0.8, 0.99)},
    "Adadelta": {"rho": (0.5, 0.9), "epsilon": (1e-3, 1e-1)},
    "Adagrad": {"accum": (0.0, 0.5), "update_slots": [True]},
    "Adam": {"beta1": (0.5, 0.9), "beta2": (0.8, 0.99), "use_nesterov": [False, True]},
    "AdamOffload": {"beta1": (0.5, 0.9), "beta2": (0.8, 0.99)},
    "AdamWeightDecay": {"beta1": (0.5, 0.9), "beta2": (0.8, 0.99), "eps": (1e-3, 1e-1)},
    "FTRL": {"initial_accum": (0.1, 0.5), "lr_power": (-0.8, -0.3), "l2": (0.0, 0.1)},
    "LazyAdam": {"beta1": (0.5, 0.9), "beta2": (0.8, 0.99)},
    "Momentum": {"momentum": (0.0, 0.95)},
    "ProximalAdagrad": {"accum": (0.1, 0.5), "l1": (0.0, 0.1), "l2": (0.0, 0.1)},
    "RMSProp": {"decay": (0.5, 0.95), "momentum": (0.0, 0.9), "epsilon": [1e-10], "centered": [False, True]},
    "Rprop": {"etas": [(0.5, 1.2), (0.6, 1.9), (0.2, 1.05)], "step_sizes": [(1e-6, 50.0), (0.03, 0.06), (0.2, 0.3)]},
    "SGD": {"momentum": [0.0, 0.5, 0.9], "dampening": [0.0], "nesterov": [False]},
}
WITHOUT_LOSS_SCALE = ("ASGD", "AdaFactor", "AdamWeightDecay", "Rprop")


def is_taken(name, groups, rates):
    """Whether MindSpore takes such groups and rates: FTRL has one rate alone, AdaFactor one for all groups."""
    return name not in ("FTRL", "AdaFactor") or (
        groups not in ("rates", "both") and (name != "FTRL" or rates == "constant")
    )


ROWS = [(n, groups, rates) for n in ARGUMENTS for groups in GROUPS for rates in RATES if is_taken(n, groups, rates)]


def key(row):
    """The name of a row in the record."""
    return "/".join(row)


def value(rng, domain):
    """A value of a domain: of a list one entry, of a pair a number between."""
    if isinstance(domain, list):
        return domain[int(rng.integers(len(domain)))]
    return round(float(rng.uniform(*domain)), 4)


def drawn_rate(rng, kind):
    """A rate as a plain description: a number, a list, ["tensor", list] or [schedule, arguments]."""
    if kind == "constant":
        return value(rng, (0.01, 0.2))
    if kind in ("list", "tensor"):
        rates = [round(float(rate), 4) for rate in rng.uniform(0.0, 0.2, STEPS)]
        return rates if kind == "list" else ["tensor", rates]
    schedules = [
        ["ExponentialDecayLR", [0.2, value(rng, (0.3, 0.9)), 4]],
        ["CosineDecayLR", [0.01, 0.2, 15]],
        ["PolynomialDecayLR", [0.2, 0.01, 15, value(rng, (0.5, 2.0))]],
        ["WarmUpLR", [0.2, int(rng.integers(1, 15))]],
        ["InverseDecayLR", [0.2, value(rng, (0.3, 0.9)), 3, True]],
    ]
    return value(rng, schedules)


def draw(row):
    """A row as plain values: the optimizer's arguments, its groups by Parameters' names, values and gradients."""
    name, groups, rates = row
    rng = np.random.default_rng([7, *key(row).encode()])
    made = {"name": name, "arguments": {k: value(rng, domain) for k, domain in ARGUMENTS[name].items()}}
    made["arguments"]["learning_rate"] = drawn_rate(rng, rates)
    if name != "AdaFactor":  # its own is among the arguments
        made["arguments"]["weight_decay"] = value(rng, [0.0, 0.01, 0.1])
    if name not in WITHOUT_LOSS_SCALE and not (name == "SGD" and groups != "none"):  # 2.0.0 scales decays of its groups
        made["arguments"]["loss_scale"] = value(rng, [1.0, 8.0])
    made["groups"] = drawn_groups(rng, name, groups, rates)
    made["values"] = {p: rng.normal(size=shape).astype(np.float32) for p, shape in SHAPES.items()}
    made["gradients"] = [
        {p: rng.normal(size=shape).astype(np.float32) for p, shape in SHAPES.items()} for _ in range(STEPS)
    ]
    return made


def drawn_groups(rng, name, kind, rates):
    """None, or the groups: Parameters' names with what each group has of its own."""
    if kind == "none":
        return None
    first, second = {"params": ["c", "a"]}, {"params": ["norm.gamma"]}
    if kind in ("rates", "both"):
        first["lr"] = drawn_rate(rng, rates)
        second["lr"] = drawn_rate(rng, value(rng, list(RATES)))
    if kind in ("decays", "both") and name != "AdaFactor":  # MindSpore leaves a group's own out there
        first["weight_decay"] = value(rng, (0.0, 0.2))
    if kind == "decay by step" and name not in ("AdaFactor", "SGD"):  # these take none
        second["weight_decay"] = ["PolynomialDecayLR", [0.2, 0.01, 15, 1.0]]
    return [first, second, {"order_params": ["norm.gamma", "c", "a"]}] if kind == "both" else [first, second]


def made_of(ms, described):
    """What a description stands for under a framework."""
    if isinstance(described, list) and described and described[0] == "tensor":
        return ms.Tensor(np.array(described[1], np.float32))
    if isinstance(described, list) and described and isinstance(described[0], str):
        return getattr(ms.nn, described[0])(*described[1])
    return described


def built(ms, row):
    """The optimizer of a row and its Parameters by name."""
    made = draw(row)
    parameters = {p: ms.Parameter(ms.Tensor(x), name=p) for p, x in made["values"].items()}
    groups = made["groups"] and [
        {k: [parameters[p] for p in v] if k.endswith("params") else made_of(ms, v) for k, v in group.items()}
        for group in made["groups"]
    ]
    arguments = {k: made_of(ms, v) for k, v in made["arguments"].items()}
    return getattr(ms.nn, made["name"])(groups or list(parameters.values()), **arguments), parameters


def flat(arrays):
    """Arrays by names as one vector, in the names' order."""
    return np.concatenate([np.ravel(arrays[name]) for name in sorted(arrays)])


def steps(ms, row):
    """The Parameters after the steps that are told, and in the end all that the optimizer holds, by name."""
    optimizer, parameters = built(ms, row)
    scale, told = draw(row)["arguments"].get("loss_scale", 1.0), []
    for step, gradients in enumerate(draw(row)["gradients"], 1):
        optimizer(tuple(ms.Tensor(gradients[p.name] * np.float32(scale)) for p in optimizer.parameters))
        if step in TOLD:
            told.append(flat({name: p.asnumpy() for name, p in parameters.items()}))
    return np.stack(told), {name: p.asnumpy() for name, p in optimizer.parameters_dict().items()}
