"""Tools: the command line, insight into mixed precision, the profiler, the conformance kit, the course."""

__all__ = []
FRONT, LISTED = "", ["Profiler", "insight", "profiler"]
