"""The ``minispore train`` command: networks that learn images of 28x28 pixels in mixed precision.

Reading order: ``networks``, ``network_file``, ``image_folders``, ``data``, ``job``, ``history``, ``accuracy``,
``checkpoint``, ``progress``, ``interrupts``, ``standing_scale``, ``training``, ``precision_summary``, ``report``,
``plot``, ``options``, ``command``. Nothing is imported here, so that ``import minispore`` stays quick.
"""

__all__ = []
