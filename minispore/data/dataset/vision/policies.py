"""Transforms that choose among transforms: sub-policies, uniform choice, and the published augmentation policies."""

from __future__ import annotations

import math
from typing import Any

from minispore.core.checks import check_int, check_positive_int
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.draws import generator
from minispore.data.dataset.transforms.base import name_of
from minispore.data.dataset.transforms.compound import CompoundOperation, apply_in_order, checked_transforms
from minispore.data.dataset.vision.base import ImageTensorOperation, check_fill, check_interpolation, fill_for, happens
from minispore.data.dataset.vision.color_transforms import (
    AdjustBrightness,
    AdjustContrast,
    AdjustSaturation,
    AdjustSharpness,
    AutoContrast,
    Equalize,
    Invert,
    Posterize,
    Solarize,
)
from minispore.data.dataset.vision.enums import AutoAugmentPolicy, Inter
from minispore.data.dataset.vision.geometry import affine_matrix
from minispore.data.dataset.vision.warping import warp_affine
from minispore.ops.number_checks import check_real

__all__ = ["AutoAugment", "RandAugment", "RandomSelectSubpolicy", "TrivialAugmentWide", "UniformAugment"]


class RandomSelectSubpolicy(ImageTensorOperation):
    """One of several lists of (transform, probability), whose transforms are applied in order, each with its own.

    Shapes and dtypes are those that the chosen transforms take and give.

    Args:
        policy (list): Lists of pairs (transform, probability in [0, 1]).

    Raises:
        TypeError: If ``policy`` is anything else.
        ValueError: If a list is empty or a probability outside [0, 1].
        RuntimeError: When called, if a transform refuses the input.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
        >>> print(vision.RandomSelectSubpolicy([[(vision.Invert(), 1.0)]])(image)[0])
        [[255 254 253]
         [252 251 250]]
    """

    def __init__(self, policy: list[Any]) -> None:
        if not isinstance(policy, list):
            raise type_error("RandomSelectSubpolicy", "the 'policy' must be a list of lists", shown(policy))
        if not policy or not all(policy):
            raise value_error("RandomSelectSubpolicy", "the 'policy' must have no empty list", shown(policy))
        for pair in (pair for part in policy for pair in self._pairs(part)):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not callable(pair[0]):
                expected = "the 'policy' must have pairs (transform, probability)"
                raise type_error("RandomSelectSubpolicy", expected, shown(pair))
            check_real("RandomSelectSubpolicy", "policy", pair[1], 0, 1)
        self.policy = policy

    @staticmethod
    def _pairs(part):
        if not isinstance(part, list):
            raise type_error("RandomSelectSubpolicy", "the 'policy' must be a list of lists", shown(part))
        return part

    def __call__(self, *columns) -> Any:
        part = self.policy[generator().integers(len(self.policy))]
        return apply_in_order(name_of(self), [t for t, probability in part if happens(probability)], columns)


class UniformAugment(CompoundOperation):
    """``num_ops`` different ones of ``transforms``, each applied with the probability 1/2.

    Shapes and dtypes are those that the chosen transforms take and give.

    Args:
        transforms (list): Transforms and functions, at least one.
        num_ops (int): How many are chosen. Default: 2.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If there are fewer than ``num_ops`` transforms.
        RuntimeError: When called, if a transform refuses the input.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.UniformAugment([vision.Invert()], num_ops=1)(np.full((1, 1, 3), 9, np.uint8)).shape)
        (1, 1, 3)
    """

    def __init__(self, transforms: list[Any], num_ops: int = 2) -> None:
        self.transforms = checked_transforms("UniformAugment", transforms)
        self.num_ops = check_positive_int("UniformAugment", "num_ops", num_ops)
        if num_ops > len(transforms):
            raise value_error("UniformAugment", f"the 'num_ops' must be at most {len(transforms)}", num_ops)

    def _chosen(self):
        places = generator().permutation(len(self.transforms))[: self.num_ops]
        return [self.transforms[i] for i in places if happens(0.5)]


