"""The choice of columns and their names: project and rename."""

from __future__ import annotations

from minispore.core.errors import value_error
from minispore.data.dataset.engine.dataset import Over, check_columns, check_dataset, operation
from minispore.ops.list_checks import check_names

__all__ = ["ProjectDataset", "RenameDataset"]


@operation
def project(self, columns):
    """Keep the named columns, in this order.

    Raises:
        TypeError: If ``columns`` is neither a str nor a list of them.
        ValueError: If there are none, one is unknown, or one comes twice.
    """
    return ProjectDataset(self, columns)


@operation
def rename(self, input_columns, output_columns):
    """Give the columns ``input_columns`` the names ``output_columns``; the others keep theirs.

    Raises:
        TypeError: If an argument is neither a str nor a list of them.
        ValueError: If a column is unknown, the numbers of names differ, or two columns would have one name.
    """
    return RenameDataset(self, input_columns, output_columns)


class ProjectDataset(Over):
    """Some of the columns, in another order.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset({"x": [1, 2], "y": [3, 4]}, shuffle=False).project(["y", "x"])
        >>> print([(int(y), int(x)) for y, x in data])
        [(3, 1), (4, 2)]
    """

    def __init__(self, child, columns) -> None:
        super().__init__(child)
        known = child.get_col_names()
        self.columns = check_columns("project", "columns", columns, known)
        self.places = [known.index(name) for name in self.columns]

    def _names(self):
        return self.columns

    def _items(self, run):
        return self.child._items(run)

    def _row(self, item):
        row = self.child._row(item)
        return tuple(row[i] for i in self.places)

    def _gather(self, items):
        columns = self.child._gather(items)
        return tuple(columns[i] for i in self.places)


class RenameDataset(ProjectDataset):
    """All columns, some under other names.

    Examples:
        >>> import numpy as np
        >>> from minispore import dataset
        >>> data = dataset.NumpySlicesDataset({"x": [1, 2]}, shuffle=False).rename("x", "z")
        >>> print([{name: int(value) for name, value in row.items()} for row in data.create_dict_iterator()])
        [{'z': 1}, {'z': 2}]
    """

    def __init__(self, child, input_columns, output_columns) -> None:
        known = check_dataset("rename", "dataset", child).get_col_names()
        inputs = check_columns("rename", "input_columns", input_columns, known)
        outputs = check_names("rename", "output_columns", output_columns)
        if len(inputs) != len(outputs):
            raise value_error("rename", f"the 'output_columns' must be {len(inputs)} names", len(outputs))
        super().__init__(child, known)
        renamed = dict(zip(inputs, outputs, strict=True))
        self.columns = [renamed.get(name, name) for name in known]
        if len(set(self.columns)) < len(known):
            raise value_error("rename", "the columns must have names that differ from one another", self.columns)
