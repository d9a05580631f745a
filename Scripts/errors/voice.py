"""The one voice: what failed, why, what helps, in lower-case phrases without a full stop."""

import re

from .catalogue import SYSTEM

BANNED = re.compile(r"\b(please|failed to|unable|invalid|oops|sorry|illegal|fatal|error)\b|!", re.IGNORECASE)
# Where the word is a name.
HARMLESS = re.compile(r"input/output error|SQLite error|warning or error|errors? of a kind")
NAMES = re.compile(r"(MPEG|Mux|SQLite|XDG|BSC|TOML|JSON|UTF|MP4|Terminals)")
# Words that advice begins with.
VERBS = frozenset("""
    run check choose copy free share make set name write give take put move wait use install report say look see try ask
    update allow shorten export correct sign open remove rename type raise stop delete forget finish start turn add keep
    number read undo compare save create download
""".split())


class Voice:
    def __init__(self, root, without_next, states):
        """The lists: what may have no advice, [(what begins with, why begins with)]; what may be no "cannot"."""
        self.without_next, self.states, self.used = without_next, states, set()
        texts = "".join(path.read_text() for path in sorted((root / "Sources/bsc").rglob("*.swift")))
        self.flags = set(re.findall(r'customLong\("([a-z0-9-]+)"', texts)) | {"help", "version"}
        self.flags |= set(re.findall(r'\.long\("([a-z0-9-]+)"', texts))
        for name in re.findall(r"@(?:Flag|Option)\b.*?\bvar (\w+)", texts, re.DOTALL):
            self.flags.add(re.sub(r"([A-Z])", r"-\1", name).lower())
        self.commands = set(re.findall(r'commandName: "([a-z-]+)"', texts)) | {"help"}
        for name in re.findall(r"struct (\w+): (?:Async)?ParsableCommand", texts):
            self.commands.add(re.sub(r"(?<=[a-z])([A-Z])", r"-\1", name).lower())

    def judge(self, catalogue):
        problems = []
        for entry in catalogue.entries + catalogue.system:
            for problem in self.of(entry):
                line = f"{entry.place.lstrip('!')}: {problem}: {entry.what}: {entry.why}"
                if line not in problems:
                    problems.append(line)
        for note, place in catalogue.notes.items():
            kind, words = note.split(": ", 1)
            problems += [f"{place}: {problem}: {note}" for problem in self.of_text(words)]
        for each in [*self.without_next, *self.states]:
            if each not in self.used:
                problems.append(f"the list of exceptions has {each}, which is not in the code")
        return problems

    def of(self, entry):
        if not entry.what.startswith("cannot ") and not entry.place.startswith("!"):
            if not self.allowed(self.states, lambda state: entry.what.startswith(state)):
                yield "what failed does not begin with \"cannot\""
        for part, text in ("what", entry.what), ("why", entry.why), ("next", entry.next):
            if text is not None:
                for problem in self.of_text(text):
                    yield f"{part} {problem}"
        if entry.what in (entry.why or "") or (entry.why or "").startswith(entry.what[7:] or "\0"):
            yield "why repeats what failed"
        if (entry.why or "").startswith("cannot "):
            yield "why says what failed"
        if entry.next is None and entry.why is not SYSTEM:
            if not self.allowed(self.without_next, lambda pair: entry.what.startswith(pair[0])
                                and entry.why.startswith(pair[1])):
                yield "nothing says what to do next"
        if entry.next is not None:
            yield from self.of_advice(entry.next)

    def allowed(self, exceptions, holds):
        for each in exceptions:
            if holds(each):
                self.used.add(each)
                return True
        return False

    def of_text(self, text):
        bare = HARMLESS.sub("", text)
        found = BANNED.search(bare)
        if found:
            yield f"says \"{found.group()}\""
        if text.rstrip().endswith((".", "…")) and not text.endswith("…›"):
            yield "ends with a full stop"
        if text[:1].isupper() and not NAMES.match(text):
            yield "begins with a capital"
        if not text.strip():
            yield "is empty"

    def of_advice(self, text):
        first = re.match(r"[a-z]+", text)
        if not (first and first.group() in VERBS) and not text.startswith(("did you mean", '"‹bsc ', "‹what helps›")):
            yield f"next is no advice: {text}"
        for flag in re.findall(r"(?<![\w-])--([a-z][a-z0-9-]*)", text):
            if flag not in self.flags and flag != "array":
                yield f"next names --{flag}, which no command has"
        for command in re.findall(r"\bbsc ([a-z]+)", text):
            if command not in self.commands and f'"bsc {command}' in text:
                yield f"next names \"bsc {command}\", which is no command"
