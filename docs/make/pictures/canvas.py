"""A canvas that writes SVG, and the two themes: each picture is drawn once for light pages and once for dark ones."""

from html import escape
from pathlib import Path

__all__ = ["IMAGES", "KINDS", "Canvas", "save_both"]

IMAGES = Path(__file__).parents[2] / "images"
THEMES = {
    "light": {
        "ink": "#1f2328",
        "soft": "#6a737d",
        "line": "#c4c9d0",
        "box": "#f3f4f6",
        "float32": "#2f6fb7",
        "float16": "#c8590a",
        "bfloat16": "#2c8a4b",
        "bad": "#c62839",
        "on": "#ffffff",
    },
    "dark": {
        "ink": "#e8eaed",
        "soft": "#a0a7b0",
        "line": "#4a4f57",
        "box": "#24272c",
        "float32": "#6ea8e6",
        "float16": "#f29a4a",
        "bfloat16": "#6cc48a",
        "bad": "#f2707e",
        "on": "#131416",
    },
}
KINDS = ("float32", "float16", "bfloat16")


class Canvas:
    """Shapes on a transparent ground; colours are names of the theme.

    Args:
        width (int): Units, which are pixels at full size.
        height (int): Units.
        theme (str): "light" or "dark".
        title (str): What the picture shows, for readers who do not see it.
    """

    def __init__(self, width, height, theme, title):
        self.width, self.height, self.colours, self.title, self.parts = width, height, THEMES[theme], title, []

    def colour(self, name):
        """The theme's colour of a name; "none" for None."""
        return "none" if name is None else self.colours[name]

    def box(self, x, y, width, height, fill="box", edge=None, round_by=4, faint=1.0):
        """A rectangle with round corners."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_by}" '
            f'fill="{self.colour(fill)}" stroke="{self.colour(edge)}" opacity="{faint:g}"/>'
        )

    def line(self, *points, colour="line", width=1.0, dash=None, arrow=False):
        """A line through points ``(x, y)``."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        end = f' marker-end="url(#{colour})"' if arrow else ""
        stroke = f'stroke="{self.colour(colour)}" stroke-width="{width:g}"{dashed}{end}'
        self.parts.append(f'<polyline points="{path}" fill="none" {stroke}/>')

    def dot(self, x, y, radius=3.5, fill="bad"):
        """A filled circle."""
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{self.colour(fill)}"/>')

    def text(self, x, y, text, size=13, colour="ink", at="start", bold=False, mono=False):
        """A line of text whose baseline is at y; ``at`` is start, middle or end."""
        family = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" if mono else "system-ui, sans-serif"
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-family="{family}" fill="{self.colour(colour)}" '
            f'text-anchor="{at}"{weight}>{escape(text)}</text>'
        )

    def svg(self):
        """The whole as text."""
        arrows = "".join(
            f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M0,0 L8,4 L0,8 z" fill="{self.colours[name]}"/></marker>'
            for name in ("line", "ink", "bad", "soft")
        )
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}"'
        inside = "\n".join([f"<title>{escape(self.title)}</title>", f"<defs>{arrows}</defs>", *self.parts])
        return f'{head} height="{self.height}" role="img">\n{inside}\n</svg>\n'


def save_both(name, size, title, draw, folder=IMAGES):
    """Let ``draw(canvas)`` draw in each theme; write ``NAME_light.svg`` and ``NAME_dark.svg``."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in THEMES:
        canvas = Canvas(*size, theme, title)
        draw(canvas)
        (folder / f"{name}_{theme}.svg").write_text(canvas.svg(), encoding="utf-8")
