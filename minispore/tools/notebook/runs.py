"""Runs: a Model, a metric, and a data set with the operations on it."""

from minispore.tools.notebook.markup import Raw, code, heading, note, table, text, whole

__all__ = []


def of_model(model):
    """The form of a Model: its parts, and its level of mixed precision."""
    parts = [("network", model._network), ("loss", model._loss_fn), ("optimizer", model._optimizer)]
    rows = [(name, "none" if part is None else type(part).__name__) for name, part in parts]
    metrics = ", ".join(f"{name}: {metric!r}" for name, metric in (model._metric_fns or {}).items())
    rows += [("metrics", metrics or "none"), ("mixed precision", model._amp_level)]
    scale = getattr(model.train_network, "scale_sense", None)
    rows += [("loss scale", f"{float(scale.asnumpy().reshape(-1)[0]):g}")] if scale is not None else []
    return whole(heading("Model"), table(("", ""), rows))


def of_metric(metric):
    """The form of a metric: its arguments, and its value if it has taken samples in."""
    try:
        found = f"value now: {metric.eval()}"
    except Exception as error:  # before the first batch; a metric of a user's own may raise anything
        found = f"No value yet ({type(error).__name__})."
    return whole(heading(repr(metric)), note(found))


def of_dataset(dataset):
    """The form of a data set: its source, the operations on it, and its columns. No row is read."""
    rows = [(i, Raw(text(repr(each))), _columns(each)) for i, each in enumerate(_chain(dataset))]
    return whole(heading(type(dataset).__name__), table(("", "data set", "columns"), rows))


def _chain(dataset):
    """The data sets from the sources to this one."""
    found, todo = [], [dataset]
    while todo:
        each = todo.pop()
        found.append(each)
        todo += reversed(each.children)
    return found[::-1]


def _columns(dataset):
    """The names of the columns; none where only a row would tell them."""
    try:
        return Raw(", ".join(map(code, dataset.get_col_names())))
    except Exception:  # a source whose names are in its files
        return "known at the first row"
