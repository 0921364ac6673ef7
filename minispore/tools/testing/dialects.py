"""A target's names for operations: its own dialect, or a known API."""

__all__ = ["expression"]


def expression(target, name, said):
    """The target's expression for something: as its own ``says`` gives it, else in the API that it speaks; or None.

    Args:
        target (Target): The target.
        name (str): The name of an operation, a loss, an optimizer or a sum.
        said (dict): The expression of each API.

    Examples:
        >>> from minispore.testing.dialects import expression
        >>> from minispore.testing.targets import load
        >>> expression(load("minispore"), "Tanh", {"mindspore": "ops.Tanh()(x0)", "torch": "torch.tanh(x0)"})
        'ops.Tanh()(x0)'
    """
    own = getattr(target, "says", None) or {}
    return own.get(name, said.get(getattr(target, "speaks", "mindspore")))
