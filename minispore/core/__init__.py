"""The core: arrays with types, Tensors, the tape that differentiates, Parameters, and what a primitive is."""

__all__ = []
