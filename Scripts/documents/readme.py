"""The parts of README.md that are made: what stands between two comments."""

import re

WARNING = "Made by Scripts/make-docs"


def pattern(name):
    return re.compile(rf"(<!-- {name}: [^\n]*-->\n)(.*?)(<!-- end of {name} -->)", re.DOTALL)


def part(text, name):
    found = pattern(name).search(text)
    if not found:
        raise SystemExit(f"make-docs: README.md has no part called {name}: <!-- {name}: {WARNING} -->, "
                         f"and <!-- end of {name} --> behind it")
    return found[2]


def with_part(text, name, body):
    part(text, name)
    return pattern(name).sub(lambda found: found[1] + body + found[3], text)


def fences(body):
    """The texts of the fenced blocks, as lists of lines."""
    return [block.splitlines() for block in re.findall(r"^```\w*\n(.*?)^```$", body, re.DOTALL | re.MULTILINE)]


def block(played, columns):
    """A command and its output."""
    output = "\n".join(cut(line, columns) for line in played.text)
    return f"```sh\n{played.step.command}\n```\n\n```\n{output}\n```\n"


def cut(line, columns):
    return line if len(line) <= columns else line[:columns - 1].rstrip() + "…"
