"""The job of ``minispore train``: networks that learn images of 28x28 pixels in mixed precision.

Reading order: ``networks``, ``network_file``, ``image_folders``, ``data``, ``job``, ``course``, ``evaluate``,
``checkpoint``, ``progress``, ``interrupting``, ``standing_scale``, ``loop``, ``precisions``, ``report``, ``plot``,
``command``. Nothing is imported here, so that ``import minispore`` stays quick.
"""

__all__ = []
