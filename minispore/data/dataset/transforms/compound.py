"""Transforms of transforms: one after the other, with a probability, one of several, or in random order."""

from __future__ import annotations

from typing import Any

from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import PyTensorOperation, TensorOperation, is_pil, name_of
from minispore.ops.number_checks import check_real

__all__ = ["Compose", "RandomApply", "RandomChoice", "RandomOrder"]


def checked_transforms(operation, transforms):
    """``transforms``, a list of callables that is not empty."""
    if not isinstance(transforms, list):
        raise type_error(operation, "the 'transforms' must be a list", shown(transforms))
    if not transforms:
        raise value_error(operation, "the 'transforms' must have at least one transform", "an empty list")
    for i, transform in enumerate(transforms):
        if not callable(transform):
            raise type_error(operation, f"transforms[{i}] must be a transform or a function", shown(transform))
    return transforms


def apply_in_order(operation, transforms, columns):
    """Apply the transforms to the columns, one after the other: one column alone, several as a tuple."""
    if not columns:
        raise runtime_error(operation, "there must be at least one input column", "0")
    for transform in transforms:
        found = transform(*columns)
        columns = found if isinstance(found, tuple) else (found,)
    return columns[0] if len(columns) == 1 else tuple(columns)


class CompoundOperation(TensorOperation, PyTensorOperation):
    """Base of the transforms of a list of transforms."""

    def __init__(self, transforms) -> None:
        self.transforms = checked_transforms(name_of(self), transforms)

    def __call__(self, *columns) -> Any:
        return apply_in_order(name_of(self), self._chosen(), columns)

    def _chosen(self):
        """The transforms to apply this time, in order."""
        raise NotImplementedError


class Compose(CompoundOperation):
    """``transforms[-1](... transforms[1](transforms[0](x)))``: each takes the columns that the one before returns.

    Shapes and dtypes are those that the transforms take and give. With an image of PIL's, as the input or the result,
    a call returns a tuple of one, as MindSpore's does.

    Args:
        transforms (list): Transforms and functions, at least one.

    Raises:
        TypeError: If ``transforms`` is not a list of callables.
        ValueError: If it is empty.

    Examples:
        >>> from minispore.dataset.transforms import Compose
        >>> import numpy as np
        >>> Compose([lambda x: x + 1, lambda x: x * 2])(np.array([1, 2]))
        array([4, 6])
    """

    def __call__(self, *columns) -> Any:
        found = super().__call__(*columns)
        is_alone = not isinstance(found, tuple) and (is_pil(found) or any(map(is_pil, columns)))
        return (found,) if is_alone else found

    def _chosen(self):
        return self.transforms


class RandomApply(CompoundOperation):
    """All ``transforms`` in order, with the probability ``prob``; otherwise the input.

    Shapes and dtypes are those that the transforms take and give.

    Args:
        transforms (list): Transforms and functions, at least one.
        prob (float): In [0, 1]. Default: 0.5.

    Raises:
        TypeError: If ``transforms`` is not a list, or ``prob`` is not a number.
        ValueError: If ``transforms`` is empty, or ``prob`` is not in [0, 1].

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import transforms
        >>> print(transforms.RandomApply([lambda x: x + 1, lambda x: x * 2], prob=1.0)(np.array([1, 2])))
        [4 6]
    """

    def __init__(self, transforms: list[Any], prob: float = 0.5) -> None:
        super().__init__(transforms)
        self.prob = check_real("RandomApply", "prob", prob, 0, 1)

    def _chosen(self):
        return self.transforms if generator().random() < self.prob else []


class RandomChoice(CompoundOperation):
    """One of ``transforms``, each with the same probability.

    Shapes and dtypes are those that the transforms take and give.

    Args:
        transforms (list): Transforms and functions, at least one.

    Raises:
        TypeError: If ``transforms`` is not a list.
        ValueError: If ``transforms`` is empty.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import transforms
        >>> print(transforms.RandomChoice([lambda x: x + 1])(np.array([1, 2])))
        [2 3]
    """

    def _chosen(self):
        return [self.transforms[generator().integers(len(self.transforms))]]


class RandomOrder(CompoundOperation):
    """All ``transforms``, in an order that is drawn anew each time.

    Shapes and dtypes are those that the transforms take and give.

    Args:
        transforms (list): Transforms and functions, at least one.

    Raises:
        TypeError: If ``transforms`` is not a list.
        ValueError: If ``transforms`` is empty.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import transforms
        >>> print(transforms.RandomOrder([lambda x: x + 1, lambda x: x + 2])(np.array([1, 2])))
        [4 5]
    """

    def _chosen(self):
        return [self.transforms[i] for i in generator().permutation(len(self.transforms))]
