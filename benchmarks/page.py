"""The page on performance: the template's text with a run's numbers in it."""

from pathlib import Path
from string import Template

import image_pipeline
import tables
import timeline
from figures import all_missed, good
from peers import TORCH

TEMPLATE = Path(__file__).resolve().parent / "performance_template.md"
NOT_MEASURED = "Not measured in this run."
NO_IMAGES = "Not measured: `benchmarks/image_pipeline.py` measures it."


def _machine(results):
    lines = {**results["machine"], "Peers": ", ".join(f"{k} {v}" for k, v in results["versions"].items())}
    return "\n".join(f"- {word}: {said}." for word, said in lines.items())


def _run(results):
    clock = {"wall_ms": "wall time", "cpu_ms": "processor time of all threads"}[results["clock"]]
    return (
        f"{results['rounds']} rounds of minispore and PyTorch, {results['peer_rounds']} of the others, "
        f"{results['seconds']} timed seconds each; ratios are judged by {clock}. {_quiet(results)}"
    )


def _quiet(results):
    """How busy the machine was: PyTorch's wall time over its processor time, on one thread."""
    found = [
        each["wall_ms"] / each["cpu_ms"]
        for peers in results["steps"].get("1", {}).values()
        for each in good(peers.get(TORCH))
    ]
    if not found:
        return ""
    words = "was quiet" if max(found) < 1.1 else "was busy, and wall times are not to be quoted"
    return f"PyTorch's wall time was {min(found):.2f} to {max(found):.2f} of its processor time: the machine {words}."


def _missed(results):
    found = all_missed(results)
    named = [f"- {'**Must**' if kind == 'must' else 'Goal'}: {sentence}." for kind, sentence in found]
    return "\n".join(named) or "None of those measured."


def _steps(results, threads):
    parts = [
        f"### `{name}`: {tables.WORKLOADS[name].about}\n\n{tables.steps(name, peers)}"
        for name, peers in results["steps"].get(threads, {}).items()
    ]
    return "\n\n".join(parts)


def _levels(results):
    return "\n\n".join(f"`{name}`\n\n{tables.levels(peers)}" for name, peers in results["levels"].items())


def text(results):
    """The page of some results; what was not measured is said to be so."""
    alone = results["steps"].get("1", {})
    parts = {
        "machine": _machine(results),
        "run": _run(results),
        "missed": _missed(results),
        "targets": alone and tables.targets(alone, results["clock"], results["bounds"]),
        "one_thread": _steps(results, "1"),
        "two_threads": _steps(results, "2"),
        "levels": _levels(results),
        "bounds": results["bounds"] and tables.bounds(results["bounds"]),
        "limits": results["bounds"] and tables.limits(results["bounds"]),
        "costliest": results["bounds"] and tables.costliest(results["bounds"]),
        **{key: results[key] and getattr(tables, key)(results[key]) for key in ("peak", "growth", "batches")},
        "images": image_pipeline.section(results["images"]) if results.get("images") else NO_IMAGES,
        "timeline": results.get("timeline") and tables.table(timeline.HEADER, results["timeline"]),
        "imports": results["import"] and tables.imports(results["import"]),
    }
    return Template(TEMPLATE.read_text()).substitute({key: part or NOT_MEASURED for key, part in parts.items()})
