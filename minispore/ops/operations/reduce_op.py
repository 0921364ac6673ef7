"""ReduceOp: the names of the ways to put together what several devices hold."""

__all__ = ["ReduceOp"]


class ReduceOp:
    """Names for the argument ``op`` of collective operations: the sum, the largest, the smallest, the product."""

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"
