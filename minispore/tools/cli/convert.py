"""The command ``convert``: write a checkpoint anew in the format of another file's name."""

from pathlib import Path

from minispore.core.errors import escaped, value_error
from minispore.data.serialization import load_checkpoint, save_checkpoint

__all__ = ["convert"]


def convert(source, target, overwrite=False):
    """Read the checkpoint ``source``, and write its parameters and texts to ``target``.

    Raises:
        ValueError: If ``source`` is not a checkpoint, or ``target`` exists and ``overwrite`` is False.
        OSError: If ``target`` cannot be written.
    """
    if Path(target).exists() and not overwrite:
        raise value_error("convert", f"the file '{target}' must not exist unless '--overwrite' is given")
    loaded = load_checkpoint(source)
    texts = {name: value for name, value in loaded.items() if isinstance(value, str)}
    parameters = [{"name": name, "data": value} for name, value in loaded.items() if name not in texts]
    if Path(target).suffix not in (".ckpt", ".safetensors"):
        raise value_error("convert", "the second file must end in .ckpt or .safetensors", f"'{target}'")
    save_checkpoint(parameters, target, append_dict=texts)
    print(escaped(f"Written: {target}, with {len(parameters)} parameters and {len(texts)} texts."))
