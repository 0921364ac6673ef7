"""The commands: ``train``, networks that learn images in mixed precision; ``run``, ``check`` and ``convert``.

Reading order: ``children``, ``scripts``, ``usage``, ``networks``, ``network_file``, ``image_folders``, ``data``,
``job``, ``ranks``, ``history``, ``accuracy``, ``checkpoint``, ``progress``, ``interrupts``, ``skipped_steps``,
``standing_scale``, ``training``, ``precision_summary``, ``report``, ``plot``, ``page``, ``options``, ``command``,
``colors``, ``convert``, ``course``, ``mindspore_stubs``. Nothing is imported here, so that ``import minispore`` stays
quick.
"""

__all__ = []
