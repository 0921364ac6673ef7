"""Checkpoints: Parameters in files of the open safetensors format, written atomically, loaded wholly or not at all.

Reading order: ``safetensors_file``, ``load_parameters``, ``checkpoint``.
"""

from minispore.serialization.checkpoint import load_checkpoint, load_param_into_net, save_checkpoint

__all__ = ["load_checkpoint", "load_param_into_net", "save_checkpoint"]
