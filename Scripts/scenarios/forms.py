"""The form of Tests/Conformance/*.json, as its README.md says it. What is unknown or undeclared is refused: a step that
is spelled wrong must not pass for one that holds."""

import hashlib
import itertools
import json
import re
from datetime import datetime, timedelta, timezone

# The verb of a step, and the keys it takes beside those of every step.
READING = {"columns", "where", "order", "ordered", "limit", "offset"}
VERBS = {
    "insert": {"rows", "returning"}, "share": {"with", "returning", "waits"},
    "upsert": {"rows", "on", "duplicates", "returning"}, "update": {"set", "where", "returning"},
    "delete": {"where", "returning"}, "select": READING, "call": READING | {"arguments"},
    "open": {"draft", "key", "timeout"}, "state": set(), "cancel": set(), "finish": {"with", "stays"},
}
NEEDED = {
    "upsert": {"on"}, "update": {"where"}, "delete": {"where"},
    "select": {"expect"}, "open": {"key"}, "state": {"expect"}, "finish": {"expect"},
}
COMMON = {"as", "expect", "each", "only", "why", "note"}
# Where the entries of `each` are laid over.
VARIED = {"insert": "rows", "upsert": "rows", "share": "with", "update": "set", "open": "draft", "call": "arguments"}
ROLES = "anon", "service"
TIMES = {
    "now": timedelta(), "hour_ago": timedelta(hours=-1), "day_ago": timedelta(days=-1),
    "month_ago": timedelta(days=-31), "in_an_hour": timedelta(hours=1), "in_a_month": timedelta(days=31),
}
# What a draft says when the scenario does not.
DRAFT = {"tags": [], "privacy_level": "public", "hide_likes": False, "duration": 4}
# A highlight that is shared by a row of its own, as the app does it.
SHARED = {"mux_playback_id": "PB", "duration": 10}


class Malformed(Exception):
    """A file says something that no driver could do."""


def verb_of(step):
    return next(verb for verb in VERBS if verb in step)


def load(folder, only):
    """Pairs of a file's name and its scenarios, those of `only` where it names any."""
    worlds = []
    for path in sorted(folder.glob("*.json")):
        name = path.name.removesuffix(".json")
        try:
            content = json.loads(path.read_text())
            check_keys(content, {"subject", "scenarios"}, {"subject", "scenarios"})
            for scenario in content["scenarios"]:
                check_scenario(scenario)
        except (ValueError, Malformed) as error:
            raise Malformed(f"{path.name}: {error}") from None
        chosen = [scenario for scenario in content["scenarios"]
                  if not only or any(part in f"{name}: {scenario['name']}" for part in only)]
        if chosen:
            worlds.append((name, chosen))
    return worlds


def check_keys(value, allowed, needed):
    for key in sorted(set(value) - allowed):
        raise Malformed(f"{key!r} is unknown in {str(value)[:120]}")
    for key in sorted(needed - set(value)):
        raise Malformed(f"{key!r} is missing in {str(value)[:120]}")


def check_scenario(scenario):
    check_keys(scenario, {"name", "people", "names", "steps", "only", "why"}, {"name", "people", "steps"})
    known = {*scenario["people"], *scenario.get("names", []), *TIMES}
    for step in scenario["steps"]:
        verbs = [verb for verb in VERBS if verb in step]
        if len(verbs) != 1:
            raise Malformed(f"one verb, please: {step}")
        [verb] = verbs
        check_keys(step, COMMON | {verb} | VERBS[verb], {"as"} | NEEDED.get(verb, set()))
        if verb in ("insert", "upsert", "update") and not {"rows", "set", "each"} & set(step):
            raise Malformed(f"what is written? {step}")
        if step["as"] not in {*scenario["people"], *ROLES}:
            raise Malformed(f"nobody is called {step['as']!r}: {step}")
        if "only" in step and "why" not in step:
            raise Malformed(f"why only {step['only']}? {step}")
        expected = step.get("expect")
        standard = "*" if verb in ("update", "delete") else None
        if standard is not None and "expect" not in step and step.get("returning", standard) is not None:
            raise Malformed(f"how many rows? {step}")
        if (verb in ("insert", "upsert", "share", "update", "delete") and isinstance(expected, (int, list, dict))
                and step.get("returning", standard) is None):
            raise Malformed(f"rows come back with `returning` only: {step}")
        if verb in ("share", "open"):
            known |= {step[verb], f"{step[verb]}_url", f"{step[verb]}_playback"}
        for name in re.findall(r"\$([a-z][a-z0-9_]*)", json.dumps(step)):
            if name not in known:
                raise Malformed(f"${name} is declared nowhere: {step}")


class Names:
    """What `$name` stands for: a person's account, an upload once it is open, a time, else an id of this run's own."""

    def __init__(self, salt):
        self.salt, self.known = salt, {}
        now = datetime.now(timezone.utc)
        self.known |= {name: (now + shift).isoformat() for name, shift in TIMES.items()}

    def __getitem__(self, name):
        if name not in self.known:
            digest = hashlib.md5(f"{self.salt}/{name}".encode()).hexdigest()
            # A UUID of version 4: the kind the app makes.
            self.known[name] = f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:]}"
        return self.known[name]

    def bind(self, value):
        """The value with all names replaced, and what is long written out."""
        if isinstance(value, str):
            return re.sub(r"\$([a-z][a-z0-9_]*)", lambda match: self[match[1]], value)
        if isinstance(value, list):
            return [self.bind(entry) for entry in value]
        if isinstance(value, dict):
            if set(value) == {"repeat"}:
                content, times = value["repeat"]
                return content * times
            return {key: self.bind(entry) for key, entry in value.items()}
        return value


def variants(step):
    """The step once, or once for each entry of `each`: of lists of values by column, for every value by itself."""
    if "each" not in step:
        return [step]
    place = VARIED[verb_of(step)]
    entries = step["each"]
    if isinstance(entries, dict):
        entries = list(itertools.chain.from_iterable(
            [{column: value} for value in values] for column, values in entries.items()))
    return [{**step, place: {**step.get(place, {}), **entry}} for entry in entries]


def plain(step):
    """A `share` as the insert it stands for."""
    if "share" not in step:
        return step
    row = {"id": f"${step['share']}", "author_id": f"${step['as']}", **SHARED, **step.get("with", {})}
    rest = {key: value for key, value in step.items() if key not in ("share", "with", "waits")}
    return {**rest, "insert": "highlights", "rows": row}


def showing(step):
    """What the server does after a `share`: it has seen the video. None for other steps, and for `waits`."""
    if "share" not in step or step.get("waits"):
        return None
    return {"as": "service", "update": "highlights", "set": {"is_ready": True}, "where": {"id": f"eq.${step['share']}"},
            "returning": None}
