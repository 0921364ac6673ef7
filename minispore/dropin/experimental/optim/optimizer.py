"""Optimizer: Parameters in groups, each a dict of settings that may change between steps."""

from collections.abc import Iterable

from minispore.core.checks import check_bool
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.journal import all_or_nothing
from minispore.core.parameter import Parameter
from minispore.core.running import under
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_real

__all__ = ["Optimizer"]


class Optimizer(Cell):
    """Base of optimizers with groups: ``optimizer(gradients)`` makes a step; a subclass defines ``update``.

    A group's learning rate is a Parameter, ``param_groups[i]["lr"]``: ``ops.assign`` sets it.

    Args:
        params (Iterable): Parameters, or dicts with "params" and settings of their own.
        defaults (dict): The settings of groups without their own, "lr" among them.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If there are no Parameters, one stands in two groups, or a setting is out of its range.
    """

    recordable = False  # settings are read on the host

    def __init__(self, params, defaults):
        super().__init__(auto_prefix=False)
        name = type(self).__name__
        if isinstance(params, Tensor) or not isinstance(params, Iterable):
            raise type_error(name, "the 'params' must be an iterable of Parameters or dicts", type(params).__name__)
        if not isinstance(defaults, dict):
            raise type_error(name, "the 'defaults' must be a dict", type(defaults).__name__)
        self.defaults, self.param_groups, self.parameters, self.lrs = defaults, [], [], []
        self._state = {}  # a Parameter's name -> what its updates have kept, by names
        groups = list(params)
        if not groups:
            raise value_error(name, "the 'params' must not be empty", "none")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        """Add a dict with "params" and settings; the defaults stand in for those that it lacks."""
        name, number = type(self).__name__, len(self.param_groups)
        if not isinstance(param_group, dict) or "params" not in param_group:
            raise type_error(name, "each group must be a dict with the key 'params'", shown(param_group))
        members = param_group["params"]
        members = [members] if isinstance(members, Parameter) else list(members)
        for p in members:
            if not isinstance(p, Parameter):
                raise type_error(name, "each of the 'params' must be a Parameter", type(p).__name__)
            if p.name in self._state or sum(other is p for other in members) > 1:
                raise value_error(name, "each Parameter must be given once, and have a name of its own", p.name)
        group = {**self.defaults, **param_group, "params": members}
        self.check_group(group)
        rate = group["lr"]
        if not isinstance(rate, Parameter):
            value = float(rate.asnumpy()) if isinstance(rate, Tensor) else rate
            rate = Parameter(Tensor(check_real(name, "lr", value, 0), float32), name=f"learning_rate_group_{number}")
        group["lr"], group["initial_lr"] = rate, float(rate.asnumpy())
        self.param_groups.append(group)
        self.lrs.append(rate)
        setattr(self, f"learning_rate_group_{number}", rate)
        self._state.update({p.name: {} for p in members})
        self.parameters += members

    def check_group(self, group):
        """Raise unless a group's settings are legal; a subclass checks its own too."""
        name = type(self).__name__
        check_real(name, "weight_decay", group.get("weight_decay", 0.0), 0)
        check_bool(name, "maximize", group.get("maximize", False))

    def kept(self, parameter, name):
        """The state that updates keep of a Parameter under a name: a Parameter, at first of zeros."""
        state = self._state[parameter.name]
        if name not in state:
            state[name] = Parameter(F.zeros_like(parameter), name=f"{name}.{parameter.name}")
            setattr(self, f"{name}_{list(self._state).index(parameter.name)}", state[name])
        return state[name]

    @all_or_nothing
    def __call__(self, gradients):
        """Make one step, or, if it raises, none."""
        return super().__call__(gradients)

    def construct(self, gradients):
        """One step; returns True."""
        gradients = self._checked(gradients)
        with under(tape=None):
            self.begin_step()
            start = 0
            for group in self.param_groups:
                for p, g in zip(group["params"], gradients[start : start + len(group["params"])], strict=True):
                    self.update(p, -g if group.get("maximize") else g, group)
                start += len(group["params"])
        return True

    def _checked(self, gradients):
        name = type(self).__name__
        if not isinstance(gradients, (tuple, list)):
            raise type_error(name, "the 'gradients' must be a tuple or list of Tensors", type(gradients).__name__)
        if len(gradients) != len(self.parameters):
            expected = f"there must be {len(self.parameters)} gradients, one a Parameter"
            raise value_error(name, expected, len(gradients))
        for p, g in zip(self.parameters, gradients, strict=True):
            if not isinstance(g, Tensor) or g.shape != p.shape:
                raise value_error(name, f"the gradient of '{p.name}' must be a Tensor of shape {p.shape}", shown(g))
        return gradients

    def begin_step(self):
        """Called once in each step, before the updates."""

    def update(self, parameter, gradient, group):
        """Update one Parameter; every optimizer defines it."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'update' is not defined.")

    def extend_repr(self):
        """The settings of each group, without its Parameters."""
        lines = []
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            settings = {key: value for key, value in group.items() if key not in ("params", "initial_lr")}
            settings["lr"] = float(group["lr"].asnumpy())
            lines += [f"    {key}: {settings[key]}" for key in sorted(settings)]
        return "\n".join(lines)
