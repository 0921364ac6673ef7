"""EQUIVALENT: mutants that compute the same as the source, each with its reason."""

# (file, the changed line as it would be) -> why nothing can tell the two apart
EQUIVALENT = {
    (
        "minispore/amp/loss_scale/scalers.py",
        "narrow = is_differentiable(x) and x.itemsize <= float32.np.itemsize",
    ): "float32 is cast to float32, which changes nothing",
    (
        "minispore/graph/unpacked_float16.py",
        "if not _meets(step, wide) or False:",
    ): "of a Cast that meets an unpacked value every argument in float16 is unpacked",
    (
        "minispore/devices/cuda/capture.py",
        "_WARM = 3  # runs before a capture: they compile kernels, "
        "and fill the pool with the memory that the capture takes",
    ): "a tuning: the same results, captured one call later",
    (
        "minispore/rewrite/edit/edit.py",
        "for value in dict.fromkeys(value for value in node.reads() if not value.is_name and True):",
    ): "`carried` gives any other value back as it is",
    (
        "minispore/rewrite/api/pattern_engine.py",
        "renamed.update(zip(node.targets, fresh, strict=False))",
    ): "there are as many fresh names as targets",
}
