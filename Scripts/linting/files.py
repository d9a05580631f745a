"""The files of the project as git knows them, each read once."""

import functools
import re
import subprocess
import sys

# What no editor of text looks at.
BINARY = re.compile(r"\.(mp4|mov|jpe?g|png|gif|webp)$")


class Project:
    """All files that git tracks, and new ones that it does not ignore; as they are in the working tree."""

    def __init__(self, root):
        self.root = root
        listed = subprocess.run(
            # In a container the folder often belongs to somebody else, and git would not look at it.
            ["git", "-c", f"safe.directory={root}", "--no-optional-locks", "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"], cwd=root, capture_output=True, text=True)
        if listed.returncode != 0:
            sys.exit(f"lint: git cannot list the files of {root}: {listed.stderr.strip()}")
        self.paths = sorted({path for path in listed.stdout.split("\0") if path and (root / path).is_file()})
        self.known = set(self.paths)
        self.folders = {"/".join(path.split("/")[:depth])
                        for path in self.paths for depth in range(1, path.count("/") + 1)}
        # What could not be checked on this machine, and why.
        self.skipped = []

    def named(self, *suffixes):
        return [path for path in self.paths if path.endswith(suffixes)]

    def texts(self):
        """The paths of all files that are text."""
        return [path for path in self.paths if not BINARY.search(path)]

    @functools.cache
    def text(self, path):
        return (self.root / path).read_bytes().decode("utf-8", "replace")

    def lines(self, path):
        """(number, line) of a file, counted from 1."""
        return enumerate(self.text(path).split("\n"), 1)

    def scripts(self, *interpreters):
        """The paths of programs that begin with #! and one of these interpreters."""
        found = []
        for path in self.texts():
            first = self.text(path).split("\n", 1)[0]
            if first.startswith("#!") and re.search(rf"\b({'|'.join(interpreters)})\d?\s*$", first):
                found.append(path)
        return found

    def exists(self, path):
        return path in self.known or path.rstrip("/") in self.folders
