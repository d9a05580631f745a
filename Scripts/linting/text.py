"""Every text file: ends of lines, marks of conflicts, paths of machines, and what should not be there."""

import re

CONFLICT = re.compile(r"^(<<<<<<< |>>>>>>> |=======$|\|\|\|\|\|\|\| )")
# A home of somebody, or the folders that this project was once worked on in. /home/ada is the example of the documents.
MACHINE = re.compile(r"(?<![\w.)\]}~-])/(?:work/|home/(?!ada\b)\w+|Users/(?!ada\b)\w+|root/\w)")
# A temporary folder is asked of the system; elsewhere it is an example.
TEMPORARY = re.compile(r"(?<![\w.)\]}~-])/tmp/\w")
PLACES_OF_EXAMPLES = ("Tests/", "supabase/tests/", "supabase/functions/tests/")
LEFTOVER = re.compile(r"(^|/)(__pycache__/|\.DS_Store$)|\.(pyc|orig|rej|swp|bak)$|~$")


def check(project):
    for path in project.paths:
        if LEFTOVER.search(path):
            yield path, 1, "left behind by a program"
    for path in project.texts():
        text = project.text(path)
        if "\ufffd" in text:
            yield path, 1 + text[:text.index("\ufffd")].count("\n"), "is not UTF-8"
        if "\r" in text:
            yield path, 1 + text[:text.index("\r")].count("\n"), "has a carriage return"
        if text and not text.endswith("\n"):
            yield path, text.count("\n") + 1, "ends without a line break"
        elif text.endswith("\n\n"):
            yield path, text.count("\n"), "ends with an empty line"
        yield from lines(project, path)


def lines(project, path):
    is_fenced = False
    for number, line in project.lines(path):
        if path.endswith(".md") and line.lstrip().startswith("```"):
            is_fenced = not is_fenced
        if line != line.rstrip(" \t\r"):
            yield path, number, "ends with a space"
        if CONFLICT.match(line):
            yield path, number, "mark of a conflict"
        if path.startswith(PLACES_OF_EXAMPLES) or is_fenced:
            continue
        for pattern in (MACHINE, TEMPORARY):
            match = pattern.search(line)
            if match:
                yield path, number, f"a path of somebody's machine: {match[0]}"


def fix(project):
    """Takes away spaces at ends of lines and empty lines at ends of files, and gives every file its last line break."""
    for path in project.texts():
        text = project.text(path)
        if "\ufffd" in text:
            continue
        mended = "\n".join(line.rstrip(" \t\r") for line in text.split("\n")).rstrip("\n")
        mended += "\n" if mended else ""
        if mended != text:
            (project.root / path).write_text(mended, encoding="utf-8", newline="\n")
    project.text.cache_clear()
