"""The memory that this process holds, and the most it has held, as Linux counts them."""


def _field(name):
    with open("/proc/self/status") as lines:
        kilobytes = next(line.split()[1] for line in lines if line.startswith(name))
    return int(kilobytes) / 1024


def resident_mb():
    return _field("VmRSS:")


def peak_mb():
    """The most since the process began, or since :func:`forget_peak`."""
    return _field("VmHWM:")


def forget_peak():
    """Let the peak begin anew at what is held now."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
