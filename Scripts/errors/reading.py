"""What the texts of an explanation can be: its expressions are followed through names, branches and callers.

An expression has alternatives. Each carries the choices that lead to it, so that those of one text are not mixed with
those of another: what a job is told and what somebody with a file is told.
"""

import itertools
import re
from dataclasses import dataclass

from .declarations import TYPES, declare, type_of
from .statements import after_in, cases, closure_names, last_statement, match, may_call, pattern_place, \
    statement_length
from .swift import Source, arguments, split

MOST = 400
# Parameters that are parts of a sentence.
PHRASES = "what", "why", "next", "reason", "verb"


@dataclass(frozen=True)
class Text:
    """One alternative. `text` is None for nil. `known`: some of it stands in the code."""
    text: str
    known: bool = True
    choices: frozenset = frozenset()


def compatible(choices):
    """Whether no two of the choices exclude each other: (key, whether one of, labels)."""
    allowed = {}
    for key, chosen, labels in choices:
        if chosen:
            allowed[key] = allowed.get(key, labels) & labels
    for key, chosen, labels in choices:
        if not chosen and key in allowed:
            allowed[key] = allowed[key] - labels
    return all(allowed.values())


def joined(lists):
    """Every way of putting alternatives one after another."""
    found = []
    for texts in itertools.product(*lists):
        choices = frozenset().union(*(each.choices for each in texts))
        if compatible(choices):
            found.append(Text("".join(each.text or "" for each in texts), any(each.known for each in texts), choices))
        if len(found) > MOST:
            break
    return found


def chosen(texts, choices):
    return [Text(each.text, each.known, each.choices | choices) for each in texts
            if compatible(each.choices | choices)]


