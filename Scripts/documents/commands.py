"""The commands in the documents are commands that bsc has, with flags that it knows."""

import json
import re
import shlex
import subprocess


class Commands:
    """What `bsc --experimental-dump-help` tells."""

    def __init__(self, bsc):
        help = json.loads(subprocess.run([bsc, "--experimental-dump-help"], check=True, capture_output=True).stdout)
        self.top = help["command"]

    def complaint(self, words):
        """What is wrong with a command line without its `bsc`; None when nothing is."""
        command, path = self.top, "bsc"
        words = list(words)
        while words and (below := self.below(command)):
            if words[0] not in below:
                break
            path, command = f"{path} {words[0]}", below[words.pop(0)]
        if command is self.top and words and not words[0].startswith("-"):
            return f"there is no bsc {words[0]}"
        known = self.names(command)
        for word in words:
            if word == "--":
                break
            flag = word.partition("=")[0]
            if re.fullmatch(r"--[a-z][a-z0-9-]*", flag) and flag not in known:
                return f"{path} has no {flag}"
            if re.fullmatch(r"-[A-Za-z]+", flag) and any(f"-{letter}" not in known for letter in flag[1:]):
                return f"{path} has no {flag}"
        return None

    @staticmethod
    def below(command):
        return {sub["commandName"]: sub for sub in command.get("subcommands", [])}

    def names(self, command):
        """The flags of a command, and those of the one that runs when none below is named."""
        found = {"--help", "-h", "--version", "--generate-completion-script"}
        for argument in command.get("arguments", []):
            for name in argument.get("names", []):
                found.add(("--" if name["kind"] == "long" else "-") + name["name"])
        default = command.get("defaultSubcommand")
        return found | (self.names(self.below(command)[default]) if default else set())


def lines(text):
    """(number, words) of the bsc commands in the fenced sh blocks of a document."""
    language = None
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"\s*```(\w*)", line)
        if fence:
            language = None if language is not None else fence[1]
        elif language in ("sh", "console", "bash"):
            for command in re.split(r"\|\||&&|;|\|", line):
                try:
                    words = shlex.split(command, comments=True)
                except ValueError:
                    continue
                if words and words[0] in ("bsc", "Scripts/bsc"):
                    yield number, words[1:]


def check(bsc, root):
    """`file:line: what` of each command that bsc would not take."""
    commands = Commands(bsc)
    for path in [root / "README.md", *sorted((root / "Docs").glob("*.md")), *sorted((root / "Samples").rglob("*.md"))]:
        for number, words in lines(path.read_text()):
            if complaint := commands.complaint(words):
                yield f"{path.relative_to(root)}:{number}: {complaint}"
