"""Programs: Swift's style, bash and Python scripts."""

import re
import shutil
import subprocess
import warnings

from . import tools

MESSAGE = re.compile(r"^(?P<path>[^:]+):(?:line )?(?P<line>\d+):(?:(?P<column>\d+):)? ?(?P<what>.*)$")


def findings(project, output, clean=lambda what: what):
    """What a program printed as `file:line:column: what`; a line of another shape is told as it is."""
    for line in output.splitlines():
        match = MESSAGE.match(line.replace(str(project.root) + "/", "").replace(": line ", ":"))
        if match:
            yield match["path"].removeprefix("./"), int(match["line"]), clean(match["what"].strip())
        elif line.strip():
            yield "Scripts/lint", 1, line.strip()


def run(project, *command):
    done = subprocess.run(command, cwd=project.root, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


# --- Swift

def start_swift(project):
    """The formatter at work on all files; None without Swift."""
    paths = project.named(".swift")
    if not shutil.which("swift"):
        project.skipped.append("the style of Swift files: there is no swift")
        return None
    return subprocess.Popen(["swift", "format", "lint", "--strict", "--parallel", *paths], cwd=project.root, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def swift(project, running):
    output, _ = running.communicate()
    found = list(findings(project, output))
    if running.returncode != 0 and not found:
        found.append(("Package.swift", 1, f"swift format failed ({running.returncode}) and said nothing"))
    return found


def format_swift(project):
    if shutil.which("swift"):
        run(project, "swift", "format", "--in-place", "--parallel", *project.named(".swift"))


# --- bash

def bash(project):
    paths = project.scripts("bash", "sh")
    for path in paths:
        status, output = run(project, "bash", "-n", path)
        if status != 0:
            yield from findings(project, output)
    if not shutil.which("shellcheck"):
        project.skipped.append("shellcheck: it is not installed (Scripts/bootstrap --tests)")
    elif paths:
        yield from findings(project, run(project, "shellcheck", "--format", "gcc", *paths)[1])


# --- Python

def python(project):
    paths = sorted({*project.named(".py"), *project.scripts("python")})
    for path in paths:
        # Compiled in memory: nothing is left behind.
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                compile(project.text(path), path, "exec", dont_inherit=True)
            except SyntaxError as error:
                yield path, error.lineno or 1, error.msg
            except (Warning, ValueError) as error:
                yield path, 1, str(error)
    interpreter = tools.python(project)
    if interpreter:
        yield from findings(project, run(project, interpreter, "-m", "pyflakes", *paths)[1])
