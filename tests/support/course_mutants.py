"""Wrong repairs of the exercises: for each number, texts of the solution to replace, and what stands there instead."""

WRONG_REPAIRS = {
    "6.1": [
        ("g.astype(np.float32) / np.float32(scale)", "(g / np.float16(scale)).astype(np.float32)"),
        ("g.astype(np.float32) / np.float32(scale)", "g.astype(np.float64) / scale"),
    ],
}
