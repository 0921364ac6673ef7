"""The machine of a run, in words: processor, caches, memory, system."""

import os
import platform
from pathlib import Path


def _first(path, name):
    """What follows ``name`` and a colon in the first such line of a file; an empty text where there is none."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _caches():
    found = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = ((index / name).read_text().strip() for name in ("level", "type", "size"))
        if kind != "Instruction":
            kilobytes = int(size.rstrip("K"))
            found.append(f"L{level} {kilobytes} KiB" if kilobytes < 1024 else f"L{level} {kilobytes / 1024:g} MiB")
    return ", ".join(found)


def described():
    """What there is to say of the machine, as a dict of words to words."""
    model, family = _first("/proc/cpuinfo", "model name"), _first("/proc/cpuinfo", "cpu family")
    number, flags = _first("/proc/cpuinfo", "model\t"), _first("/proc/cpuinfo", "flags").split()
    vectors = next((name for name in ("avx512f", "avx2", "avx", "sse2") if name in flags), "none known")
    return {
        "Processor": f"{model} (family {family}, model {number}), {os.cpu_count()} cores",
        "Vectors": vectors,
        "Caches of a core": _caches(),
        "Memory": f"{int(_first('/proc/meminfo', 'MemTotal').split()[0]) >> 20} GiB",
        "System": f"{platform.system()} {platform.release()}, {' '.join(platform.libc_ver())}",
        "Python of minispore": platform.python_version(),
    }
