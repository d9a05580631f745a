"""The format of Tests/Conformance/*.json, which its README.md describes. Unknown and undeclared names are rejected."""

import hashlib
import json
import re
from datetime import datetime, timedelta, timezone

from backend import ROOT

# Each verb, the keys that it accepts, and those that it needs.
READING = "columns where order ordered limit offset"
VERBS = {
    "insert": ("rows returning", ""), "share": ("with returning waits", ""),
    "upsert": ("rows on duplicates returning", "on"), "update": ("set where returning", "where"),
    "delete": ("where returning", "where"), "select": (READING, "expect"), "call": (READING + " arguments", ""),
    "open": ("draft key timeout", "key"), "state": ("", "expect"), "cancel": ("", ""),
    "finish": ("with stays", "expect"),
}
COMMON = {"as", "expect", "each", "only", "why", "note", "keep"}
# The key that the entries of `each` are merged into.
VARIED = {"insert": "rows", "upsert": "rows", "share": "with", "update": "set", "open": "draft", "call": "arguments"}
TIMES = {
    "now": timedelta(), "hour_ago": timedelta(hours=-1), "day_ago": timedelta(days=-1),
    "month_ago": timedelta(days=-31), "in_an_hour": timedelta(hours=1), "in_a_month": timedelta(days=31),
    # Dates of birth: 8, 15, 30 and 121 years ago.
    "child_born": timedelta(days=-8 * 366), "teen_born": timedelta(days=-15 * 366),
    "adult_born": timedelta(days=-30 * 366), "too_long_ago": timedelta(days=-121 * 366),
}
# The defaults of a draft, and of a highlight that the app inserts.
DRAFT = {"tags": [], "privacy_level": "public", "hide_likes": False, "duration": 4}
SHARED = {"mux_playback_id": "PB", "duration": 10}
NAME = r"\$([a-z][a-z0-9_]*)"


class Malformed(Exception):
    """A file contains something that no driver can do."""


def verb_of(step):
    return next(verb for verb in VERBS if verb in step)


def load(only):
    """Pairs of a file's name and its scenarios; with `only`, those whose title contains one of its texts."""
    worlds = []
    for path in sorted((ROOT / "Tests/Conformance").glob("*.json")):
        content = json.loads(path.read_text())
        try:
            check_keys(content, {"subject", "scenarios"}, {"subject", "scenarios"})
            for scenario in content["scenarios"]:
                check_scenario(scenario)
        except Malformed as error:
            raise Malformed(f"{path.name}: {error}") from None
        chosen = [scenario for scenario in content["scenarios"]
                  if not only or any(part in f"{path.stem}: {scenario['name']}" for part in only)]
        if chosen:
            worlds.append((path.stem, chosen))
    return worlds


def check(condition, reason, step):
    if not condition:
        raise Malformed(f"{reason}: {str(step)[:200]}")


def check_keys(value, allowed, needed):
    check(set(value) <= allowed, f"unknown: {set(value) - allowed}", value)
    check(needed <= set(value), f"missing: {needed - set(value)}", value)


def check_scenario(scenario):
    check_keys(scenario, {"name", "people", "names", "steps", "only", "why"}, {"name", "people", "steps"})
    known = {*scenario["people"], *scenario.get("names", []), *TIMES}
    for step in scenario["steps"]:
        verbs = [verb for verb in VERBS if verb in step]
        check(len(verbs) == 1, "not one verb", step)
        [verb] = verbs
        allowed, needed = (set(words.split()) for words in VERBS[verb])
        check_keys(step, COMMON | {verb} | allowed, {"as"} | needed)
        check(step["as"] in {*scenario["people"], "anon", "service"}, "unknown account", step)
        check("only" not in step or "why" in step, "no reason for `only`", step)
        if verb in ("insert", "upsert", "update"):
            check({"rows", "set", "each"} & set(step), "nothing to write", step)
        expected = step.get("expect")
        if verb in ("update", "delete"):
            check("expect" in step or step.get("returning", "*") is None, "no number of rows", step)
        elif verb in ("insert", "upsert", "share") and isinstance(expected, (int, list, dict)):
            check("returning" in step, "rows come back only with `returning`", step)
        if verb in ("share", "open"):
            known |= {step[verb], f"{step[verb]}_url", f"{step[verb]}_playback"}
        known |= set(step.get("keep", {}))
        undeclared = set(re.findall(NAME, json.dumps(step))) - known
        check(not undeclared, f"undeclared: {undeclared}", step)


class Names:
    """The values of `$name`: an account, an upload that is open, a time, or an ID that is unique in this run."""

    def __init__(self, salt):
        now = datetime.now(timezone.utc)
        self.salt, self.known = salt, {name: (now + shift).isoformat() for name, shift in TIMES.items()}

    def __getitem__(self, name):
        if name not in self.known:
            digest = hashlib.md5(f"{self.salt}/{name}".encode()).hexdigest()
            # A UUID of version 4, like the app's.
            self.known[name] = f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:]}"
        return self.known[name]

    def bind(self, value):
        """The value with all names and repetitions replaced."""
        if isinstance(value, str):
            return re.sub(NAME, lambda match: self[match[1]], value)
        if isinstance(value, list):
            return [self.bind(entry) for entry in value]
        if isinstance(value, dict):
            if set(value) == {"repeat"}:
                return value["repeat"][0] * value["repeat"][1]
            return {key: self.bind(entry) for key, entry in value.items()}
        return value


def variants(step):
    """The step, or one step for each entry of `each`: a list of objects, or an object with a list for each column."""
    if "each" not in step:
        return [step]
    key, entries = VARIED[verb_of(step)], step["each"]
    if isinstance(entries, dict):
        entries = [{column: value} for column, values in entries.items() for value in values]
    return [{**step, key: {**step.get(key, {}), **entry}} for entry in entries]


def requests(step):
    """The step; for `share`, an insert, and a request that marks the row as ready, as if the server had its video."""
    if "share" not in step:
        return [step]
    row = {"id": f"${step['share']}", "author_id": f"${step['as']}", **SHARED, **step.get("with", {})}
    rest = {key: value for key, value in step.items() if key not in ("share", "with", "waits")}
    ready = {"as": "service", "update": "highlights", "set": {"is_ready": True}, "returning": None,
             "where": {"id": f"eq.${step['share']}"}}
    return [{**rest, "insert": "highlights", "rows": row}] + ([] if step.get("waits") else [ready])
