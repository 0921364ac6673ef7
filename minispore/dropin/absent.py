"""The sentence about a name that is not here: is it in MindSpore 2.0.0, and what to use in its place."""

import functools
import json
import os
import zlib

from minispore.nn.slips import remedy

__all__ = []

# Written by tests/conformance/record/names.py
_NAMES = os.path.join(os.path.dirname(__file__), "mindspore_names.json.gz")
_OWN_OPERATION = "derive a class from ops.Primitive, or write a Cell with a 'bprop' around a function of NumPy"
_SOUND = "read the files with the module wave in a GeneratorDataset"
_ONE_PROCESS = "minispore computes in one process, where nothing is spread over devices"

_GZIP = zlib.MAX_WBITS | 16  # the header that zlib expects

# MindSpore's address -> what to use; it holds for all below it too
INSTEAD = {
    "SummaryLandscape": "it is a page of MindInsight; SummaryRecord writes what TensorBoard shows",
    **{
        f"dataset.{name}Dataset": _SOUND
        for name in ("CMUArctic", "GTZAN", "LJSpeech", "LibriTTS", "SpeechCommands", "Tedlium", "YesNo")
    },
    "dataset.audio": "compute features with NumPy before or in a GeneratorDataset",
    "hal": "the device is chosen by set_context(device_target=...), and memory is NumPy's or CuPy's own",
    "mint": "use the operations of ops and the layers of nn",
    "obfuscate_model": "a saved network of minispore is a checkpoint, which holds no code",
    "ops.AkgGpuRegOp": _OWN_OPERATION,
    "ops.Pull": f"{_ONE_PROCESS}, not even a server of Parameters",
    "ops.Push": f"{_ONE_PROCESS}, not even a server of Parameters",
    "ops.TBERegOp": _OWN_OPERATION,
    "ops.auto_generate": "minispore follows MindSpore 2.0.0, where the primitives are in ops",
    "parallel.auto_parallel": _ONE_PROCESS,
    "parse_print": "Tensors are printed to the standard output, and no file of them is kept",
    "runtime": "the device is chosen by set_context(device_target=...), and memory is NumPy's or CuPy's own",
    "scipy.linalg": "use SciPy on x.asnumpy(), or the functions of ops",
    "scipy.optimize": "use scipy.optimize.minimize, or SciPy on x.asnumpy()",
    "set_dump": "Cell.register_forward_hook sees what a cell computes",
    "shard": _ONE_PROCESS,
    "train.serialization.parse_print": "Tensors are printed to the standard output, and no file of them is kept",
}


@functools.cache
def names_of_mindspore():
    """The public names of MindSpore 2.0.0 by module: ``{"nn": {"Cell", ...}, "": ...}``."""
    with open(_NAMES, "rb") as file:
        text = zlib.decompress(file.read(), _GZIP)
    return {module: set(names) for module, names in json.loads(text).items()}


def mindspore_has(address):
    """True if MindSpore 2.0.0 has a module or a name at ``address``, such as "nn.Dense"."""
    module, _, name = address.rpartition(".")
    return address in names_of_mindspore() or name in names_of_mindspore().get(module, ())


def instead_of(address):
    """The substitute for MindSpore's object at ``address``; None if the table has no word of it."""
    while address not in INSTEAD and address:
        address = address.rpartition(".")[0]
    return INSTEAD.get(address)


def sentence(owner, address, known):
    """One sentence on a name that is not here.

    Args:
        owner (str): What should have it, as the sentence names it.
        address (str): MindSpore's address of the name, such as "nn.Dense".
        known (Callable): Returns the names that are there.
    """
    module, _, name = address.rpartition(".")
    instead = instead_of(address)
    if mindspore_has(address):
        further = f": {instead}" if instead else ""
        return f"{owner} has no attribute '{name}', which MindSpore has as 'mindspore.{address}'{further}"
    package = f"minispore.{module}".rstrip(".")
    hint = f" {instead[0].upper()}{instead[1:]}." if instead else remedy(name, (package,), known())
    return f"{owner} has no attribute '{name}'.{hint}"
