"""Watched steps: the verdict on a step that is not finite, and a watch with its losses and loss scales."""

from minispore.tools.insight.charts import HEIGHT, WIDTH, line_of
from minispore.tools.insight.watching import paragraphs
from minispore.tools.notebook.markup import code, heading, note, table, text, whole

__all__ = []

_FACTS = ("kind", "operation", "phase", "cell", "where", "loss_scale", "scale", "given", "remedy")


def of_verdict(verdict):
    """The form of a verdict: its sentences, then the facts that it has."""
    rows = [(name.replace("_", " "), getattr(verdict, name)) for name in _FACTS if getattr(verdict, name) is not None]
    return whole(heading("Why the step is not finite"), f"<p>{text(verdict)}</p>", table(("", ""), rows))


def of_step(step):
    """The form of a step that is not finite."""
    return whole(f"<p>{text(step)}</p>")


def of_watch(seen):
    """The form of a watch: its first line, its curves, and each reason once."""
    skipped = [step.number for step in seen.skipped]
    lines = [
        line_of("Loss", seen.losses, skipped),
        line_of("Loss scale", seen.scales, skipped, as_powers=True),
    ]
    reasons = [(", ".join(map(str, numbers)), why) for numbers, why in paragraphs(seen.not_finite)]
    said = table(("steps", "reason"), reasons) if reasons else ""
    return whole(heading("watch"), note(str(seen).splitlines()[0]), *map(_chart, filter(None, lines)), said)


def _chart(line):
    """A curve over the steps, in the page's own colour; a dashed line marks a skipped step."""
    curves = "".join(f'<polyline points="{points}" fill="none" stroke="currentColor"/>' for points in line.pieces)
    marks = "".join(
        f'<line x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{HEIGHT}" stroke="#c60" stroke-dasharray="4"/>' for x in line.marks
    )
    labels = "".join(f'<text x="-8" y="{y + 4:.1f}" text-anchor="end">{text(name)}</text>' for y, name in line.ticks)
    box = f"-70 -12 {WIDTH + 80} {HEIGHT + 24}"
    drawing = f'<svg viewBox="{box}" style="max-width:36em;font-size:12px" fill="currentColor" role="img">'
    return f"<div>{code(line.name)}</div>{drawing}<title>{text(line.summary)}</title>{curves}{marks}{labels}</svg>"
