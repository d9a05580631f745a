"""Swift source as a tree of tokens: enough to find calls and their arguments, not a parser.

A file is a Group of nodes; brackets nest. String literals keep their parts: texts and the nodes of interpolations.
"""

import re
from dataclasses import dataclass, field

CLOSING = {"(": ")", "[": "]", "{": "}"}
SPACE = re.compile(r"[ \t\r\n]+")
NAME = re.compile(r"`?[A-Za-z_$\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*`?|#[A-Za-z]+|@[A-Za-z_]+|\$[0-9]+")
NUMBER = re.compile(r"[0-9][0-9A-Za-z_]*(?:\.[0-9][0-9A-Za-z_]*)?")
OPERATOR = re.compile(r"\.\.\.|\.\.<|\?\?|[-+*/%&|^<>=!~]=?=?|&&|\|\||->|[,:;.?\\]")
PLAIN = re.compile(r'[^"\\\n]+|.', re.DOTALL)
QUOTE = re.compile(r'(#*)("""|")')
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'", "\\": "\\"}


class Unreadable(Exception):
    """The scanner does not understand the source; it says where."""


@dataclass(eq=False, slots=True)
class Node:
    kind: str  # name, number, operator, text, pattern, group
    text: str = ""  # of a group: the opening bracket
    line: int = 0
    breaks: bool = False  # it is the first of its line
    spaced: bool = False  # there is white space or an opening bracket in front
    start: int = 0
    end: int = 0
    parts: list = field(default_factory=list)  # of a text: str and Group; of a group: its nodes
    parent: "Node" = None
    place: int = 0  # among the parent's parts
    source: "Source" = None  # of a file's root

    def __repr__(self):
        return f"{self.kind}:{self.text}@{self.line}"

    def named(self, *names):
        return self.kind == "name" and self.text in names

    def sign(self, *signs):
        return self.kind == "operator" and self.text in signs

    def opens(self, bracket):
        return self.kind == "group" and self.text == bracket


