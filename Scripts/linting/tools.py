"""Programs of PyPI that the checks use, in a virtual environment of their own under .build."""

import shutil
import subprocess
import sys
from pathlib import Path

PLACE = Path(__file__).resolve().parent.parent.parent / ".build/lint"
# All that is used; neither needs others.
PACKAGES = ["pyflakes==4.1.0", "PyYAML==6.0.3"]


def python(project):
    """The Python that has them, made once, and again when the list has changed; None without PyPI, told once."""
    python, stamp, wanted = PLACE / "venv/bin/python", PLACE / "stamp", "\n".join([sys.version, *PACKAGES])
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    told = "pyflakes and YAML: their packages are not in .build/lint, and PyPI gave none"
    if told in project.skipped:
        return None
    print("lint: installing the packages", file=sys.stderr)
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet", "--retries", "1"]
    for command in ([sys.executable, "-m", "venv", PLACE / "venv"],
                    [*pip, "install", "--no-deps", "--only-binary", ":all:", *PACKAGES]):
        if subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode != 0:
            project.skipped.append(told)
            return None
    stamp.write_text(wanted)
    return python
