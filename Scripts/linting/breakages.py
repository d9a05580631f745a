"""Breaks each thing that Scripts/lint looks at, once, in a small project of its own, and wants it told."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from . import files

SOUND = {
    "README.md": "# Title\n\nSee [the page](Docs/page.md#a-heading), `ClipModel/Thing` and `Scripts/good`.\n",
    "Docs/page.md": "# Page\n\n## A `heading`\n\nBack [up](../README.md). ![x](drawing.svg)\n\n"
                    "| what | test |\n| --- | --- |\n| it | `aThingWorks`, `ThingTests.aThingWorks` |\n",
    "Docs/drawing.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n",
    "Sources/ClipModel/Thing.swift": "struct Thing {\n  let count: Int\n}\n",
    "Tests/ThingTests.swift": "struct ThingTests {\n  func aThingWorks() {}\n}\n",
    "Scripts/good": "#!/usr/bin/env bash\nset -euo pipefail\necho \"$HOME\"\n",
    "Scripts/fine": "#!/usr/bin/env python3\nprint(1)\n",
    "a.json": "{\"a\": 1}\n", "a.yml": "a: 1\n", "a.toml": "a = 1\n",
}

# The check, the file, what stands in it (None: the file goes), and what has to be said of it.
BREAKAGES = [
    ("swift", "Sources/ClipModel/Thing.swift", "struct Thing {\n    let count: Int\n}\n", "2: error"),
    ("swift", "Sources/ClipModel/Thing.swift", "struct Thing {\n", "error"),
    ("bash", "Scripts/good", "#!/usr/bin/env bash\nif true; then\n", "syntax error"),
    ("bash", "Scripts/good", "#!/usr/bin/env bash\nrm $1\n", "2: note: Double quote"),
    ("python", "Scripts/fine", "#!/usr/bin/env python3\n\nprint(\n", "3: '(' was never closed"),
    ("python", "Scripts/fine", "#!/usr/bin/env python3\nprint('\\d')\n", "invalid escape sequence"),
    ("python", "Scripts/fine", "#!/usr/bin/env python3\nimport os\n", "2: 'os' imported but unused"),
    ("markdown", "README.md", "# Title\n[a](Docs/gone.md)[b](Docs/page.md)\n", "2: dead link: Docs/gone.md"),
    ("markdown", "README.md", "[a](Docs/page.md#another)\n", "1: dead link: Docs/page.md#another"),
    ("markdown", "README.md", "[a](Docs/page.md)\n\n<img src=\"Docs/gone.jpg\">\n", "3: dead link: Docs/gone.jpg"),
    ("markdown", "README.md", "[a]\n\n[a]: Docs/gone.md\n", "3: dead link: Docs/gone.md"),
    ("markdown", "Docs/drawing.svg", None, "Docs/page.md:5: dead link: drawing.svg"),
    ("docs", "README.md", "# Title\n`[the page](Docs/page.md)`\n", "Docs/page.md:1: no link leads here"),
    ("docs", "Docs/new.json", "{}\n", "Docs/new.json:1: no link leads here"),
    ("names", "Docs/page.md", "# Page\nRun `Scripts/gone`.\n", "2: there is no Scripts/gone"),
    ("names", "Sources/ClipModel/Thing.swift", "let help = \"see Docs/gone.md\"\n", "1: there is no Docs/gone.md"),
    ("names", "README.md", "# Title\n`ClipModel/Gone`\n", "2: there is no Gone in Sources/ClipModel"),
    ("names", "Docs/page.md", "| test |\n| --- |\n| `aThingFails` |\n", "3: there is no test aThingFails"),
    ("names", "Docs/page.md", "`ThingTests.aThingFails`\n", "1: there is no test ThingTests.aThingFails"),
    ("names", "Docs/page.md", "`OtherTests`\n", "1: there are no tests OtherTests"),
    ("data", "a.json", "{\"a\": 1,}\n", "1: no JSON"),
    ("data", "a.json", "{\"a\": 1, \"a\": 2}\n", "a key is there twice: a"),
    ("data", "a.yml", "a: [\n", "no YAML"),
    ("data", "a.toml", "a = 1\nb = \n", "2: no TOML"),
    ("data", "Docs/drawing.svg", "<svg>\n", "no XML"),
    ("text", "README.md", "# Title \n", "1: ends with a space"),
    ("text", "README.md", "# Title\r\n", "carriage return"),
    ("text", "README.md", "# Title", "1: ends without a line break"),
    ("text", "README.md", "# Title\n\n", "ends with an empty line"),
    ("text", "README.md", b"# T\xfftle\n", "1: is not UTF-8"),
    ("text", "README.md", "<<" + "<<<<< HEAD\na\n", "1: mark of a conflict"),
    ("text", "README.md", "# T\n==" + "=====\n", "2: mark of a conflict"),
    ("text", "README.md", "in /" + "work/main\n", "1: a path of somebody's machine: /" + "work/"),
    ("text", "Scripts/good", "#!/usr/bin/env bash\necho /" + "tmp/x\n", "2: a path of somebody's machine: /" + "tmp/x"),
    ("text", "Scripts/__pycache__/a.pyc", "", "left behind by a program"),
]


def run(root, checks, start_swift):
    """Prints a line for each breakage that was not told, and gives their number."""
    failures = 0
    with tempfile.TemporaryDirectory(prefix="lint-") as folder:
        subprocess.run(["git", "init", "--quiet", folder], check=True)
        shutil.copy(root / ".swift-format", folder)
        for name in checks:
            told = findings(folder, name, checks, start_swift, {})
            if told:
                failures += 1
                print(f"lint: {name} finds something in what is sound: {told}")
        for name, path, content, wanted in BREAKAGES:
            told = findings(folder, name, checks, start_swift, {path: content})
            if not any(wanted in line for line in told):
                failures += 1
                print(f"lint: {name} did not tell {wanted!r} of {content!r} in {path}: {told}")
    print(f"lint: {len(BREAKAGES)} breakages, {failures} not told")
    return failures


def findings(folder, name, checks, start_swift, changes):
    for path in ["a.json", "README.md", "a.yml", "a.toml"]:
        (Path(folder) / path).unlink(missing_ok=True)
    for part in ("Docs", "Sources", "Tests", "Scripts"):
        shutil.rmtree(Path(folder) / part, ignore_errors=True)
    for path, content in {**SOUND, **changes}.items():
        if content is None:
            continue
        (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
        (Path(folder) / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    project = files.Project(Path(folder))
    found = checks[name](project, start_swift(project)) if name == "swift" else checks[name](project)
    return [f"{path}:{line}: {what}" for path, line, what in found]
