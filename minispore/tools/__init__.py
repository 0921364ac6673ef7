"""Tools: the command line, insight into mixed precision, the profiler, and the conformance kit."""

__all__ = []
FRONT, LISTED = "", ["Profiler", "insight", "profiler"]
