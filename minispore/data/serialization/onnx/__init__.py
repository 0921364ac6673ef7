"""ONNX: a network's operations, recorded once, as a graph of ONNX's operators.

Reading order: ``trace`` (what the network computes), ``graph`` (the nodes and weights as they are collected), ``rules``
(the table of rules), ``elementwise``, ``arrays`` and ``layers`` (the rules), ``model`` (the whole file).
"""
