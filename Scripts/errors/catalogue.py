"""The explanations in the code: where they are made, and what they say."""

from dataclasses import dataclass

from .declarations import enclosing, type_of
from .reading import Reader, compatible
from .statements import statement_length
from .swift import arguments, split

PARTS = "what", "why", "next", "category"
# Stands where the operating system gives the reason.
SYSTEM = "‹what the system says›"
# Its reasons are a table of their own: what was to be done stands where it is made.
TOLD_ONCE = "DurableFileError"
# libav's words; what the code adds is put together in statements that are not read.
LIBAV = "Sources/LibAV/Library/FFmpegError.swift"


@dataclass(frozen=True)
class Entry:
    what: str
    why: str
    next: str
    category: str  # "" when it is that of the cause
    place: str  # path:line


class Catalogue:
    def __init__(self, root, words, said):
        """`said`: what stands for a part that is somebody else's words, by file (below Sources) and expression."""
        self.reader, self.said = Reader(root, words), said
        self.problems, self.notes, self.operations, self.used = [], {}, set(), set()
        self.explained = self.find_types()
        found = {}
        self.counts = dict.fromkeys(self.explained, 0)
        names = [*self.explained, "Explanation"]
        for source in self.reader.containing(*(f"{name}(" for name in names), "why:"):
            for node in source.called(*names, "init", "Self"):
                for entry in self.look_at(source, node, names):
                    found.setdefault((entry.what, entry.why, entry.next, entry.category), entry)
        for entry in self.command_lines():
            found.setdefault((entry.what, entry.why, entry.next, entry.category), entry)
        self.system = [entry for entry in found.values() if entry.place.startswith("!")]
        self.entries = [entry for entry in found.values() if not entry.place.startswith("!")]
        self.find_notes()
        for name, count in self.counts.items():
            if count == 0:
                self.problems.append(f"{name} conforms to ExplainedError and has no entry")
        for key in said.keys() - self.used:
            self.problems.append(f"SAID has {key}, which is not in the code")

    def find_types(self):
        """Types that conform to ExplainedError, with the default of their category."""
        found = {}
        for source in self.reader.containing("ExplainedError"):
            for body, kind in source.types.items():
                if "ExplainedError" in kind.parents and kind.name != "ExplainedError":
                    value = self.reader.member(body, "category")
                    found[kind.name] = source.words(value).split(".")[-1] if value else ""
        return found

    def look_at(self, source, node, names):
        """The entries of one call."""
        parts, at = node.parent.parts, node.place
        before = parts[at - 1] if at else None
        if before is not None and before.named("func", "case", "struct", "extension"):
            return
        name = node.text
        given = arguments(parts[at + 1])
        values = {label: nodes for label, nodes in given if label in PARTS}
        if name in ("init", "Self"):
            if name == "init" and not (before and before.sign(".")):
                return
            inside = type_of(node, source.types)
            name = inside.name.split(".")[-1] if inside else ""
            if name not in names and "what" in values and "why" in values:
                name = "Explanation"  # .init(what: …) where the type is known
        if name not in names:
            return
        if name == TOLD_ONCE and any(label == "errno" for label, _ in given):
            values = {"what": given[0][1]}
        elif "what" not in values or "why" not in values:
            if name in self.counts and len(given) == 1 and given[0][0] in (None, "explanation", "explanations"):
                self.counts[name] += 1  # from another explanation
            return
        if not self.is_forwarded(source, node, values):
            yield from self.entries_of(source, node, name, values)

    def is_forwarded(self, source, node, values):
        """The type's own initialiser or property hands on what it was given."""
        inside = type_of(node, source.types)
        if not inside or inside.name.split(".")[-1] not in self.explained:
            return False
        names = [nodes[0] for nodes in values.values() if len(nodes) == 1 and nodes[0].kind == "name"]
        if len(names) < len(values) or any(nodes[0].named("nil") for nodes in values.values()):
            return False
        function = enclosing(node, source)
        bound = [self.reader.binding(name) for name in names]
        # What a property begins with is a default; what is made of a tuple is a table.
        return function is not None and all(
            each is None or each[:2] == ("parameter", function) or (each[0] == "expression" and each[2] is None)
            for each in bound)

    def entries_of(self, source, node, name, values):
        place = f"{source.path}:{node.line}"
        inside = type_of(node, source.types)
        owner = inside.name.split(".")[-1] if inside else ""
        for each in name, owner:
            if each in self.counts:
                self.counts[each] += 1
        if source.path == LIBAV:
            yield from self.libav(source, values, place)
            return
        reader, needs = self.reader, []
        is_table = owner == TOLD_ONCE and "category" in values and len(values["category"]) == 1
        if not is_table:
            for nodes in values.values():
                reader.read(nodes, {}, needs)
        for env in reader.expand(needs):
            read = {part: self.texts(source, place, part, nodes, env) for part, nodes in values.items()}
            for entry in self.combined(read, name, place):
                yield Entry(entry.what, entry.why, entry.next, entry.category, "!" + place) if is_table else entry

    def texts(self, source, place, part, nodes, env):
        """The alternatives of a part; what stands for nothing is a problem."""
        texts, found = self.reader.read(nodes, env, []), []
        words = source.words(nodes)
        if not texts:
            self.problems.append(f"{place}: {part} cannot be read: {words}")
        for text in texts:
            if part != "category" and text.text == "‹…›":
                key = source.path.removeprefix("Sources/"), words
                if key not in self.said:
                    problem = f"{place}: {part} cannot be read: {words}"
                    if problem not in self.problems:
                        self.problems.append(problem)
                else:
                    self.used.add(key)
                    text = type(text)(self.said[key], True, text.choices)
            found.append(text)
        return found

    def combined(self, read, name, place):
        kinds = read.get("category") or [None]
        if len({each.text for each in kinds if each}) > 2 and not any(each.choices for each in kinds):
            kinds = [None]
        for what in read["what"]:
            for why in read.get("why") or [None]:
                for advice in read.get("next") or [None]:
                    for kind in kinds:
                        texts = [each for each in (what, why, advice, kind) if each]
                        if not compatible(frozenset().union(*(each.choices for each in texts))):
                            continue
                        category = (kind.text or "").lstrip(".") if kind else self.explained.get(name, "")
                        yield Entry(what.text, why.text if why else SYSTEM, advice.text if advice else None,
                                    "" if category.startswith("‹") else category, place)

    def libav(self, source, values, place):
        """Of FFmpegError: the operations are read; of its reasons only those that are its own."""
        own = [("‹what libav says›", "check the disk or the connection to it", "inputOutput"),
               ("disk full", "free some space, then run the same command again", "inputOutput")]
        install = "install it: apt-get install libavfilter-dev, or brew install ffmpeg"
        for what in self.reader.read(values["what"], {}, []):
            yield Entry(what.text, "‹what libav says›", None, "", place)
            for why, advice, category in own:
                yield Entry(what.text, why, advice, category, place)
            if "deinterlace" in what.text:
                yield Entry(what.text, "libavfilter, which does that, is not installed", install, "unjudged", place)
        for text in "disk full", own[0][1], own[1][1], install, "libavfilter, which does that, is not installed":
            if f'"{text}"' not in source.text:
                self.problems.append(f"{place}: the scanner knows \"{text}\", which is not there")

    def command_lines(self):
        """What is wrong with flags and arguments, in the form that UsageErrors gives it."""
        for source in self.reader.containing("ValidationError("):
            for node in source.called("ValidationError"):
                needs, nodes = [], node.parent.parts[node.place + 1].parts
                self.reader.read(nodes, {}, needs)
                for env in self.reader.expand(needs):
                    for text in self.reader.read(nodes, env, []):
                        why = text.text[0].lower() + text.text[1:] if text.text[1:2].islower() else text.text
                        why = why.removesuffix(".")
                        yield Entry('cannot run "‹bsc command›"', why, '"‹bsc command› --help" shows what it takes',
                                    "usage", f"{source.path}:{node.line}")
        for source in self.reader.containing("ArgumentFault("):
            for node in source.called("ArgumentFault"):
                values, needs = dict(arguments(node.parent.parts[node.place + 1])), []
                for nodes in values.values():
                    self.reader.read(nodes, {}, needs)
                for env in self.reader.expand(needs):
                    read = {label: self.reader.read(nodes, env, []) for label, nodes in values.items()}
                    for why in read["why"]:
                        for advice in read["next"]:
                            if compatible(why.choices | advice.choices):
                                yield Entry('cannot run "‹bsc command›"', f'‹flag› cannot be "‹text›": {why.text}',
                                            advice.text, "usage", f"{source.path}:{node.line}")

    # Notes and warnings

    def find_notes(self):
        """Sets `notes`, by text with the place, and `operations`."""
        words = '"note: ', '"warning: ', ".noted(", ".warned(", "Console.note(", "notes", "note:", "let note = ", 'operation: "'
        for source in self.reader.containing(*words):
            for node in source.nodes:
                if node.kind == "text" and node.parts and isinstance(node.parts[0], str):
                    begin = node.parts[0].lstrip()
                    if begin.startswith(("note: ", "warning: ")) and begin.split(": ", 1)[1]:
                        self.note(source, [node], begin.split(":")[0])
                elif node.named("noted", "warned") and self.is_called(node, "."):
                    given = arguments(node.parent.parts[node.place + 1])
                    if len(given) == 2 and not given[0][1][0].named("let"):
                        self.note(source, given[1][1], "note" if node.text == "noted" else "warning")
                elif (node.named("note") and self.is_called(node, ".") and node.place > 1
                      and node.parent.parts[node.place - 2].named("Console")):
                    self.note(source, arguments(node.parent.parts[node.place + 1])[0][1], "note")
                elif node.named("notes") and node.place + 1 < len(node.parent.parts):
                    self.notes_after(source, node)
                elif node.named("note", "operation") and node.place + 2 < len(node.parent.parts):
                    self.labelled(source, node)

    @staticmethod
    def is_called(node, sign):
        parts, at = node.parent.parts, node.place
        return at and parts[at - 1].sign(sign) and at + 1 < len(parts) and parts[at + 1].opens("(")

    def notes_after(self, source, node):
        rest = node.parent.parts[node.place + 1:node.place + 4]
        if rest[0].sign(".") and rest[1].named("append"):
            self.note(source, rest[2].parts, "note")
        elif rest[0].sign("=", "+=") and rest[1].opens("["):
            for nodes in split(rest[1].parts):
                self.note(source, nodes, "note")

    def labelled(self, source, node):
        sign, value = node.parent.parts[node.place + 1:node.place + 3]
        if not sign.sign(":", "=") or value.kind != "text" or not value.parts:
            return
        if node.text == "note":
            rest = node.parent.parts[value.place:]
            self.note(source, rest[:statement_length(rest)], "note")
        elif all(isinstance(part, str) for part in value.parts):
            self.operations.add(value.parts[0])

    def note(self, source, nodes, kind):
        for text in self.reader.read(nodes, {}, []):
            if text.text and text.known:
                words = text.text.strip().removeprefix("note: ").removeprefix("warning: ").rstrip("\n")
                self.notes.setdefault(f"{kind}: {words}", f"{source.path}:{nodes[0].line}")
