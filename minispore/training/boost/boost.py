"""``AutoBoost``: which algorithms of boost a training run uses, from a level and a configuration dict."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_choice, check_int, check_positive_int
from minispore.core.errors import shown, type_error, value_error
from minispore.nn.optim import SGD, Optimizer
from minispore.nn.wrap import check_cell
from minispore.ops.number_checks import check_real
from minispore.ops.object_text import of_arguments
from minispore.training.boost.base import OptimizerProcess, ParameterProcess, core_of, remade
from minispore.training.boost.grad_freeze import GradientFreeze
from minispore.training.boost.less_batch_normalization import LessBN
from minispore.training.boost.principal_components import components_for

__all__ = ["AutoBoost"]

ALGORITHMS = ("less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce", "loss_scale_group")
_LEVELS = {"O0": (), "O1": ("less_bn", "grad_freeze"), "O2": ("less_bn", "grad_freeze", "adasum")}
_MODES = ("auto", "manual", "enable_all", "disable_all")
_NAME = "AutoBoost"


def _share(argument, value):
    return check_real(_NAME, argument, value, 0, 1, below=True)


def _count(argument, value):
    return check_positive_int(_NAME, argument, value)


def _flag(argument, value):
    return check_bool(_NAME, argument, value)


def _kind(argument, value):
    return check_choice(_NAME, argument, value, (0, 1))


def _factor(argument, value):
    return check_real(_NAME, argument, value, 0)


def _path(argument, value):
    if value is not None and not isinstance(value, str):
        raise type_error(_NAME, f"the '{argument}' must be None or a str", shown(value))
    return value


def _splits(argument, value):
    if value is None:
        return None
    if not isinstance(value, (list, tuple)):
        raise type_error(_NAME, f"the '{argument}' must be None or a list of ints", shown(value))
    return [check_int(_NAME, argument, split, 0) for split in value]


# Section -> its keys: (attribute, default, check)
_SECTIONS = {
    "common": {
        "gradient_split_groups": ("gradient_groups", None, _splits),
        "device_number": ("device_number", 8, _count),
    },
    "less_bn": {"fn_flag": ("_fn_flag", True, _flag), "gc_flag": ("_gc_flag", True, _flag)},
    "grad_freeze": {
        "param_groups": ("_param_groups", 10, _count),
        "freeze_type": ("_freeze_type", 1, _kind),
        "freeze_p": ("_freeze_p", 0.7, _share),
        "total_steps": ("_total_steps", 65536, _count),
    },
    "grad_accumulation": {"grad_accumulation_step": ("grad_accumulation_step", 1, _count)},
    "dim_reduce": {
        "rho": ("rho", 0.55, _factor),
        "gamma": ("gamma", 0.9, _factor),
        "alpha": ("alpha", 0.001, _factor),
        "sigma": ("sigma", 0.4, _factor),
        "n_components": ("n_components", 32, _count),
        "pca_mat_path": ("pca_mat_path", None, _path),
        "weight_load_dir": ("weight_load_dir", None, _path),
        "timeout": ("timeout", 1800, _count),
    },
}


def _section(config, name):
    found = config.get(name, {})
    if not isinstance(found, dict):
        raise type_error(_NAME, f"the section '{name}' of the 'boost_config_dict' must be a dict", shown(found))
    return found


def _check_names(config):
    """Raise ValueError for a section or key that there is not: a misspelt one would change nothing."""
    for name in config:
        check_choice(_NAME, "boost_config_dict", name, ("boost", *_SECTIONS))
        known = ("mode", *ALGORITHMS) if name == "boost" else tuple(_SECTIONS[name])
        for key in _section(config, name):
            check_choice(_NAME, f"boost_config_dict['{name}']", key, known)


def _algorithms(level, config):
    """The algorithms in use: all, none, or the level's, as the mode says. A dict's entries come before the level's."""
    section = _section(config, "boost")
    mode = check_choice(_NAME, "mode", section.get("mode", "auto"), _MODES)
    for name in ALGORITHMS:
        check_bool(_NAME, name, section.get(name, False))
    by_mode = {"enable_all": ALGORITHMS, "disable_all": (), "auto": _LEVELS[level]}
    if mode in by_mode:
        return {name: name in by_mode[mode] for name in ALGORITHMS}
    return {name: section.get(name, name in _LEVELS[level]) for name in ALGORITHMS}


