"""ONNX: a network's operations, recorded once, as a graph of ONNX's operators.

Reading order: ``graph`` (the collected nodes and weights), ``rules`` (the table of rules), ``elementwise``, ``arrays``
and ``layers`` (the rules), ``model`` (the whole file).
"""
