"""Checkpoints: Parameters in MindSpore's own or in safetensors files, written atomically, loaded wholly or not at all.

Reading order: ``protobuf`` and ``ckpt_file``, ``safetensors_file``, ``load_parameters``, ``checkpoint``.
"""

from minispore.serialization.checkpoint import load_checkpoint, load_param_into_net, save_checkpoint

__all__ = ["load_checkpoint", "load_param_into_net", "save_checkpoint"]