class _Moved:
    """An image sheared, moved and turned around its middle: one step of a published policy."""

    def __init__(self, interpolation, fill, degrees=0.0, shear=(0.0, 0.0), moved=(0, 0)):
        self.interpolation, self.fill, self.parts = interpolation, fill, (degrees, moved, 1.0, shear)

    def __call__(self, x):
        matrix = affine_matrix(*x.shape[:2], *self.parts)
        return warp_affine(x, matrix, x.shape[:2], self.interpolation, fill_for(x, self.fill))


def _step(name, amount, interpolation, fill):
    """The step ``name`` of a policy, with its amount: degrees, a share, pixels, bits, a threshold or a factor - 1."""
    if name in ("ShearX", "ShearY"):
        angle = math.degrees(math.atan(amount))
        return _Moved(interpolation, fill, shear=(angle, 0.0) if name == "ShearX" else (0.0, angle))
    if name in ("TranslateX", "TranslateY"):
        return _Moved(interpolation, fill, moved=(int(amount), 0) if name == "TranslateX" else (0, int(amount)))
    if name == "Rotate":
        return _Moved(interpolation, fill, degrees=-amount)
    if name in _FACTORS:
        return _FACTORS[name](1 + amount)
    if name == "Posterize":
        return Posterize(int(amount))
    if name == "Solarize":
        return Solarize((float(amount), 255))
    return _FIXED[name]


_FACTORS = {
    "Brightness": AdjustBrightness,
    "Color": AdjustSaturation,
    "Contrast": AdjustContrast,
    "Sharpness": AdjustSharpness,
}
_FIXED = {"AutoContrast": AutoContrast(), "Equalize": Equalize(), "Identity": lambda x: x, "Invert": Invert()}
_SIGNED = {"ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate", *_FACTORS}

# The largest amounts; a move's is a share of the width or height, or a number of pixels
_USUAL = {"Shear": 0.3, "Translate": 150 / 331, "Rotate": 30.0, "Factor": 0.9, "Bits": 4}
_WIDE = {"Shear": 0.99, "Translate": 32.0, "Rotate": 135.0, "Factor": 0.99, "Bits": 6}
_CHOICES = [
    *("Identity", "ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate", "Brightness"),
    *("Color", "Contrast", "Sharpness", "Posterize", "Solarize", "AutoContrast", "Equalize"),
]


def _amount(name, number, bins, largest, shape):
    """The amount of step ``name`` at ``number`` of ``bins`` equal steps up to the largest, with a random sign."""
    part = number / (bins - 1) if bins > 1 else 0.0
    if name == "Posterize":
        return 8 - round(part * largest["Bits"])
    if name == "Solarize":
        return 255 * (1 - part)
    kind = name[:-1] if name[:-1] in largest else name if name in largest else "Factor"
    amount = part * largest[kind]
    if kind == "Translate" and largest[kind] < 1:
        amount *= shape[1] if name == "TranslateX" else shape[0]
    return -amount if name in _SIGNED and happens(0.5) else amount