class Source:
    """One file."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.position, self.line = 0, 1
        self.root = Node("group", "", 1, source=self)
        self.nodes = []  # all of them, in order
        self._fill(self.root, None)
        self.root.end = len(text)

        self.calls = {}
        for node in self.nodes:
            if node.kind == "group" and node.text == "(" and node.place and not node.breaks:
                before = node.parent.parts[node.place - 1]
                if before.kind == "name":
                    self.calls.setdefault(before.text, []).append(before)

    def called(self, *names):
        """The names in front of parentheses."""
        return [node for name in names for node in self.calls.get(name, ())]

    def words(self, nodes):
        """The source of some nodes, on one line."""
        return re.sub(r"\s+", " ", self.text[nodes[0].start:nodes[-1].end]).strip() if nodes else ""

    def _fail(self, why):
        raise Unreadable(f"{self.path}:{self.line}: {why}")

    def _add(self, group, node):
        node.parent, node.place = group, len(group.parts)
        group.parts.append(node)
        self.nodes.append(node)

    def _skip(self):
        """White space and comments. Whether there was any, and a line break."""
        text, start, line = self.text, self.position, self.line
        if start < len(text) and text[start] not in " \n/\t\r":
            return False, False
        while self.position < len(text):
            found = SPACE.match(text, self.position)
            if found:
                self.line += found.group().count("\n")
                self.position = found.end()
            elif text.startswith("//", self.position):
                end = text.find("\n", self.position)
                self.position = len(text) if end < 0 else end
            elif text.startswith("/*", self.position):
                self._skip_comment()
            else:
                break
        return self.position > start, self.line > line

    def _skip_comment(self):
        depth = 0
        for mark in re.finditer(r"/\*|\*/|\n", self.text[self.position:]):
            if mark.group() == "\n":
                self.line += 1
                continue
            depth += 1 if mark.group() == "/*" else -1
            if depth == 0:
                self.position += mark.end()
                return
        self._fail("a comment is not closed")

    def _fill(self, group, closing):
        text = self.text
        while True:
            spaced, breaks = self._skip()
            if self.position >= len(text):
                return self._fail(f"{closing} is missing") if closing else None
            character = text[self.position]
            if character == closing:
                self.position += 1
                return None
            first = not group.parts
            node = Node("", "", self.line, breaks or (first and not group.text), spaced or first, self.position)
            quote = QUOTE.match(text, self.position) if character in '"#' else None
            if quote:
                node.kind = "text"
                self._add(group, node)
                self._read_text(node, len(quote.group(1)), quote.group(2))
            elif character in CLOSING:
                node.kind, node.text = "group", character
                self._add(group, node)
                self.position += 1
                self._fill(node, CLOSING[character])
            elif character in "#/" and self._is_pattern(group):
                node.kind = "pattern"
                self._add(group, node)
            else:
                kind, shape = ("number", NUMBER) if character.isdigit() else ("operator", OPERATOR)
                found = shape.match(text, self.position)
                if not found:
                    kind, found = "name", NAME.match(text, self.position)
                if not found:
                    self._fail(f"unexpected {character!r}")
                node.kind, node.text = kind, found.group()
                self.position = found.end()
                self._add(group, node)
            node.end = self.position

    def _is_pattern(self, group):
        """Reads a regular expression literal when one begins here."""
        found = re.compile(r"(#+)/.*?/\1", re.DOTALL).match(self.text, self.position)
        if not found:
            last = group.parts[-1] if group.parts else None
            operand = last is not None and (last.kind in ("number", "text", "group")
                                            or (last.kind == "name" and last.text not in ("return", "case", "in")))
            if operand or (last is not None and last.sign("?", "!")):
                return False
            found = re.compile(r"/(?![\s/*])(?:\\.|[^/\\\n])+/").match(self.text, self.position)
        if not found:
            return False
        self.line += found.group().count("\n")
        self.position = found.end()
        return True

    def _read_text(self, node, hashes, quote):
        """A string literal: its parts are texts and groups of interpolated nodes."""
        self.position += hashes + len(quote)
        text, end, escape = self.text, quote + "#" * hashes, "\\" + "#" * hashes
        pieces = []

        def flush():
            if pieces:
                node.parts.append("".join(pieces))
                pieces.clear()

        while not text.startswith(end, self.position):
            if self.position >= len(text) or (quote == '"' and text[self.position] == "\n"):
                self._fail("a string is not closed")
            if not text.startswith(escape, self.position):
                plain = PLAIN.match(text, self.position).group()
                self.line += plain.count("\n")
                pieces.append(plain)
                self.position += len(plain)
                continue
            self.position += len(escape)
            character = text[self.position]
            if character == "(":
                flush()
                inner = Node("group", "(", self.line, start=self.position, parent=node)
                self.position += 1
                self._fill(inner, ")")
                inner.end = self.position
                node.parts.append(inner)
            elif character == "u":
                found = re.compile(r"u\{([0-9A-Fa-f]+)\}").match(text, self.position)
                pieces.append(chr(int(found.group(1), 16)))
                self.position = found.end()
            elif character == "\n":
                self.line += 1
                self.position += 1
                pieces.append("\\\n")
            else:
                pieces.append(ESCAPES[character])
                self.position += 1
        flush()
        self.position += len(end)
        if quote == '"""':
            self._unindent(node, end)

    def _unindent(self, node, end):
        """Of a multi-line literal: without the line breaks at its ends and the indentation of its last line."""
        begin = self.text.rfind("\n", 0, self.position) + 1
        indent = self.text[begin:self.position - len(end)]
        parts = [part if isinstance(part, Node) else part.replace("\n" + indent, "\n") for part in node.parts]
        if parts and isinstance(parts[0], str):
            parts[0] = parts[0][1:]
        if parts and isinstance(parts[-1], str):
            parts[-1] = re.sub(r"\n[ \t]*$", "", parts[-1])
        node.parts = [part if isinstance(part, Node) else re.sub(r"\\\n\s*", "", part) for part in parts]


def split(nodes, sign=","):
    """Lists of nodes between the commas of a group."""
    lists = [[]]
    for node in nodes:
        if node.sign(sign):
            lists.append([])
        else:
            lists[-1].append(node)
    return [each for each in lists if each]


def arguments(group):
    """[(label or None, nodes)] of a call's parentheses."""
    found = []
    for nodes in split(group.parts):
        if len(nodes) > 2 and nodes[0].kind == "name" and nodes[1].sign(":"):
            found.append((nodes[0].text, nodes[2:]))
        else:
            found.append((None, nodes))
    return found
