"""MINDIR: a network's operations and Parameters as MindSpore's own primitives, which MindSpore 2.0 runs; and back.

Reading order: ``values`` and ``model`` (the file), ``signatures`` (MindSpore's names of inputs), ``graph`` (the nodes
while they are collected), ``rules`` (the table), ``direct``, ``arrays``, ``layers`` and ``recurrence`` (the rules),
``write``; ``calls`` (what a file's primitives mean here), ``names`` and ``run``.
"""
