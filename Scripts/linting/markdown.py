"""Markdown: links to files, headings and pictures, and which documents can be reached."""

import html
import os.path
import re
import urllib.parse

FENCE = re.compile(r"^\s*(```|~~~)")
SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
INLINE = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
DEFINED = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)")
TAG = re.compile(r"<(?:img|a|source|video)\b[^>]*?\b(?:src|href|srcset)=[\"']([^\"']+)[\"']", re.IGNORECASE)
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
ANCHOR = re.compile(r"<[a-z]+\b[^>]*?\b(?:id|name)=[\"']([^\"']+)[\"']", re.IGNORECASE)
SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def prose(project, path):
    """(number, line) outside of fenced code."""
    is_fenced = False
    for number, line in project.lines(path):
        if FENCE.match(line):
            is_fenced = not is_fenced
        elif not is_fenced:
            yield number, line


def targets(project, path):
    """(number, target) of each link and picture."""
    for number, line in prose(project, path):
        bare = SPAN.sub(lambda match: " " * len(match[0]), line)
        for pattern in (INLINE, DEFINED, TAG):
            for match in pattern.finditer(bare):
                yield number, html.unescape(match[1])


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]+>", "", text).replace("`", "")
    text = re.sub(r"(?<!\w)([*_]{1,3})(\S.*?)\1(?!\w)", r"\2", text)
    return re.sub(r"[^\w\- ]", "", html.unescape(text).lower()).replace(" ", "-")


def anchors(project, path):
    found, counts = set(), {}
    for _, line in prose(project, path):
        heading = HEADING.match(line)
        if heading:
            name = slug(heading[1])
            count = counts.get(name, 0)
            counts[name] = count + 1
            found.add(f"{name}-{count}" if count else name)
        found.update(ANCHOR.findall(line))
    return found


def resolve(path, target):
    """The file of the project that a link names, and its anchor; None for an address elsewhere."""
    if SCHEME.match(target):
        return None, None
    name, _, anchor = target.partition("#")
    name, anchor = urllib.parse.unquote(name.partition("?")[0]), urllib.parse.unquote(anchor)
    if not name:
        return path, anchor
    base = "" if name.startswith("/") else os.path.dirname(path)
    return os.path.normpath(os.path.join(base, name.lstrip("/"))), anchor


def links(project):
    for path in project.named(".md"):
        for number, target in targets(project, path):
            file, anchor = resolve(path, target)
            if file is None:
                continue
            if not project.exists(file) and file != ".":
                yield path, number, f"dead link: {target} (there is no {file})"
            elif anchor and file.endswith(".md") and anchor not in anchors(project, file):
                yield path, number, f"dead link: {target} (no heading gives #{anchor})"
            elif anchor and re.fullmatch(r"L\d+", anchor) and int(anchor[1:]) > project.text(file).count("\n"):
                yield path, number, f"dead link: {target} (the file is shorter)"


def reach(project):
    """Every file of Docs/ has a way from README.md, by links."""
    seen, waiting = set(), ["README.md"]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        if path.endswith(".md") and path in project.known:
            waiting += [file for _, target in targets(project, path) if (file := resolve(path, target)[0])]
    for path in project.paths:
        if path.startswith("Docs/") and path not in seen:
            yield path, 1, "no link leads here from README.md"
