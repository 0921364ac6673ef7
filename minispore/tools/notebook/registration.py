"""Registration: the table of classes and their forms, for IPython's formatter of HTML."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from minispore.core.errors import type_error
from minispore.tools.advice import told_after

__all__ = ["html", "register"]

_HOME = "minispore.tools.notebook"

# Class, as module:name -> its form, as module:function of this package. A subclass has its base's form.
FORMS = {
    "minispore.core.tensor:Tensor": "tensors:of_tensor",
    "minispore.core.parameter:Parameter": "tensors:of_parameter",
    "minispore.nn.cell:Cell": "networks:of_cell",
    "minispore.nn.optim.optimizer:Optimizer": "networks:of_optimizer",
    "minispore.amp.loss_scale.update_cells:DynamicLossScaleUpdateCell": "scaling:of_update_cell",
    "minispore.amp.loss_scale.update_cells:FixedLossScaleUpdateCell": "scaling:of_update_cell",
    "minispore.amp.loss_scale.managers:LossScaleManager": "scaling:of_manager",
    "minispore.amp.loss_scale.scalers:LossScaler": "scaling:of_scaler",
    "minispore.amp.policy.receipt:Receipt": "receipts:of_receipt",
    "minispore.tools.policy_of:Policy": "receipts:of_policy",
    "minispore.tools.insight.verdict:OverflowVerdict": "watched:of_verdict",
    "minispore.tools.insight.watching:NotFiniteStep": "watched:of_step",
    "minispore.tools.insight.watching:watch": "watched:of_watch",
    "minispore.rewrite.api.symbol_tree:SymbolTree": "sources:of_tree",
    "minispore.training.train.model:Model": "runs:of_model",
    "minispore.nn.metrics.metric:Metric": "runs:of_metric",
    "minispore.data.dataset.engine.dataset:Dataset": "runs:of_dataset",
}


def _form(name):
    """A form that is loaded at its first use, so that registering costs no import."""
    module, _, function = name.partition(":")

    def form(instance):
        return getattr(importlib.import_module(f"{_HOME}.{module}"), function)(instance)

    return form


def register(shell: Any = None) -> bool:
    """Register the forms with a shell of IPython; True if there is one.

    Args:
        shell (InteractiveShell): The shell. Default: None, the one that runs, if any.

    Examples:
        >>> from minispore.tools import notebook
        >>> notebook.register()  # IPython does not run here
        False
    """
    if shell is None and "IPython" in sys.modules:
        shell = getattr(sys.modules["IPython"], "get_ipython", bool)()  # absent while IPython itself is imported
    if not shell:
        return False
    formatter = shell.display_formatter.formatters["text/html"]
    for path, form in FORMS.items():
        formatter.for_type_by_name(*path.split(":"), _form(form))
    if told_after not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", told_after)
    return True


def html(instance: Any) -> str:
    """The HTML of an instance of a class with a form, as a notebook shows it.

    Raises:
        TypeError: If no base of its class has a form.

    Examples:
        >>> import minispore as ms
        >>> from minispore.tools import notebook
        >>> "float32" in notebook.html(ms.Tensor([1.0, 2.0]))
        True
    """
    for kind in type(instance).__mro__:
        form = FORMS.get(f"{kind.__module__}:{kind.__qualname__}")
        if form is not None:
            return _form(form)(instance)
    raise type_error("notebook.html", "the instance must be of a class with a form", type(instance).__name__)
