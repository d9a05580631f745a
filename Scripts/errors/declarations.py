"""What a Swift file declares: types, functions, computed properties, cases with values."""

from dataclasses import dataclass, field

from .swift import split

TYPES = "struct", "enum", "class", "actor", "extension", "protocol"
STARTS = TYPES + ("func", "init", "var", "let", "case", "static", "public", "private", "fileprivate", "internal")


@dataclass(eq=False)
class Type:
    name: str
    parents: list
    body: object


@dataclass(eq=False)
class Parameter:
    label: str
    name: str
    kind: str  # its type as it is written
    default: list = None


@dataclass(eq=False)
class Function:
    """Also an enum's case with values (`body` is None) and a computed property (no parameters)."""
    name: str
    parameters: list
    body: object
    node: object
    owner: Type = None
    source: object = None
    words: list = field(default_factory=list)  # in front: private, static

    @property
    def is_local(self):
        return bool({"private", "fileprivate"} & set(self.words)) or self.owner is None


def siblings_before(node):
    return node.parent.parts[:node.place]


def type_of(node, types):
    """The innermost type around a node."""
    while node.parent is not None:
        node = node.parent
        if node in types:
            return types[node]
    return None


def parameters(source, group):
    found = []
    for nodes in split(group.parts):
        colon = next((at for at, node in enumerate(nodes) if node.sign(":")), None)
        if colon is None:
            found.append(Parameter(None, None, source.words(nodes)))
            continue
        names = [node.text for node in nodes[:colon] if node.kind == "name" and node.text[0] != "@"]
        equals = next((at for at, node in enumerate(nodes) if node.sign("=")), None)
        kind = source.words(nodes[colon + 1:equals])
        label = None if names[0] == "_" else names[0]
        found.append(Parameter(label, names[-1], kind, nodes[equals + 1:] if equals else None))
    return found


def declare(source):
    """Fills `source.types` and `source.functions`, by their bodies, and `source.cases`."""
    source.types, source.functions, source.cases = {}, {}, []
    for node in source.nodes:
        if node.kind != "name":
            continue
        parts, at = node.parent.parts, node.place
        if node.text in TYPES and at + 1 < len(parts) and not (at and parts[at - 1].sign(".")):
            declare_type(source, parts, at)
        elif node.text in ("func", "init") and not (at and parts[at - 1].sign(".")):
            declare_function(source, parts, at)
        elif node.text == "var" and at + 3 < len(parts) and parts[at + 2].sign(":"):
            declare_property(source, parts, at)
    for function in source.functions.values():
        function.owner = type_of(function.node, source.types)
        if function.owner and enclosing(function.node, source) is not None:
            function.words.append("private")  # inside of another function
    for node in source.nodes:
        if node.named("case") and node.parent in source.types:
            declare_cases(source, node)


def enclosing(node, source):
    """The innermost function around a node."""
    while node.parent is not None:
        node = node.parent
        if node in source.functions:
            return source.functions[node]
    return None


def words_before(parts, at):
    words = []
    while at and parts[at - 1].kind == "name":
        at -= 1
        words.append(parts[at].text)
    return words


def body_after(parts, at):
    """The braces of a declaration whose head goes on at `at`."""
    for node in parts[at:]:
        if node.opens("{"):
            return node
        if node.sign("=", ";") or (node.breaks and node.kind == "name" and node.text in STARTS):
            return None
    return None


def declare_type(source, parts, at):
    body = body_after(parts, at + 1)
    if body is None or any(each.named("func", "var") for each in parts[at + 1:body.place]):
        return
    head = parts[at + 1:body.place]
    colon = next((place for place, each in enumerate(head) if each.sign(":")), len(head))
    name = "".join(each.text for each in head[:colon] if each.kind == "name" or each.sign("."))
    parents = [each.text for each in head[colon + 1:] if each.kind == "name"]
    source.types[body] = Type(name.split("where")[0], parents, body)


def declare_function(source, parts, at):
    head = next((each for each in parts[at + 1:at + 24] if each.opens("(")), None)
    if head is None:
        return
    body = body_after(parts, head.place + 1)
    name = "init" if parts[at].text == "init" else parts[at + 1].text
    if body is not None:
        source.functions[body] = Function(name, parameters(source, head), body, parts[at], source=source,
                                          words=words_before(parts, at))


def declare_property(source, parts, at):
    body = body_after(parts, at + 3)
    if body is not None and not any(each.sign("=") for each in parts[at:body.place]):
        source.functions[body] = Function(parts[at + 1].text, [], body, parts[at], source=source,
                                          words=words_before(parts, at))


def declare_cases(source, node):
    """`case a, b(reason: String)` of an enum."""
    parts, at = node.parent.parts, node.place + 1
    while at < len(parts) and not (parts[at].breaks and parts[at - 1].kind != "operator"):
        if parts[at].opens("("):
            case = Function(parts[at - 1].text, [], None, node, source.types[node.parent], source)
            for nodes in split(parts[at].parts):
                labelled = len(nodes) > 1 and nodes[1].sign(":")
                label = nodes[0].text if labelled and nodes[0].text != "_" else None
                case.parameters.append(Parameter(label, None, source.words(nodes[2 if labelled else 0:])))
            for number, parameter in enumerate(case.parameters):
                parameter.name = number
            source.cases.append(case)
        at += 1
