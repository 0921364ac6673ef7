"""What pages and errors tell to install can be had: the clone itself, or what setup.cfg asks a package index for."""

import ast
import configparser
import re
from pathlib import Path

CLONE = Path(__file__).parent.parent
SOURCES = sorted((CLONE / "minispore").rglob("*.py"))
PAGES = [
    CLONE / "README.md",
    CLONE / "CONTRIBUTING.md",
    *sorted(CLONE.glob("docs/**/*.md")),
    CLONE / "benchmarks/README.md",
]


def configuration():
    parser = configparser.ConfigParser()
    parser.read(CLONE / "setup.cfg")
    return parser


def texts():
    """Every page, and every text in the package's code that may tell to install something, with its place."""
    for path in PAGES:
        yield path.name, path.read_text(encoding="utf-8")
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        if "install" in source or "minispore[" in source:  # parsing the others would take most of the time
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield f"{path.relative_to(CLONE)}:{node.lineno}", node.value


def asked_of_pip():
    """What each ``pip install`` of a text asks for: (place, argument)."""
    for place, text in texts():
        for arguments in re.findall(r'pip install((?: (?:-[\w-]+|"[^"\n]+"|[\w.\[\]<>=-]*\w))+)', text):
            for argument in re.findall(r'"[^"]+"|\S+', arguments):
                if not argument.startswith("-"):
                    yield place, argument.strip('"')


def can_be_had(argument):
    """Whether it is the clone with extras that it has, or a package that ``setup.cfg`` asks for in the same words."""
    options, extras = configuration()["options"], configuration()["options.extras_require"]
    if argument.startswith("."):
        return set(filter(None, argument.lstrip(".").strip("[]").split(","))) <= extras.keys()
    lines = [line.strip() for text in (options["install_requires"], *extras.values()) for line in text.splitlines()]
    return argument in lines and not argument.startswith("minispore")


def test_what_a_text_tells_to_install_can_be_had():
    asked = list(asked_of_pip())
    assert {place.partition(":")[0] for place, _ in asked} >= {"README.md", "CONTRIBUTING.md"}
    assert [(place, argument) for place, argument in asked if not can_be_had(argument)] == []


def test_no_text_names_minispore_as_a_package_of_an_index():
    assert [place for place, text in texts() if re.search(r"\bminispore\[|pip install minispore", text)] == []


def test_the_errors_that_tell_to_install_are_among_them():
    named = {re.match(r"[\w-]+", argument)[0] for place, argument in asked_of_pip() if place.startswith("minispore")}
    assert named >= {"cupy-cuda12x", "cupy-cuda13x", "matplotlib"}


def test_the_environment_of_the_device_tests_has_all_that_the_package_needs():
    needed = configuration()["options"]["install_requires"].split()
    given = (CLONE / "tests" / "cpucuda" / "requirements.txt").read_text().splitlines()
    assert {line for line in needed if not line.startswith("numpy")} <= set(given)  # CuPy brings NumPy