class AutoBoost:
    """The algorithms of boost for a network and its optimizer.

    ``BoostTrainOneStepCell`` follows the last AutoBoost made with a level or a configuration. ``AutoBoost()`` returns
    it.

    Args:
        level (str): "O0" for none, "O1" for less BatchNorm and gradient freeze, "O2" for these and AdaSum.
            Default: "O0".
        boost_config_dict (Union[dict, str]): Sections of keys; "" for none. "boost" has the "mode": "auto" follows the
            level; "manual" takes the bools of "less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce"
            and "loss_scale_group" before the level's; "enable_all" and "disable_all" turn all of them on or off. The
            other sections have the settings of the algorithms, with their defaults: "common"
            (gradient_split_groups=None, device_number=8), "less_bn" (fn_flag=True, gc_flag=True), "grad_freeze"
            (param_groups=10, freeze_type=1, freeze_p=0.7, total_steps=65536), "grad_accumulation"
            (grad_accumulation_step=1) and "dim_reduce" (rho=0.55, gamma=0.9, alpha=0.001, sigma=0.4, n_components=32,
            pca_mat_path=None, weight_load_dir=None, timeout=1800): the settings of ``DimReduce``, a folder of
            checkpoints of the same network, and a file for their principal components, which is read if it exists and
            written if it does not; ``set_context(op_timeout=...)`` takes the place of the timeout. Default: "".

    Raises:
        TypeError: If a value is of a wrong kind.
        ValueError: If the level, a section, a key or a value is unknown or out of range.

    Examples:
        >>> import minispore as ms
        >>> config = {"boost": {"mode": "manual", "grad_freeze": False}, "less_bn": {"fn_flag": False}}
        >>> boost = ms.boost.AutoBoost("O1", config)
        >>> [name for name, on in boost.boost_config.items() if on]
        ['less_bn']
    """

    _instance = None

    __repr__ = of_arguments

    def __new__(cls, *args, **kwargs):
        """A new one, or without arguments the one in force."""
        if not args and not kwargs and cls._instance is not None:
            return cls._instance
        return super().__new__(cls)

    def __init__(self, level: str = "O0", boost_config_dict: dict[str, Any] | str = "") -> None:
        if self is AutoBoost._instance:
            return
        config = {} if boost_config_dict == "" else boost_config_dict
        if not isinstance(config, dict):
            raise type_error(_NAME, "the 'boost_config_dict' must be a dict", shown(config))
        self.level = check_choice(_NAME, "level", level, tuple(_LEVELS))
        self.boost_config_dict = boost_config_dict
        _check_names(config)
        self.boost_config = _algorithms(level, config)
        for name, keys in _SECTIONS.items():
            given = _section(config, name)
            for key, (attribute, default, check) in keys.items():
                setattr(self, attribute, check(key, given[key]) if key in given else default)
        self._param_processer, self.pca_mat = ParameterProcess(), None
        AutoBoost._instance = self

    def network_auto_process_train(self, network, optimizer: Optimizer) -> Any:
        """``(network, optimizer)`` for training: with less BatchNorm and gradient freeze where they are on.

        Dimension reduction takes the place of these. Then the network is the same, the optimizer is SGD with the rate
        1, and ``pca_mat`` holds the principal components of its Parameters.

        Args:
            network (Cell): The network, which LessBN changes.
            optimizer (Optimizer): Its optimizer; a new one of the same settings takes its place.

        Raises:
            TypeError: If an argument is of a wrong kind.
            ValueError: If with dimension reduction the optimizer has a loss scale, or there are no checkpoints that
                fit, or too few.
        """
        name = "network_auto_process_train"
        check_cell(name, "network", network)
        if not isinstance(optimizer, Optimizer):
            raise type_error(name, "the 'optimizer' must be an Optimizer", type(optimizer).__name__)
        if self.boost_config["dim_reduce"]:
            return network, self._with_dim_reduce(optimizer)
        if self.boost_config["less_bn"]:
            network, optimizer = self._with_less_bn(network, optimizer)
        if self.boost_config["grad_freeze"]:
            freeze = GradientFreeze(self._param_groups, self._freeze_type, self._freeze_p, self._total_steps)
            network, optimizer = freeze.freeze_generate(network, optimizer)
        return network, optimizer

    def _with_dim_reduce(self, optimizer):
        core = core_of(optimizer)
        if core.loss_scale != 1:
            raise value_error(_NAME, "the optimizer's 'loss_scale' must be 1 with 'dim_reduce'", core.loss_scale)
        parameters = list(core.parameters)
        self.pca_mat = components_for(parameters, self.n_components, self.weight_load_dir, self.pca_mat_path)
        return SGD(parameters, 1.0)

    def _with_less_bn(self, network, optimizer):
        process = OptimizerProcess(optimizer)
        if self._gc_flag:
            process.add_grad_centralization(network)
        network = LessBN(network, self._fn_flag)
        parameters = network.trainable_params()
        if self.gradient_groups:
            self._param_processer.assign_parameter_group(parameters, self.gradient_groups)
        if core_of(optimizer).is_group:
            parameters = self._param_processer.generate_group_params(parameters, process.origin_params)
        return network, remade(optimizer, parameters)

    def network_auto_process_eval(self, network) -> Any:
        """The network for evaluation, with fewer BatchNorm layers if "less_bn" is on."""
        check_cell("network_auto_process_eval", "network", network)
        return LessBN(network, self._fn_flag) if self.boost_config["less_bn"] else network