_PAIRS = {  # the sub-policies of AutoAugment (Cubuk et al., 2019): (step, probability, number) twice
    AutoAugmentPolicy.IMAGENET: """
        Posterize .4 8 Rotate .6 9; Solarize .6 5 AutoContrast .6 0; Equalize .8 0 Equalize .6 0;
        Posterize .6 7 Posterize .6 6; Equalize .4 0 Solarize .2 4; Equalize .4 0 Rotate .8 8;
        Solarize .6 3 Equalize .6 0; Posterize .8 5 Equalize 1 0; Rotate .2 3 Solarize .6 8;
        Equalize .6 0 Posterize .4 6; Rotate .8 8 Color .4 0; Rotate .4 9 Equalize .6 0; Equalize 0 0 Equalize .8 0;
        Invert .6 0 Equalize 1 0; Color .6 4 Contrast 1 8; Rotate .8 8 Color 1 2; Color .8 8 Solarize .8 7;
        Sharpness .4 7 Invert .6 0; ShearX .6 5 Equalize 1 0; Color .4 0 Equalize .6 0; Equalize .4 0 Solarize .2 4;
        Solarize .6 5 AutoContrast .6 0; Invert .6 0 Equalize 1 0; Color .6 4 Contrast 1 8; Equalize .8 0 Equalize .6 0
    """,
    AutoAugmentPolicy.CIFAR10: """
        Invert .1 0 Contrast .2 6; Rotate .7 2 TranslateX .3 9; Sharpness .8 1 Sharpness .9 3;
        ShearY .5 8 TranslateY .7 9; AutoContrast .5 0 Equalize .9 0; ShearY .2 7 Posterize .3 7;
        Color .4 3 Brightness .6 7; Sharpness .3 9 Brightness .7 9; Equalize .6 0 Equalize .5 0;
        Contrast .6 7 Sharpness .6 5; Color .7 7 TranslateX .5 8; Equalize .3 0 AutoContrast .4 0;
        TranslateY .4 3 Sharpness .2 6; Brightness .9 6 Color .2 8; Solarize .5 2 Invert 0 0;
        Equalize .2 0 AutoContrast .6 0; Equalize .2 0 Equalize .6 0; Color .9 9 Equalize .6 0;
        AutoContrast .8 0 Solarize .2 8; Brightness .1 3 Color .7 0; Solarize .4 5 AutoContrast .9 0;
        TranslateY .9 9 TranslateY .7 9; AutoContrast .9 0 Solarize .8 3; Equalize .8 0 Invert .1 0;
        TranslateY .7 9 AutoContrast .9 0
    """,
    AutoAugmentPolicy.SVHN: """
        ShearX .9 4 Invert .2 0; ShearY .9 8 Invert .7 0; Equalize .6 0 Solarize .6 6; Invert .9 0 Equalize .6 0;
        Equalize .6 0 Rotate .9 3; ShearX .9 4 AutoContrast .8 0; ShearY .9 8 Invert .4 0; ShearY .9 5 Solarize .2 6;
        Invert .9 0 AutoContrast .8 0; Equalize .6 0 Rotate .9 3; ShearX .9 4 Solarize .3 3; ShearY .8 8 Invert .7 0;
        Equalize .9 0 TranslateY .6 6; Invert .9 0 Equalize .6 0; Contrast .3 3 Rotate .8 4; Invert .8 0 TranslateY 0 2;
        ShearY .7 6 Solarize .4 8; Invert .6 0 Rotate .8 4; ShearY .3 7 TranslateX .9 3; ShearX .1 6 Invert .6 0;
        Solarize .7 2 TranslateY .6 7; ShearY .8 4 Invert .8 0; ShearX .7 9 TranslateY .8 3;
        ShearY .8 5 AutoContrast .7 0; ShearX .7 2 Invert .1 0
    """,
}


def _sub_policies(text):
    """The pairs of (step, probability, number) in a text of :data:`_PAIRS`."""
    for line in text.split(";"):
        words = line.split()
        yield [(name, float(chance), int(number)) for name, chance, number in (words[:3], words[3:])]


class _Policy(ImageTensorOperation):
    """Base of the published policies: steps on an 8-bit RGB image."""

    ranks, channels, types = (3,), (3,), ("uint8",)

    def _set(self, interpolation, fill_value):
        self.interpolation = check_interpolation(name_of(self), interpolation)
        self.fill_value = check_fill(name_of(self), fill_value)

    def _stepped(self, x, name, number, bins, largest):
        amount = _amount(name, number, bins, largest, x.shape)
        return _step(name, amount, self.interpolation, self.fill_value)(x)


