"""The command line's jobs: ``minispore train``, which trains networks on images of 28x28 pixels, and ``convert``.

Reading order: ``networks``, ``network_file``, ``image_folders``, ``data``, ``job``, ``history``, ``accuracy``,
``checkpoint``, ``progress``, ``interrupts``, ``standing_scale``, ``training``, ``precision_summary``, ``report``,
``plot``, ``options``, ``command``, ``convert``. Nothing is imported here, so that ``import minispore`` stays quick.
"""

__all__ = []
