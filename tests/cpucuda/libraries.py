"""The libraries that CuPy's modules are linked with: what driver/ has not is a stub that says its name and fails."""

import collections
import re
import subprocess

NAMES = "cublas|cusolver|cusparse|curand|cufft|nvrtc"
NOT_SUPPORTED = {"cuda": 801, "cublas": 15}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def symbols(path, defined, *flags):
    """Names that an object or library defines, or needs."""
    letter = "[TW]" if defined else "U"
    return set(re.findall(rf" {letter} (\w+)", output("nm", *flags, str(path))))


def stubs(names, status):
    lines = (
        f'int {n}() {{ fprintf(stderr, "CPU CUDA: {n} is not here\\n"); return {status}; }}' for n in sorted(names)
    )
    return "#include <stdio.h>\n" + "\n".join(lines) + "\n"


def compiled(text, source, out, *flags):
    """Compile C text to an object or library; gives its path."""
    source.write_text(text)
    subprocess.run(["gcc", "-O1", "-fPIC", "-w", source, *flags, "-o", out], check=True)
    return out


def missing_runtime(runtime, driver, folder):
    """An object with a stub for each function that CuPy's runtime module calls and driver/ has not."""
    made = set().union(*(symbols(path, True) for path in driver))
    needed = {name for name in symbols(runtime, False) if re.match(r"(cuda|cu)[A-Z]", name)}
    return compiled(stubs(needed - made, NOT_SUPPORTED["cuda"]), folder / "missing.c", folder / "missing.o", "-c")


def needed_libraries(site):
    """Library -> the names that CuPy's modules take from it."""
    wanted = collections.defaultdict(set)
    for package in ("cupy", "cupyx", "cupy_backends"):
        for path in (site / package).rglob("*.so"):
            libraries = re.findall(rf"\[(lib(?:{NAMES})\.so\.\d+)\]", output("readelf", "-d", str(path)))
            if libraries:
                names = symbols(path, False, "-D", "--undefined-only")
                for library in libraries:
                    prefix = library[3:].split(".")[0]
                    wanted[library] |= {name for name in names if name.startswith(prefix)}
    return wanted


def make_stubs(site, objects, folder, lib):
    """Each library by its name; those of products and factorizations lead to libcpublas.so."""
    made = set().union(*(symbols(path, True) for path in objects))
    for library, names in needed_libraries(site).items():
        base = library[3:].split(".")[0]
        ours = base in ("cublas", "cusolver")
        text = stubs(set() if base == "nvrtc" else names - made, NOT_SUPPORTED["cublas"])
        more = ["-Wl,--no-as-needed", f"-L{lib}", "-l:libcpublas.so", "-Wl,-rpath,$ORIGIN"] if ours else []
        compiled(text, folder / f"{base}_stubs.c", lib / library, "-shared", f"-Wl,-soname,{library}", *more)