class Reader:
    def __init__(self, root, words):
        """`words`: what an expression is called, by its text or by its last name."""
        self.root = root
        self.table = {name: word for name, word in words.items() if name[-1] not in "(["}
        self.calls_named = {name: word for name, word in words.items() if name[-1] in "(["}
        self.raw = {path: path.read_text() for path in sorted((root / "Sources").rglob("*.swift"))}
        self.found = {}
        self.sources, self.envs, self.running, self.resolving = {}, {}, [], []

    def source(self, path):
        if path not in self.sources:
            source = Source(str(path.relative_to(self.root)), self.raw[path])
            declare(source)
            self.sources[path] = source
        return self.sources[path]

    def containing(self, *words, module=None):
        """The files with one of the words; of one module when that is named."""
        key = words, module
        if key not in self.found:
            self.found[key] = [
                self.source(path) for path, text in self.raw.items()
                if (module is None or self.module(path) == module) and any(word in text for word in words)]
        return self.found[key]

    def module(self, path):
        return path.parts[len(self.root.parts) + 1]

    @staticmethod
    def of(node):
        while node.parent is not None:
            node = node.parent
        return node.source

    # Expressions

    def word(self, nodes):
        """What stands for an expression; None when nothing does."""
        text = self.of(nodes[0]).words(nodes)
        for prefix in "try ", "await ", "unsafe ":
            text = text.removeprefix(prefix)
        if text in self.table:
            return self.table[text]
        counted = re.search(r"\.counting\(\"([a-z ]+)\"\)$", text)
        if counted:
            return f"n {counted.group(1)}s"
        for beginning, word in self.calls_named.items():
            if text.startswith(beginning):
                return word
        if text == "$0":
            return self.mapped(nodes[0])
        # The last name, without what is called on it.
        names = [node.text for node in nodes if node.kind == "name" and node.text not in ("self", "Self")]
        if all(node.kind == "name" or node.sign(".") for node in nodes) and names:
            return self.table.get("." + names[-1]) or (self.table.get(names[-1]) if len(names) > 1 else None)
        return None

    def mapped(self, node):
        """The word for what a closure is given: of `line` in `line.map { "line \\($0)" }`."""
        while node.parent is not None and not node.parent.opens("{"):
            node = node.parent
        before = node.parent.parent.parts[:node.parent.place] if node.parent else []
        if len(before) > 2 and before[-1].named("map", "flatMap"):
            return self.table.get(before[-3].text)
        return None

    def unknown(self, nodes):
        word = self.word(nodes)
        return [Text(f"‹{word or '…'}›", False)]

    def read(self, nodes, env, needs, pick=None):
        """The alternatives of an expression.

        env: what the parameters of functions around it are, by function: {name: (nodes, env)}.
        needs: gets the functions whose parameters it has to know.
        pick: which element of a tuple.
        """
        while nodes and nodes[0].named("try", "await", "unsafe", "return"):
            nodes = nodes[1:]
            if nodes and nodes[0].sign("?"):
                nodes = nodes[1:]
        if not nodes:
            return [Text(None)]
        first = nodes[0]
        if first.named("switch"):
            return self.read_switch(nodes, env, needs, pick)
        if first.named("if"):
            return self.read_if(nodes, env, needs, pick)
        question = next((at for at, node in enumerate(nodes) if at and node.sign("?") and node.spaced), None)
        if question:
            return self.read_ternary(nodes, question, env, needs, pick)
        fallback = next((at for at, node in enumerate(nodes) if node.sign("??")), None)
        if fallback:
            left = self.read(nodes[:fallback], env, needs, pick)
            right = self.read(nodes[fallback + 1:], env, needs, pick)
            absent = [each.choices for each in left if each.text is None] or [frozenset()]
            return [each for each in left if each.text is not None] + [
                text for choices in absent for text in chosen(right, choices)]
        if any(node.sign("+") for node in nodes[1:]):
            if not any(part[0].kind == "text" for part in split(nodes, "+")):
                return self.unknown(nodes)
            return joined([self.read(part, env, needs) for part in split(nodes, "+")])
        if len(nodes) == 1:
            return self.read_one(first, env, needs, pick)
        return self.read_chain(nodes, env, needs, pick)

    def read_one(self, node, env, needs, pick):
        if node.kind == "text":
            return self.read_literal(node, env, needs)
        if node.kind == "number":
            return [Text(node.text)]
        if node.opens("("):
            elements = split(node.parts)
            if pick is not None and len(elements) > pick:
                return self.read(elements[pick], env, needs)
            return self.read(elements[0], env, needs) if len(elements) == 1 else self.unknown([node])
        if node.named("nil"):
            return [Text(None)]
        if node.kind == "name":
            found = self.resolve(node, env, needs)
            if found is not None:
                return found
        return self.unknown([node])

    def read_literal(self, node, env, needs):
        lists = []
        for part in node.parts:
            if isinstance(part, str):
                lists.append([Text(part)])
            else:
                texts = self.read_inserted(part.parts, env, needs)
                lists.append([each for each in texts if each.text is not None] or [Text("")])
        return joined(lists) if lists else [Text("")]

    def read_inserted(self, nodes, env, needs):
        """What an interpolation can be. Values of callers are followed where they are phrases, not names or numbers."""
        bound = self.binding(nodes[0]) if len(nodes) == 1 and nodes[0].kind == "name" else None
        if bound:
            is_phrase = nodes[0].text in PHRASES if bound[0] == "parameter" else \
                bound[0] == "property" or (bound[0] in ("expression", "assigned") and bound[2] is not None)
            if is_phrase:
                return self.read(nodes, env, needs)
            if bound[0] == "parameter":
                return self.unknown(nodes)
        word = self.word(nodes)
        if word:
            return [Text(f"‹{word}›", False)]
        own = []
        texts = self.read(nodes, env, own)
        if not any(each.known for each in texts):
            return self.unknown(nodes)
        needs += own
        return texts

    def read_ternary(self, nodes, question, env, needs, pick):
        depth = 0
        for at in range(question + 1, len(nodes)):
            if nodes[at].sign("?") and nodes[at].spaced:
                depth += 1
            elif nodes[at].sign(":"):
                if depth == 0:
                    break
                depth -= 1
        else:
            return self.unknown(nodes)
        found = []
        for holds, branch in (True, nodes[question + 1:at]), (False, nodes[at + 1:]):
            choices = self.condition(nodes[:question], holds, env)
            if choices is not None:
                found += chosen(self.read(branch, env, needs, pick), choices)
        return found

    def condition(self, nodes, holds, env):
        """The choices under which a condition holds, or does not; None when that cannot be."""
        words = self.of(nodes[0]).words(nodes)
        if nodes[0].sign("!"):
            return self.condition(nodes[1:], not holds, env)
        for at, node in enumerate(nodes):
            if node.sign("==") and not any(each.sign("&&", "||") for each in nodes):
                return self.choice(nodes[:at], self.of(nodes[0]).words(nodes[at + 1:]), holds, env)
        if len(nodes) == 1 and nodes[0].kind == "name":
            bound = self.binding(nodes[0])
            if bound and bound[0] == "expression":
                inner = bound[1]
                if inner[0].named("if") and len(inner) > 2 and inner[1].named("case"):
                    equals = next(at for at, node in enumerate(inner) if node.sign("="))
                    subject = inner[equals + 1:next(at for at, node in enumerate(inner) if node.opens("{"))]
                    return self.choice(subject, "." + inner[3].text, holds, env)
                if any(node.sign("==") for node in inner):
                    return self.condition(inner, holds, env)
        return frozenset([(words, True, frozenset([str(holds)]))])

    def choice(self, subject, label, holds, env):
        given = self.given(subject, env)
        if given is not None and given.startswith("."):
            return frozenset() if (given == label) == holds else None
        return frozenset([(self.of(subject[0]).words(subject), holds, frozenset([label]))])

    def given(self, nodes, env):
        """The source of what a caller passes for a parameter."""
        if len(nodes) == 1 and nodes[0].kind == "name":
            bound = self.binding(nodes[0])
            if bound and bound[0] == "parameter" and bound[1] in env:
                value = env[bound[1]].get(bound[2])
                if value and value[0]:
                    return self.given(value[0], value[1])
        return re.sub(r"\(.*", "", self.of(nodes[0]).words(nodes))

    def read_switch(self, nodes, env, needs, pick):
        body = next((node for node in nodes if node.opens("{")), None)
        subject = nodes[1:body.place - nodes[0].place]
        found, earlier = [], set()
        given = self.given(subject, env)
        key = self.of(body).words(subject)
        for number, (labels, where, inner) in enumerate(cases(body, self.of(body))):
            choices = {(body.start, True, frozenset([number]))}
            if labels:
                if given.startswith(".") and given not in labels:
                    continue
                choices.add((key, True, frozenset(labels)))
            elif earlier:
                if given in earlier:
                    continue
                choices.add((key, False, frozenset(earlier)))
            if where:
                conditions = self.condition(where, True, env)
                if conditions is None:
                    continue
                choices |= conditions
            else:
                earlier |= set(labels)
            found += chosen(self.read(last_statement(inner), env, needs, pick), frozenset(choices))
        return found

    def read_if(self, nodes, env, needs, pick):
        found, at = [], 0
        while at < len(nodes):
            if nodes[at].opens("{"):
                found += self.read(last_statement(nodes[at].parts), env, needs, pick)
            at += 1
        return found

    def read_chain(self, nodes, env, needs, pick):
        """Calls and members."""
        last = nodes[-1]
        text = self.of(last).words(nodes)
        if any(text.startswith(name) for name in self.calls_named):
            return self.unknown(nodes)
        # Self.advice(code), what(), standing.name
        if last.opens("(") and nodes[-2].kind == "name":
            name = nodes[-2]
            if len(nodes) == 2 and not last.parts:
                found = self.resolve(name, env, needs)
                if found is not None:
                    return found
            if len(nodes) == 2 or nodes[0].named("Self", "self") or nodes[0].text[:1].isupper():
                owner = nodes[0].text if len(nodes) > 2 and not nodes[0].named("Self", "self") else None
                for function in self.functions(name, owner):
                    bound = match(function, arguments(last))
                    if bound is not None and "String" in function.source.text[function.node.start:function.body.start]:
                        inner = dict(env)
                        inner[function] = {key: (value, env) for key, value in bound.items()}
                        return self.read_body(function, inner, needs, pick)
        # status.map { "server answered \($0)" }
        if last.opens("{") and nodes[-2].named("map", "flatMap"):
            found = self.read(last_statement(after_in(last.parts)), env, needs, pick)
            subject = self.of(last).words(nodes[:-3])
            present, absent = (frozenset([(subject, True, frozenset([label]))]) for label in ("some", "none"))
            return chosen(found, present) + [Text(None, True, absent)]
        if last.kind == "name" and len(nodes) == 3 and nodes[1].sign("."):
            if nodes[0].named("Self", "self"):
                found = self.resolve(last, env, needs, members=True)
                if found is not None:
                    return found
            elif nodes[0].text[:1].isupper():
                found = self.static(nodes[0].text, last.text, env, needs, pick)
                if found is not None:
                    return found
        if last.kind == "name" and len(nodes) == 2 and nodes[0].sign("."):
            return [Text("." + last.text)]
        return self.unknown(nodes)

    def static(self, owner, name, env, needs, pick):
        """`FailureCategory.usage` is its own text; a constant is its value."""
        if owner == "FailureCategory":
            return [Text("." + name)]
        for source in self.containing(*(f"{kind} {owner}" for kind in TYPES)):
            for body, kind in source.types.items():
                if kind.name == owner:
                    value = self.member(body, name)
                    if value is not None:
                        return self.read(value, env, needs, pick)
        return None

    def functions(self, name, owner):
        source = self.of(name)
        own = type_of(name, source.types)
        sources = self.containing(f"func {name.text}(") if owner else [source]
        for each in sources:
            for function in each.functions.values():
                if function.name == name.text and function.parameters is not None:
                    if owner is None or (function.owner and function.owner.name == owner):
                        yield function
        if owner is None and own:
            for each in self.containing(f"func {name.text}("):
                for function in each.functions.values():
                    if each is not source and function.name == name.text and function.owner \
                            and function.owner.name == own.name:
                        yield function

    def read_body(self, function, env, needs, pick):
        """What a function gives: its last statement, and what it returns on the way."""
        if function in self.running:
            return [Text("‹…›", False)]
        self.running.append(function)
        found = []
        for node in function.source.nodes:
            if node.named("return") and function.body.start < node.start < function.body.end:
                rest = node.parent.parts[node.place + 1:]
                value = rest[:statement_length(rest)]
                found += [each for each in self.read(value, env, needs, pick) if each.text is not None]
        last = last_statement(function.body.parts)
        if last and not last[0].named("return"):
            found += self.read(last, env, needs, pick)
        self.running.pop()
        return found

    def branch(self, node):
        """The choice of the switch's case that a statement stands in."""
        parts = node.parent.parts
        if not node.parent.opens("{") or not parts[0].named("case"):
            return frozenset()
        outer = node.parent.parent.parts[:node.parent.place]
        begin = max((at for at, each in enumerate(outer) if each.named("switch")), default=None)
        if begin is None:
            return frozenset()
        for labels, _, inner in cases(node.parent, self.of(node)):
            if labels and inner and inner[0].start <= node.start <= inner[-1].start:
                return frozenset([(self.of(node).words(outer[begin + 1:]), True, frozenset(labels))])
        return frozenset()

    # Names

    def resolve(self, node, env, needs, members=False):
        """The alternatives of a name; None when it is nothing that can be read."""
        if node in self.resolving:
            return None
        self.resolving.append(node)
        try:
            return self.resolve_bound(self.binding(node, members), env, needs)
        finally:
            self.resolving.pop()

    def resolve_bound(self, bound, env, needs):
        if bound is None:
            return None
        kind = bound[0]
        if kind == "expression":
            return self.read(bound[1], env, needs, bound[2])
        if kind == "assigned":
            found = []
            if any(len(value) == 1 and value[0].kind == "number" for value in bound[1]):
                return None  # a counter
            for value in bound[1]:
                found += chosen(self.read(value, env, needs, bound[2]), self.branch(value[0]))
            for more in bound[3]:
                found += joined([found, self.read(more, env, needs)])
            return found
        if kind == "property":
            return self.read_body(bound[1], env, needs, None)
        if kind == "parameter":
            function, name = bound[1:]
            if function in env:
                value = env[function].get(name)
                if value is None:
                    return None
                return self.read(value[0], value[1], needs) if value[0] else [Text(None)]
            needs.append(function)
        return None

    def binding(self, node, members=False):
        """Where a name comes from."""
        source, name, current = self.of(node), node.text, node
        while current.parent is not None:
            group = current.parent
            if group.kind == "group" and group.text in ("{", "") and not members:
                found = self.binding_among(group, current, name, source)
                if found:
                    return found
            if group in source.functions and not members:
                function = source.functions[group]
                for parameter in function.parameters:
                    if parameter.name == name:
                        return "parameter", function, name
            elif group.opens("{") and not members:
                if any(each.named("in") for each in group.parts[:12]) and name in closure_names(group):
                    return "unknown",
            if group in source.types:
                value = self.member(group, name)
                if value is not None:
                    return "expression", value, None
                for function in source.functions.values():
                    if function.name == name and function.node.named("var") and function.owner \
                            and function.owner.body is group:
                        return "property", function
            current = group
        return None

    def member(self, body, name):
        """The value that a type's property begins with."""
        parts = body.parts
        for at, node in enumerate(parts):
            if node.named("let", "var") and at + 1 < len(parts) and parts[at + 1].named(name):
                rest = parts[at + 2:]
                end = statement_length(rest)
                equals = next((place for place, each in enumerate(rest[:end]) if each.sign("=")), None)
                value = rest[equals + 1:end] if equals is not None else None
                if value and not (node.text == "var" and value[0].kind == "number"):  # that is a counter
                    return value
        return None

    def binding_among(self, group, current, name, source):
        """The declaration of a name among what stands in front of `current`."""
        is_switch = any(each.named("case", "default") and each.breaks for each in group.parts[:1])
        parts = group.parts
        for at in range(current.place - 1, -1, -1):
            node = parts[at]
            if node.named("let", "var") and at + 1 < len(parts):
                head = parts[at + 1]
                pick = None
                if head.opens("("):
                    names = [nodes[0].text for nodes in split(head.parts)]
                    if name not in names:
                        continue
                    pick = names.index(name)
                elif not head.named(name):
                    continue
                found = self.value_of(parts, at, current, name, pick, source)
                if found:
                    return found
            elif node.named("case") and (is_switch or (at and parts[at - 1].named("if", "guard", ","))):
                place = pattern_place(parts, at, name)
                if place is not None:
                    case = self.case_of(parts, at, source)
                    return ("parameter", case, place) if case else ("unknown",)
                if is_switch:
                    return None
            elif node.named("default") and is_switch:
                return None
            elif node.named("for") and at + 1 < len(parts) and parts[at + 1].named(name):
                return "unknown",
        return None

    def value_of(self, parts, at, current, name, pick, source):
        rest = parts[at + 2:]
        end = statement_length(rest)
        equals = next((place for place, each in enumerate(rest[:end]) if each.sign("=")), None)
        values = [rest[equals + 1:end]] if equals is not None else []
        if equals is None and not (rest and rest[0].sign(":")):
            return None  # if let name
        if end and parts[at].start < current.start <= rest[end - 1].start:
            return None  # let name = name
        more = []
        if equals is None or parts[at].named("var"):
            # Later assignments, by name or in a tuple.
            for node in source.nodes:
                if not (parts[at].start < node.start < current.start):
                    continue
                following = node.parent.parts[node.place + 1:]
                if not following or not following[0].sign("=", "+="):
                    continue
                value = following[1:1 + statement_length(following[1:])]
                before = node.parent.parts[node.place - 1] if node.place else None
                if node.named(name) and not (before is not None and (before.named("let", "var") or before.sign("."))):
                    (values if following[0].text == "=" else more).append(value)
                elif node.opens("(") and following[0].text == "=":
                    names = [nodes[0].text for nodes in split(node.parts)]
                    if pick is not None and name in names and node.start != parts[at + 1].start:
                        values.append(value)
        if not values:
            return None
        if parts[at].named("var") and all(value[0].kind == "number" for value in values):
            return None  # a counter
        if len(values) == 1 and not more:
            return "expression", values[0], pick
        return "assigned", values, pick, more

    def case_of(self, parts, at, source):
        """The enum's case that a pattern of its own type's switch names."""
        owner = type_of(parts[at], source.types)
        if at + 2 < len(parts) and owner:
            name = parts[at + 2].text if parts[at + 1].sign(".") else None
            for case in source.cases:
                if case.name == name and case.owner.name == owner.name:
                    return case
        return None

    # Callers

    def expand(self, needs):
        """The environments under which the functions in `needs` run; one that is empty when nobody calls them."""
        envs = [{}]
        for function in dict.fromkeys(needs):
            more = self.callers(function)
            if more:
                envs = [dict(each, **{}) | other for each in envs for other in more][:MOST]
        return envs

    def callers(self, function):
        if function in self.envs:
            return self.envs[function]
        self.envs[function] = []  # for those that call themselves
        found = []
        for bound in self.calls(function):
            needs = []
            for parameter in function.parameters:
                is_phrase = parameter.name in PHRASES or isinstance(parameter.name, int)
                if is_phrase and "String" in parameter.kind and bound.get(parameter.name):
                    self.read(bound[parameter.name], {}, needs)
            for env in self.expand([each for each in needs if each is not function]):
                inner = dict(env)
                inner[function] = {name: (nodes, env) for name, nodes in bound.items()}
                found.append(inner)
        self.envs[function] = found[:MOST]
        return self.envs[function]

    def calls(self, function):
        """The arguments of each call of a function, by parameter."""
        is_case, is_init = function.body is None, function.name == "init"
        owner = function.owner.name.split(".")[-1] if function.owner else None
        name = owner if is_init else function.name
        if not name:
            return
        module = function.source.path.split("/")[1]
        if function.is_local and not is_case:
            sources = [function.source]
        else:
            is_seen = is_case or "public" in function.words
            words = [f"{name}("] + ([f"extension {name}"] if is_init else [])
            sources = self.containing(*words, module=None if is_seen else module)
        for source in sources:
            for node in source.called(name, *(("init", "Self") if is_init else ())):
                parts, at = node.parent.parts, node.place
                before = parts[at - 1] if at else None
                if before is not None and before.named("func", "case", "extension", "struct"):
                    continue
                if node.text != name:
                    inside = type_of(node, source.types)
                    is_member = before is not None and before.sign(".")
                    if not inside or inside.name != owner or (node.text == "init" and not is_member):
                        continue
                if not is_case and not is_init and not may_call(node, function, source):
                    continue
                if is_case:
                    if before is None or not before.sign("."):
                        continue
                    if at > 1 and parts[at - 2].named("case"):
                        continue
                    is_named = at > 1 and not before.spaced and parts[at - 2].kind == "name"
                    is_near = source.path.split("/")[1] == module or owner in source.text
                    if parts[at - 2].text != owner if is_named else not is_near:
                        continue
                    if any(each.named("let", "var", "_") for each in parts[at + 1].parts):
                        continue
                bound = match(function, arguments(parts[at + 1]))
                if bound is not None:
                    yield bound
