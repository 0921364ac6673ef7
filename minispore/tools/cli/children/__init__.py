"""The folder in which Python processes that a script starts find the name mindspore: see ``children/mindspore.py``.

``minispore run`` puts it on the script's ``sys.path`` and into ``PYTHONPATH``. Processes that multiprocessing spawns
begin with the first, those of ``subprocess`` with the second; neither knows of ``minispore.compat``.
"""

__all__ = []
