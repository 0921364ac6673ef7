"""Commands: ``minispore run``, ``check``, ``train``, ``explain``, ``convert``, ``course``, ``stubs``, ``info``."""

import argparse
import importlib.metadata
import os
import platform
import sys

import numpy as np

import minispore
from minispore import amp, devices
from minispore.amp.policy import levels
from minispore.core.errors import escaped, is_own_sentence
from minispore.devices import gpu
from minispore.ops.kernels import workers
from minispore.tools import insight
from minispore.tools.cli import colors, command, options, ranks, scripts, usage
from minispore.tools.cli.convert import convert
from minispore.tools.cli.course import add_course
from minispore.tools.cli.mindspore_stubs import add_stubs
from minispore.tools.cli.network_file import network_in

__all__ = ["main"]


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def error(self, message):
        """Say what is wrong, and end with exit code 2."""
        self.exit(2, f"{self.prog}: {escaped(' '.join(message.split()))}\n")


def _parser():
    parser = _Parser(prog="minispore", description="Mixed precision in MindSpore's ways, on NumPy and CuPy.")
    parser.add_argument("--version", action="version", version=f"minispore {minispore.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    text = "train a network on images at each level of mixed precision, and compare the levels"
    train = commands.add_parser("train", help=text, description=f"{text[0].upper()}{text[1:]}.", allow_abbrev=False)
    options.add_options(train)
    train.set_defaults(run=_train, parser=train)
    text = "show what a level of mixed precision would convert in a network, where, and what not"
    explain = commands.add_parser("explain", help=text, description=f"{text[0].upper()}{text[1:]}.")
    explain.add_argument("network", metavar="FILE:NAME", help="a Python file and the Cell class or function in it")
    explain.add_argument("--level", choices=levels.all_names(), default="O1", help="the level (default O1)")
    explain.add_argument("--dtype", choices=("float16", "bfloat16"), help="default: the level's own, float16")
    explain.add_argument("--recipe", type=options.recipe_text, metavar="RECIPE", help=options.RECIPE_HELP)
    explain.add_argument("--html", metavar="OUT", help="write the same as a page, with the network as a tree")
    explain.set_defaults(run=_explain, parser=explain)
    text = "write a checkpoint anew: .ckpt is MindSpore's own format, .safetensors the open one"
    convert = commands.add_parser("convert", help=text, description=f"{text[0].upper()}{text[1:]}.")
    convert.add_argument("source", metavar="FROM", help="a checkpoint of either format")
    convert.add_argument("target", metavar="TO", help="a file ending in .ckpt or .safetensors")
    convert.add_argument("--overwrite", action="store_true", help="replace an existing file")
    convert.set_defaults(run=_convert, parser=convert)
    text = "run a script that imports mindspore, as Python would, with minispore in MindSpore's place"
    run = commands.add_parser("run", help=text, description=f"{text[0].upper()}{text[1:]}.", allow_abbrev=False)
    run.add_argument("-m", action="store_true", dest="as_module", help="take SCRIPT for the name of a module")
    text = "compute loss scaling with an overflow check on the CPU, too, which MindSpore refuses"
    run.add_argument("--cpu-loss-scale", action="store_true", help=text)
    run.add_argument("script", metavar="SCRIPT", help="the script, or the module's name")
    run.add_argument("arguments", metavar="ARGS", nargs=argparse.REMAINDER, help="the script's own arguments")
    run.set_defaults(run=_run_script, parser=run)
    text = "list what code uses of mindspore and what of it is missing here, without running it"
    check = commands.add_parser("check", help=text, description=f"{text[0].upper()}{text[1:]}.")
    check.add_argument("path", metavar="SCRIPT|FOLDER", help="a Python file, a notebook, or a folder of them")
    check.add_argument("--json", action="store_true", help="print what was found as JSON")
    check.set_defaults(run=_check, parser=check)
    add_course(commands)
    add_stubs(commands)
    text = "show versions, the GPU and how it is used, and what the process set-up did"
    info = commands.add_parser("info", help=text, description=f"{text[0].upper()}{text[1:]}.")
    info.set_defaults(run=_info, parser=info)
    return parser


def _train(arguments):
    """Check the arguments before anything is trained, then train."""
    job = options.job_from(arguments)
    try:
        trainings = command.prepare(job)
    except (ValueError, OSError, RuntimeError) as error:
        arguments.parser.error(str(error))
    try:
        command.train(trainings)
    except KeyboardInterrupt:
        if ranks.is_first():
            print(escaped(f"Interrupted; {_what_next(job)}."), file=sys.stderr)
        return 130
    except OSError as error:
        print(escaped(f"{arguments.parser.prog}: {error}; {_what_next(job)}."), file=sys.stderr)
        return 1
    except (TypeError, ValueError) as error:
        if not is_own_sentence(error):
            raise
        print(escaped(f"{arguments.parser.prog}: {_in_network(error, job)}"), file=sys.stderr)
        return 1
    return 0


def _in_network(error, job):
    """An error of a network that does not fit the images, with its place in the network."""
    places = " ".join(f"{note}." for note in getattr(error, "__notes__", ()))
    shape = "each image has the shape {} (channels, height, width), which '--color' and '--image-size' change"
    return f"{error} {places} Note that {shape.format(job.image_shape)}."


def _what_next(job):
    """The advice after a training that was ended early."""
    if any(job.checkpoint(level).exists() for level in job.levels):
        return f"the same command with --resume goes on from what is saved in '{job.out}'"
    return f"nothing is saved in '{job.out}' yet: the same command begins anew"


def _run_script(arguments):
    """Run a script; its end is the command's end, as Python gives it."""
    try:
        prepared = scripts.prepare(arguments.script, arguments.arguments, arguments.as_module, arguments.cpu_loss_scale)
    except (OSError, ValueError) as error:
        arguments.parser.error(str(error))
    return scripts.run(prepared)


def _check(arguments):
    """Print what code uses of MindSpore and lacks here; 1 if it lacks something."""
    try:
        found = usage.used_in(arguments.path)
    except OSError as error:
        arguments.parser.error(str(error))
    print(usage.as_json(found) if arguments.json else escaped(usage.as_text(found)))
    return int(any(name.missing for name in found.names))


def _explain(arguments):
    """Print the receipt of a network in a file, and the changes that O1 makes to its source."""
    try:
        network, dtype = network_in(arguments.network), arguments.dtype and getattr(minispore, arguments.dtype)
        receipt = amp.explain(network, arguments.level, dtype, recipe=arguments.recipe)
        if arguments.html:
            converted = amp.auto_mixed_precision(network, arguments.level, dtype, recipe=arguments.recipe)
            part = converted if hasattr(converted, "amp_report") else receipt
            insight.Report(part, title=arguments.network).save(arguments.html)
    except (ImportError, OSError, TypeError, ValueError) as error:
        arguments.parser.error(str(error))
    shown, diff = str(receipt), escaped(receipt.diff())
    if colors.wanted(sys.stdout):
        shown, diff = colors.colored_receipt(receipt), colors.colored_diff(diff)
    print(shown)
    if diff:
        print(f"\n{diff}", end="")
    return 0


def _convert(arguments):
    """Convert a checkpoint."""
    try:
        convert(arguments.source, arguments.target, arguments.overwrite)
    except (OSError, ValueError) as error:
        arguments.parser.error(str(error))
    return 0


def _version_of(*packages):
    """The version of the first of the packages that is installed."""
    for package in packages:
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return "not installed"


def _of_gpu():
    """The GPU, what it takes to use it, and how it is used."""
    try:
        found = gpu.gpu_facts()
    except RuntimeError as error:
        return {"GPU": f"none can be used: that {str(error).removeprefix(_OF_CONTEXT)}"}
    return found | {
        "fused kernels": ", ".join(devices.names_with_kernels()),
        "CUDA graphs": "graph mode replays a step as one unless the host has a say (docs/explain/captured_steps.md)",
    }


def _with_room(kind):
    """The name of a class with its room: the primitive ``ops.ReLU`` is listed, the cell ``nn.ReLU`` is not."""
    return f"{'nn' if issubclass(kind, minispore.nn.Cell) else 'ops'}.{kind.__name__}"


def _info(_):
    """Print what a bug report should contain."""
    lines = {
        "minispore": minispore.__version__,
        "Python": f"{platform.python_version()} on {platform.platform()}",
        "NumPy": np.__version__,
        "CuPy": _version_of("cupy-cuda12x", "cupy-cuda13x", "cupy"),
        "matplotlib": _version_of("matplotlib"),
        **_of_gpu(),
        **minispore.STARTUP,
        "workers": f"{workers.count()}, which share each large operation ({workers.REASON})",
        "white list": ", ".join(map(_with_room, amp.get_white_list())),
        "black list": ", ".join(map(_with_room, amp.get_black_list())),
    }
    for name, text in lines.items():
        print(escaped(f"{name}: {text}"))
    return 0


_OF_CONTEXT = "For 'set_context', device_target=\"GPU\" "  # the beginning of such an error
_CLOSED_PIPE = 141  # a shell's status of a command that ended because nobody reads its output


def main(argv=None):
    """Run the command line; returns the exit code, which is 141 where nobody reads the output: ``| head`` does so.

    Args:
        argv (list[str]): The arguments. Default: None, those of the process.

    Raises:
        SystemExit: With code 0 after ``--help`` and ``--version``; with code 2 and one sentence on standard error, if
            an argument or what it names is wrong.
    """
    try:
        try:
            return _run(argv)
        finally:
            sys.stdout.flush()  # Python's own at the end could not be caught
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _CLOSED_PIPE


def _run(argv):
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        parser.print_help()
        return 0
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
