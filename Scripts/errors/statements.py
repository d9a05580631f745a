"""Where statements, cases and bindings begin and end, and which calls fit a function."""

from .declarations import type_of
from .swift import split


def may_call(node, function, source):
    """Whether a name in front of parentheses can be this function, by what stands in front of it."""
    parts, at = node.parent.parts, node.place
    owner = function.owner.name.split(".")[-1] if function.owner else None
    if at < 2 or not parts[at - 1].sign("."):
        inside = type_of(node, source.types)
        return owner is None or "private" in function.words or (inside is not None and inside.name.endswith(owner))
    before = parts[at - 2]
    if before.named("Self"):
        inside = type_of(node, source.types)
        return inside is not None and inside.name.split(".")[-1] == owner
    if before.kind == "name" and before.text[:1].isupper():
        return before.text == owner
    return "static" not in function.words


def match(function, given):
    """The arguments by parameter; None when the labels are others."""
    bound, rest = {}, list(given)
    for parameter in function.parameters:
        if rest and rest[0][0] == parameter.label:
            bound[parameter.name] = rest.pop(0)[1]
        elif parameter.default is not None:
            bound[parameter.name] = parameter.default
        elif "->" in parameter.kind:
            continue
        else:
            return None
    return None if rest else bound


def statement_length(nodes):
    """How many nodes belong to the statement, or to the condition, that begins the list."""
    for at, node in enumerate(nodes):
        if node.sign(";", ","):
            return at
        if at and node.named("else") and not nodes[at - 1].opens("{"):
            return at
        if at and node.breaks and not node.sign("?", ":", ".", "??", "+", "&&", "||", "==", "="):
            if not nodes[at - 1].sign("=", "+", "?", ":", "??", "&&", "||", ".", "->", "+=", "=="):
                return at
    return len(nodes)


def last_statement(nodes):
    """The nodes of the last statement of a block."""
    at = 0
    while at < len(nodes):
        length = max(1, statement_length(nodes[at:]))
        if at + length >= len(nodes):
            return nodes[at:]
        at += length
    return []


def after_in(nodes):
    for at, node in enumerate(nodes[:12]):
        if node.named("in"):
            return nodes[at + 1:]
    return nodes


def closure_names(group):
    names = set()
    for node in group.parts[:12]:
        if node.named("in"):
            break
        names |= {node.text} if node.kind == "name" else set()
        if node.opens("("):
            names |= {each.text for each in node.parts if each.kind == "name"}
    return names


def cases(body, source):
    """[(labels, nodes of the condition, nodes of the body)] of a switch; no labels for default."""
    parts, at = body.parts, 0
    while at < len(parts):
        if not parts[at].named("case", "default"):
            at += 1
            continue
        colon = at + 1
        while not (parts[colon].sign(":")):
            colon += 1
        end = colon + 1
        while end < len(parts) and not (parts[end].named("case", "default") and parts[end].breaks
                                        and parts[end].parent is body):
            end += 1
        head = parts[at + 1:colon]
        where = next((place for place, node in enumerate(head) if node.named("where")), len(head))
        labels = set()
        for nodes in split(head[:where]):
            labels.add("".join(node.text for node in nodes if node.kind in ("name", "operator") and
                               not node.named("let"))
                       or source.words(nodes))
        yield labels, head[where + 1:], parts[colon + 1:end]
        at = end


def pattern_place(parts, at, name):
    """Which value of a case's pattern a name is bound to; None when it is not."""
    for node in parts[at + 1:]:
        if node.sign(":", "="):
            return None
        if node.opens("("):
            for place, nodes in enumerate(split(node.parts)):
                if any(each.named(name) for each in nodes):
                    return place
        elif node.named(name):
            return 0
    return None
