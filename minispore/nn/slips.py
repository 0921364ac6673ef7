"""Common slips: names from other frameworks, and their equivalents here.

There is one table for each kind of object; for a name in none of them, the object's nearest name is suggested.
"""

import difflib

from minispore.core.errors import Sentence
from minispore.core.tensor import Tensor

__all__ = []

_GRADIENTS = "gradients come from a function: ms.value_and_grad(forward, None, net.trainable_params()), or a whole step"
_ON_GPU = 'call ms.set_context(device_target="GPU") once, which holds for everything'

SLIPS = {
    "Tensor": {
        "backward": f"{_GRADIENTS} from nn.TrainOneStepCell(net_with_loss, optimizer)",
        "grad": f"{_GRADIENTS} from nn.TrainOneStepCell(net_with_loss, optimizer)",
        "cuda": _ON_GPU,
        "cpu": "use asnumpy(), which gives a NumPy array on the host",
        "detach": "use ops.stop_gradient(x)",
        "requires_grad_": "use ms.Parameter(x), or ms.grad(function) for the gradient of an input",
        "device": 'use ms.get_context("device_target"), which holds for everything',
        "double": "use astype(ms.float64)",
        "type": "use astype(dtype)",
        "cat": "use ops.concat(tensors, axis)",
        "copy_": "use set_data(x) of a Parameter, or x[...] = y",
        "zero_": "use x[...] = 0",
    },
    "Cell": {
        "forward": "the method is called 'construct', and net(x) runs it",
        "backward": f"{_GRADIENTS} from nn.TrainOneStepCell(net_with_loss, optimizer)",
        "parameters": "use trainable_params() or get_parameters()",
        "named_parameters": "use parameters_and_names()",
        "modules": "use cells_and_names()",
        "named_modules": "use cells_and_names()",
        "children": "use cells()",
        "named_children": "use name_cells()",
        "add_module": "use insert_child_to_cell(name, cell)",
        "register_module": "use insert_child_to_cell(name, cell)",
        "register_parameter": "use insert_param_to_cell(name, parameter)",
        "register_buffer": "assign ms.Parameter(x, requires_grad=False) to an attribute",
        "state_dict": "use parameters_dict(), or ms.save_checkpoint(net, file)",
        "load_state_dict": "use ms.load_param_into_net(net, ms.load_checkpoint(file))",
        "train": "use set_train()",
        "eval": "use set_train(False)",
        "cuda": _ON_GPU,
        "cpu": 'call ms.set_context(device_target="CPU") once, which holds for everything',
        "to": "use to_float(dtype) for a type, ms.set_context(device_target=...) for a device",
        "half": "use to_float(ms.float16)",
        "zero_grad": "nothing is to be done: gradients are values that no step adds to",
        "requires_grad_": "set requires_grad of each of get_parameters()",
    },
    "Optimizer": {
        "step": "call the optimizer itself: optimizer(gradients), with those of ms.value_and_grad, or let "
        "nn.TrainOneStepCell(net_with_loss, optimizer) do it",
        "zero_grad": "nothing is to be done: gradients are values that no step adds to",
        "param_groups": "use parameters, get_lr() and get_lr_parameter(parameter)",
    },
    "argument of an optimizer": {
        "lr": "'learning_rate'",
        "betas": "'beta1' and 'beta2'",
    },
    "minispore.nn": {
        "AdamW": "the name is nn.AdamWeightDecay",
        "ConvTranspose2d": "the name is nn.Conv2dTranspose",
        "CosineAnnealingLR": "the name is nn.CosineDecayLR",
        "Linear": "the name is nn.Dense",
        "Module": "the name is nn.Cell",
        "ModuleDict": "the name is nn.CellList, or a Cell with attributes",
        "ModuleList": "the name is nn.CellList",
        "Sequential": "the name is nn.SequentialCell",
        "Parameter": "the name is ms.Parameter",
        "functional": "the name is minispore.ops",
        "init": "the name is minispore.common.initializer",
    },
}


def no_attribute(owner, name, kinds, known, instance=None):
    """An ``AttributeError`` for ``name``, with the remedy or the nearest existing name.

    Args:
        owner (str): The object without the attribute, as the sentence begins.
        name (str): The name.
        kinds (tuple[str]): The tables to search, in order.
        known (Callable): Returns the existing names.
        instance (object): The object itself. Default: None.
    """
    # Without the name: Python would append its own guess to ours
    return AttributeError(Sentence(lambda: _absent(owner, name, kinds, known())), obj=instance)


def _absent(owner, name, kinds, known):
    return f"{owner} has no attribute '{name}'.{remedy(name, kinds, known)}"


def remedy(name, kinds, known):
    """The advice for ``name``, as the end of a sentence, or ""."""
    for kind in kinds:
        if name in SLIPS.get(kind, ()):
            found = SLIPS[kind][name]
            return f" {found[0].upper()}{found[1:]}."
    return nearest(name, known)


def nearest(name, known):
    """A question that suggests the nearest of the ``known`` names; "" if no name is near."""
    public = [other for other in known if name.startswith("_") or not other.startswith("_")]
    return "".join(f" Did you mean '{found}'?" for found in closest(name, public))


def closest(name, known):
    """A list of the nearest of the ``known`` names; empty if no name is near."""
    return difflib.get_close_matches(name, known, 1)


class Missing:
    """A class attribute that acts as if missing, and raises with the remedy; a ``__getattr__`` would be slow."""

    def __init__(self, kind, name):
        self._kind, self._name = kind, name

    def __get__(self, instance, owner):
        raise no_attribute(f"The '{owner.__name__}' object", self._name, (self._kind,), tuple)


for _name in SLIPS["Tensor"]:
    setattr(Tensor, _name, Missing("Tensor", _name))
