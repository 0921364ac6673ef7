"""The report: the effects of mixed precision on a network and its training, as one HTML file that needs nothing else.

Jinja2 fills the template ``report.html`` and escapes every text, so a name may have any characters.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from minispore.core.checks import check_text
from minispore.data.atomic_file import replace_file
from minispore.ops.object_checks import check_path
from minispore.ops.object_text import of_arguments
from minispore.tools.insight.sections import section_of

__all__ = ["Report"]

INSTALL = 'pip install "jinja2>=3.1"'
_TEMPLATE = Path(__file__).with_name("report.html")


class Report:
    """Networks, trainings and measurements of precision as one HTML file, which loads nothing from elsewhere.

    Args:
        *parts: The parts in their order. Each is a converted network or its receipt (``network.amp_report``), a
            :class:`watch` of a training, a :class:`Course`, a :class:`PrecisionReport`, a :class:`LowBitReport` or a
            :class:`Plan`.
        title (str): The title. Default: "Mixed precision".

    Raises:
        TypeError: If a part is of another type, or a network that has not been converted.

    Examples:
        >>> import minispore as ms
        >>> net = ms.amp.auto_mixed_precision(ms.nn.SequentialCell(ms.nn.Dense(2, 2), ms.nn.ReLU()), "O2")
        >>> report = ms.insight.Report(net, title="A small network")
        >>> "A small network" in report.html()
        True
        >>> report.save("report.html")  # doctest: +SKIP
    """

    __repr__ = of_arguments

    def __init__(self, *parts, title: str = "Mixed precision") -> None:
        self._title = check_text("Report", "title", title)
        self._sections = [section_of(i, part) for i, part in enumerate(parts)]

    def html(self) -> Any:
        """The whole page as a text.

        Raises:
            ImportError: If Jinja2 is not installed (the extra ``report``).
        """
        try:
            jinja2 = importlib.import_module("jinja2")
        except ImportError as error:
            raise ImportError(f"For 'Report', the page needs Jinja2: {INSTALL} (the extra report).") from error
        environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
        template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
        return template.render(title=self._title, sections=self._sections)

    def save(self, path) -> None:
        """Write the page into a file: completely, or not at all.

        Raises:
            ImportError: If Jinja2 is not installed (the extra ``report``).
            OSError: If the file cannot be written.
        """
        check_path("Report.save", "path", path)
        page = self.html()
        replace_file(Path(path), lambda file: file.write(page.encode()))
