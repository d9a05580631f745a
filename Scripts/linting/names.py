"""Names of files and tests in texts and programs: they exist."""

import re

from . import markdown

# A path of this project as people write it: `Scripts/bench upload`, Docs/exit-codes.md, `Samples/cluster/`.
PATH = re.compile(r"(?<![\w./$}~-])((?:Scripts|Docs)/[\w./*-]*[\w*/])")
PROSE_PATH = re.compile(
    r"(?<![\w./$}~-])((?:Scripts|Docs|Samples|Tests|Sources|supabase|\.ci|\.github)/[\w./*-]*[\w*/])")
# `ClipMedia/Prober`, `Upload/ChunkProtocol`, `ShareEngine/SharePipeline.advance`, `Privacy/*Audit`.
MODULE_FILE = re.compile(r"`(\w+)/([\w*/+]+)(?:\.\w+)*`")
# Drawn by programs, and the names that do not exist on purpose.
UNREAD = ("Docs/pictures/", "Scripts/linting/breakages.py")
# What the column of a table is called that holds names of tests.
HEADS = ("test", "tested by", "proved by")
CITED = re.compile(r"`(?:(\w+Tests)\.)?(\w+)`")


def check(project):
    for path in project.texts():
        if path.endswith((".json", ".svg", ".sql")) or path.startswith(UNREAD):
            continue
        pattern = PROSE_PATH if path.endswith(".md") else PATH
        for number, line in project.lines(path):
            for match in pattern.finditer(line):
                # The samples tell where to put things in projects of others.
                if match[1].startswith(".github/") and path.startswith("Samples/"):
                    continue
                if not is_there(project, match[1], path):
                    yield path, number, f"there is no {match[1]}"
    modules = {path.split("/")[1] for path in project.paths if path.startswith("Sources/")}
    declared = declarations(project)
    for path in project.named(".md"):
        if path.startswith(("README.md", "Docs/")):
            yield from module_files(project, path, modules)
            yield from cited_tests(project, path, declared)


def is_there(project, name, user):
    """A file, a folder, a Swift file without its ending, or a pattern that something fits; from the top or beside."""
    for base in ("", user.rpartition("/")[0] + "/"):
        wanted = base + name.rstrip("/")
        if project.exists(wanted) or project.exists(wanted + ".swift"):
            return True
        if "*" in wanted and any(re.fullmatch(re.escape(wanted).replace(r"\*", "[^/]*"), path)
                                 for path in [*project.paths, *project.folders]):
            return True
    return False


def module_files(project, path, modules):
    """A file of a target (by its path in there, or by its name alone), or one of its types."""
    for number, line in markdown.prose(project, path):
        for match in MODULE_FILE.finditer(line):
            module, name = match[1], match[2]
            if module not in modules or module == "bsc" and name.islower():
                continue
            pattern = f"Sources/{module}/(.*/)?" + re.escape(name).replace(r"\*", "[^/]*") + r"(\.\w+|/.*)"
            is_file = any(re.fullmatch(pattern, file) for file in project.paths)
            if not is_file and not declares(project, module, name):
                yield path, number, f"there is no {name} in Sources/{module}"


def declares(project, module, name):
    pattern = re.compile(rf"\b(struct|class|enum|actor|protocol|typealias) {re.escape(name)}\b")
    return any(pattern.search(project.text(path)) for path in project.named(".swift")
               if path.startswith(f"Sources/{module}/"))


def declarations(project):
    """Names of functions and types that tests declare, and the suites with theirs."""
    functions, suites = set(), {}
    for path in project.named(".swift"):
        if not path.startswith("Tests/"):
            continue
        text = project.text(path)
        own = set(re.findall(r"\bfunc (\w+)", text))
        functions |= own
        for suite in re.findall(r"\b(?:struct|class|actor|enum|extension) (\w+Tests)\b", text):
            suites.setdefault(suite, set()).update(own)
    return functions, suites


def cited_tests(project, path, declared):
    """`SomeTests`, `SomeTests.function` anywhere, and `function` in a column of `HEADS`."""
    functions, suites = declared
    columns = []
    for number, line in markdown.prose(project, path):
        for suite, function in CITED.findall(line):
            if suite and (suite not in suites or function not in suites[suite]):
                yield path, number, f"there is no test {suite}.{function}"
            if not suite and re.fullmatch(r"[A-Z]\w+Tests", function) and function not in suites:
                if not project.exists(f"Tests/{function}"):
                    yield path, number, f"there are no tests {function}"
        if not line.startswith("|"):
            columns = []
            continue
        cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
        if not columns:
            columns = [index for index, cell in enumerate(cells) if cell.strip() in HEADS] or [-1]
        for cell in (cells[index] for index in columns if 0 <= index < len(cells)):
            for suite, function in CITED.findall(cell):
                if not suite and function[0].islower() and re.search("[A-Z]", function) and function not in functions:
                    yield path, number, f"there is no test {function}"
