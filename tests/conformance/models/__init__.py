"""Networks of different families, one a file, written for MindSpore and built small, under either framework.

A file here says ``import mindspore as ms`` and no other framework's name. The recorder builds it under MindSpore,
a test within ``minispore_as_mindspore()``. The classes take the sizes of their papers; ``MODELS`` makes them small
enough to run in a second and keeps all that makes the family: the depth, the kinds of layers, the way they are joined.
"""

import contextlib
import dataclasses
import importlib
import sys


@dataclasses.dataclass(frozen=True)
class Model:
    """A class of a file here, the arguments that make it small, and the shape of one input.

    ``vocabulary`` above 0 says that the inputs are that many kinds of tokens, else they are images.
    """

    name: str
    arguments: dict
    shape: tuple
    vocabulary: int = 0


MODELS = {
    "lenet5": Model("LeNet5", {}, (1, 32, 32)),
    "vgg11": Model("VGG11", {"width": 8, "hidden": 32, "size": 32, "dropout": 0.0}, (3, 32, 32)),
    "resnet18": Model("ResNet18", {"width": 8}, (3, 64, 64)),
    "mobilenet_v2": Model("MobileNetV2", {"width": 0.25, "last": 64, "dropout": 0.0}, (3, 64, 64)),
    "shufflenet_v2": Model("ShuffleNetV2", {"repeats": (2, 3, 2), "channels": (8, 16, 32, 64, 64)}, (3, 64, 64)),
    "squeezenet": Model("SqueezeNet", {"unit": 4, "dropout": 0.0}, (3, 48, 48)),
    "densenet": Model("DenseNet", {"growth": 8, "blocks": (2, 3, 3, 2)}, (3, 64, 64)),
    "googlenet": Model("GoogLeNet", {"divisor": 8, "dropout": 0.0, "hidden": 32}, (3, 64, 64)),
    "vit": Model("ViT", {}, (3, 32, 32)),
    "convnext": Model("ConvNeXt", {"dims": (16, 32, 48), "depths": (1, 1, 2), "scale": 0.1}, (3, 32, 32)),
    "lstm_classifier": Model("LSTMClassifier", {}, (12,), vocabulary=100),
    "transformer_encoder": Model("TransformerClassifier", {}, (12,), vocabulary=100),
}


def build(name):
    """The small network of the file ``name``."""
    model = MODELS[name]
    return getattr(importlib.import_module(f"{__name__}.{name}"), model.name)(**model.arguments)


@contextlib.contextmanager
def minispore_as_mindspore():
    """While this holds, ``import mindspore`` and its submodules give minispore."""
    package = "minispore"
    importlib.import_module(f"{package}.common.initializer")  # which a file here names
    ours = {n: module for n, module in sys.modules.items() if n == package or n.startswith(f"{package}.")}
    aliases = {"mindspore" + n[len(package) :]: module for n, module in ours.items()}
    before = {alias: sys.modules.get(alias) for alias in aliases}
    sys.modules.update(aliases)
    try:
        yield
    finally:
        for alias, module in before.items():
            sys.modules.pop(alias) if module is None else sys.modules.update({alias: module})
