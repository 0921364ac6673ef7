"""Checkpoints, written atomically and loaded wholly or not at all, in MindSpore's own or in safetensors files; graphs.

Reading order: ``protobuf`` and ``ckpt_file``, ``safetensors_file``, ``load_parameters``, ``background_save``,
``checkpoint``, ``sliced``; ``trace`` and ``places``, ``mindir``, ``onnx`` and ``export``.
"""

from minispore.data.serialization.background_save import async_ckpt_thread_status
from minispore.data.serialization.checkpoint import load_checkpoint, load_param_into_net, save_checkpoint
from minispore.data.serialization.export import export, load
from minispore.data.serialization.load_parameters import _update_param  # noqa: F401 - scripts take it from here
from minispore.data.serialization.sliced import load_distributed_checkpoint, merge_sliced_parameter

__all__ = [
    "async_ckpt_thread_status",
    "export",
    "load",
    "load_checkpoint",
    "load_distributed_checkpoint",
    "load_param_into_net",
    "merge_sliced_parameter",
    "save_checkpoint",
]
