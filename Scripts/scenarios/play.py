"""Plays scenarios with a driver, and compares the results with the expected ones."""

import re
import uuid
from dataclasses import dataclass, field
from datetime import datetime

from .forms import COMMON, Names, requests, variants

UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@dataclass
class Outcome:
    """A refusal (`code`), rows, or one value; none of them after a write without `returning`.

    `flaws` are wrong statuses, headers and formats of a response.
    """

    code: str | None = None
    message: str = ""
    rows: list | None = None
    value: object = None
    flaws: list = field(default_factory=list)

    def __str__(self):
        if self.code is not None:
            return f"{self.code} ({self.message})"
        return (f"{len(self.rows)} rows: {self.rows}" if self.rows is not None else str(self.value or "done"))[:400]


@dataclass
class Tally:
    scenarios: int = 0
    steps: int = 0
    failed: int = 0
    skipped: int = 0


def agrees(wanted, got, in_order=True):
    """Whether the result contains everything expected: objects may have more keys, lists not more entries."""
    if isinstance(wanted, dict) and set(wanted) == {"is"}:
        return is_kind(wanted["is"], got)
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(key in got and agrees(value, got[key], False)
                                             for key, value in wanted.items())
    if isinstance(wanted, list):
        if not isinstance(got, list) or len(wanted) != len(got):
            return False
        # Embedded rows have no order; texts in a list have one.
        if in_order or not all(isinstance(entry, dict) for entry in wanted):
            return all(agrees(one, other, False) for one, other in zip(wanted, got))
        left = list(got)
        for entry in wanted:
            match = next((candidate for candidate in left if agrees(entry, candidate, False)), None)
            if match is None:
                return False
            left.remove(match)
        return True
    if isinstance(wanted, bool) or isinstance(got, bool) or wanted is None or got is None:
        return wanted is got
    if isinstance(wanted, (int, float)) and isinstance(got, (int, float)):
        return abs(wanted - got) < 1e-9
    return wanted == got


def is_kind(kind, got):
    if kind == "null":
        return got is None
    if kind == "number":
        return isinstance(got, (int, float)) and not isinstance(got, bool)
    if not isinstance(got, str) or kind != "time":
        return isinstance(got, str) and re.fullmatch({"uuid": UUID, "text": r"(?s).+"}[kind], got) is not None
    try:
        return datetime.fromisoformat(got).tzinfo is not None
    except ValueError:
        return False


def difference(step, outcome):
    """How the outcome differs from the expected one, or None."""
    wanted = step.get("expect")
    if isinstance(wanted, str) or outcome.code is not None:
        is_right = outcome.code == wanted
    elif isinstance(wanted, int):
        is_right = (outcome.value if outcome.rows is None else len(outcome.rows)) == wanted
    elif isinstance(wanted, list):
        is_right = agrees(wanted, outcome.rows, "order" in step or "ordered" in step)
    else:
        one = outcome.rows[0] if outcome.rows is not None and len(outcome.rows) == 1 else outcome.value
        is_right = wanted is None or agrees(wanted, one)
    if not is_right:
        return f"expected {wanted or 'success'}; the result is {outcome}"
    return "; ".join(outcome.flaws) or None


def kept(step, outcome):
    """The values that the step keeps as names: members of the only row or object, or the result itself."""
    one = outcome.rows[0] if outcome.rows else outcome.value
    if outcome.code is not None or one is None:
        return dict.fromkeys(step.get("keep", {}), "missing")
    return {name: one[member] if member else one for name, member in step.get("keep", {}).items()}


def play(driver, world, scenario, tally):
    """Yields a line for each step whose result differs."""
    title = f"{world}: {scenario['name']}"
    if scenario.get("only", driver.name) != driver.name:
        tally.skipped += len(scenario["steps"])
        return
    tally.scenarios += 1
    names, people = Names(f"{title}/{uuid.uuid4()}"), scenario["people"]
    for person in people:
        details = people[person] if isinstance(people, dict) else {}
        names.known[person] = driver.sign_up(person, names.bind(details), names[f"account_{person}"])
    for number, step in enumerate(scenario["steps"], 1):
        if step.get("only", driver.name) != driver.name:
            tally.skipped += 1
            continue
        for variant in variants(step):
            tally.steps += 1
            first, *others = map(names.bind, requests(variant))
            outcome = driver.run(first, names)
            for other in others if outcome.code is None else []:
                driver.run(other, names)
            names.known |= kept(step, outcome)
            # The names of `open` are known only after it.
            expected = {"expect": names.bind(variant["expect"])} if "expect" in variant else {}
            wrong = difference(first | expected, outcome)
            if wrong is not None:
                tally.failed += 1
                shown = {key: value for key, value in first.items() if key not in COMMON - {"as", "note"}}
                yield f"{title}: step {number}, {str(shown)[:240]}: {wrong}"