class AutoAugment(_Policy):
    """One of the 25 sub-policies that AutoAugment (Cubuk et al., 2019) found for a data set.

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: uint8, kept; RuntimeError for others.

    Args:
        policy (AutoAugmentPolicy): For which data set. Default: AutoAugmentPolicy.IMAGENET.
        interpolation (Inter): How pixels are found. Default: Inter.NEAREST.
        fill_value (object): What stands outside, an int or (r, g, b). Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        RuntimeError: When called, if the input is not an RGB image of uint8.
        ValueError: If ``fill_value`` is out of range.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10)(np.full((4, 4, 3), 9, np.uint8)).shape)
        (4, 4, 3)
        >>> print(vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10)(np.zeros((4, 4, 3), np.uint8)).dtype)
        uint8
    """

    def __init__(self, policy=AutoAugmentPolicy.IMAGENET, interpolation=Inter.NEAREST, fill_value=0) -> None:
        if not isinstance(policy, AutoAugmentPolicy):
            raise type_error("AutoAugment", "the 'policy' must be an AutoAugmentPolicy", shown(policy))
        self.policy = policy
        self._set(interpolation, fill_value)
        self._pairs = list(_sub_policies(_PAIRS[policy]))

    def _array(self, x):
        for name, chance, number in self._pairs[generator().integers(len(self._pairs))]:
            if happens(chance):
                x = self._stepped(x, name, number, 10, _USUAL)
        return x


class RandAugment(_Policy):
    """``num_ops`` steps, each drawn from fourteen, with one magnitude for all (RandAugment, Cubuk et al., 2020).

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: uint8, kept; RuntimeError for others.

    Args:
        num_ops (int): How many steps. Default: 2.
        magnitude (int): How strong, below ``num_magnitude_bins``. Default: 9.
        num_magnitude_bins (int): How many magnitudes there are. Default: 31.
        interpolation (Inter): How pixels are found. Default: Inter.NEAREST.
        fill_value (object): What stands outside, an int or (r, g, b). Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If one is out of its range.
        RuntimeError: When called, if the input is not an RGB image of uint8.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.RandAugment(num_ops=1, magnitude=0)(np.full((4, 4, 3), 9, np.uint8)).shape)
        (4, 4, 3)
    """

    def __init__(
        self,
        num_ops: int = 2,
        magnitude: int = 9,
        num_magnitude_bins: int = 31,
        interpolation=Inter.NEAREST,
        fill_value=0,
    ) -> None:
        self.num_ops = check_int("RandAugment", "num_ops", num_ops, 1)
        self.num_magnitude_bins = check_int("RandAugment", "num_magnitude_bins", num_magnitude_bins, 2)
        self.magnitude = check_int("RandAugment", "magnitude", magnitude, 0, num_magnitude_bins)
        self._set(interpolation, fill_value)

    def _array(self, x):
        for i in generator().integers(len(_CHOICES), size=self.num_ops):
            x = self._stepped(x, _CHOICES[i], self.magnitude, self.num_magnitude_bins, _USUAL)
        return x


class TrivialAugmentWide(_Policy):
    """One step drawn from fourteen, with a drawn magnitude (TrivialAugment, Müller and Hutter, 2021).

    Shapes: (H, W, 3), kept; RuntimeError for others. Dtypes: uint8, kept; RuntimeError for others.

    Args:
        num_magnitude_bins (int): How many magnitudes there are. Default: 31.
        interpolation (Inter): How pixels are found. Default: Inter.NEAREST.
        fill_value (object): What stands outside, an int or (r, g, b). Default: 0.

    Raises:
        TypeError: If ``num_magnitude_bins`` is not an int, ``interpolation`` is not an Inter, or ``fill_value`` is not
            an int or a tuple of three. When called, if the input is neither an array nor an image of Pillow.
        ValueError: If ``num_magnitude_bins`` is below 2, or ``fill_value`` is out of range.
        RuntimeError: When called, if the input has another shape or dtype.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import vision
        >>> print(vision.TrivialAugmentWide()(np.full((4, 4, 3), 9, np.uint8)).shape)
        (4, 4, 3)
    """

    def __init__(self, num_magnitude_bins: int = 31, interpolation=Inter.NEAREST, fill_value=0) -> None:
        self.num_magnitude_bins = check_int("TrivialAugmentWide", "num_magnitude_bins", num_magnitude_bins, 2)
        self._set(interpolation, fill_value)

    def _array(self, x):
        name = _CHOICES[generator().integers(len(_CHOICES))]
        number = int(generator().integers(self.num_magnitude_bins))
        return self._stepped(x, name, number, self.num_magnitude_bins, _WIDE)
