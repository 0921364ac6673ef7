"""``minispore course``: exercises on mixed precision that grade themselves."""

from minispore.core.errors import escaped
from minispore.tools.course.desk import Desk

__all__ = ["add_course"]

FOLDER = "minispore-course"
NUMBER = "an exercise such as 6.2, or a chapter: its first exercise that is not solved"


def add_course(commands):
    """Add the command to the table of commands, with its own: list, start, check and hint."""
    text = "learn mixed precision by exercises that grade themselves"
    parser = commands.add_parser("course", help=text, description=f"{text[0].upper()}{text[1:]}.")
    parser.set_defaults(run=lambda arguments: _say(parser))
    inner = parser.add_subparsers(dest="part", metavar="list|start|check|hint")
    of = {name: _part(inner, name, text) for name, text in PARTS.items()}
    for name in ("start", "check", "hint"):
        of[name].add_argument("number", metavar="N", help=NUMBER)
    of["start"].add_argument("--again", action="store_true", help="write the file anew; what you wrote is lost")
    of["check"].add_argument("file", metavar="FILE", nargs="?", help="another file than the one that 'start' wrote")


PARTS = {
    "list": "show the chapters, the exercises and your progress",
    "start": "write the file of an exercise and show its text",
    "check": "grade your file: what fails, by the smallest counterexample, and a hint",
    "hint": "show the next hint",
}


def _part(inner, name, text):
    parser = inner.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    where = "the folder for your files and progress.json (default: %(default)s)"
    parser.add_argument("--dir", metavar="DIR", default=FOLDER, help=where)
    parser.set_defaults(run=_course, parser=parser)
    return parser


def _say(parser):
    parser.print_help()
    return 0


def _course(arguments):
    """Do one part; what is wrong with its arguments is one sentence."""
    status = 0
    try:
        desk = Desk(arguments.dir)
        if arguments.part == "list":
            text = desk.list()
        elif arguments.part == "start":
            text = desk.start(arguments.number, arguments.again)
        elif arguments.part == "check":
            text, status = desk.check(arguments.number, arguments.file)
        else:
            text = desk.hint(arguments.number)
    except (ValueError, OSError) as error:
        arguments.parser.error(str(error))
    print(escaped(text))
    return status
