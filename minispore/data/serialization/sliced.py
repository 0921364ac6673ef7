"""Checkpoints of several processes, as far as a single process has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minispore.core.errors import shown, type_error, value_error
from minispore.core.parameter import Parameter
from minispore.data.serialization.checkpoint import load_checkpoint

__all__ = ["load_distributed_checkpoint", "merge_sliced_parameter"]


def merge_sliced_parameter(sliced_parameters: Sequence[Parameter], strategy: dict[str, Any] | None = None) -> Any:
    """The slices of a Parameter joined along axis 0: a Parameter of their name.

    Args:
        sliced_parameters (list[Parameter]): The slices, in order of rank.
        strategy (dict): None. MindSpore's compiler makes such strategies. Default: None.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If there are no slices, they do not fit one another, or a strategy is given.

    Examples:
        >>> import minispore as ms
        >>> slices = [ms.Parameter([1.0, 2.0], "w"), ms.Parameter([3.0], "w")]
        >>> w = ms.train.serialization.merge_sliced_parameter(slices)
        >>> print(w.name, w.asnumpy())
        w [1. 2. 3.]
    """
    operation = "merge_sliced_parameter"
    if not isinstance(sliced_parameters, list) or not all(isinstance(x, Parameter) for x in sliced_parameters):
        raise type_error(operation, "the 'sliced_parameters' must be a list of Parameters", shown(sliced_parameters))
    if strategy is not None and not isinstance(strategy, dict):
        raise type_error(operation, "the 'strategy' must be a dict or None", shown(strategy))
    if not sliced_parameters:
        raise value_error(operation, "the 'sliced_parameters' must not be empty", "[]")
    if strategy:
        raise value_error(operation, "the 'strategy' must be None: slices are joined along axis 0", shown(strategy))
    kinds = [(x.name, x.shape[1:], x.dtype) for x in sliced_parameters]
    if any(kind != kinds[0] for kind in kinds) or not sliced_parameters[0].shape:
        raise value_error(operation, "the slices must have one name, dtype and shape but for axis 0", shown(kinds))
    first = sliced_parameters[0]
    joined = np.concatenate([x.asnumpy() for x in sliced_parameters])
    return Parameter(joined, first.name, first.requires_grad, first.layerwise_parallel)


def load_distributed_checkpoint(
    network,
    checkpoint_filenames: Sequence[str],
    predict_strategy: dict[str, Any] | None = None,
    train_strategy_filename: str | None = None,
    strict_load: bool = False,
    dec_key=None,
    dec_mode: str = "AES-GCM",
) -> None:
    """Load the checkpoint of a training in one process: ``load_checkpoint(checkpoint_filenames[0], network)``.

    Args:
        network (Cell): The network.
        checkpoint_filenames (list[str]): One file; files of several processes need a strategy.
        predict_strategy (dict): None. Default: None.
        train_strategy_filename (str): None. Default: None.
        strict_load (bool): As in ``load_checkpoint``. Default: False.
        dec_key: None. Default: None.
        dec_mode (str): Without effect. Default: "AES-GCM".

    Raises:
        TypeError: If the files are not a list or tuple of str.
        ValueError: If there is not one file, or a strategy is given.

    Examples:
        >>> import os, tempfile
        >>> import minispore as ms
        >>> file = os.path.join(tempfile.mkdtemp(), "rank_0.ckpt")
        >>> ms.save_checkpoint(ms.nn.Dense(2, 1, weight_init="ones"), file)
        >>> net = ms.nn.Dense(2, 1, weight_init="zeros")
        >>> ms.load_distributed_checkpoint(net, [file])
        >>> print(net.weight.asnumpy())
        [[1. 1.]]
    """
    operation, names = "load_distributed_checkpoint", checkpoint_filenames
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise type_error(operation, "the 'checkpoint_filenames' must be a list of str", shown(names))
    for name, given in (("predict_strategy", predict_strategy), ("train_strategy_filename", train_strategy_filename)):
        if given:
            raise value_error(operation, f"the '{name}' must be None: one process computes here", shown(given))
    if len(names) != 1:
        expected = "the 'checkpoint_filenames' must be one file: one process computes here, and merges no slices"
        raise value_error(operation, expected, f"{len(names)} files")
    load_checkpoint(names[0], network, strict_load, dec_key=dec_key, dec_mode=dec_mode)
