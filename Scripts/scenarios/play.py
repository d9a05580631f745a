"""Plays scenarios to a driver."""

import uuid

from .forms import Names, plain, showing, variants
from .outcomes import difference


class Tally:
    def __init__(self):
        self.scenarios = self.steps = self.failed = self.skipped = 0


def play(driver, world, scenario, tally):
    """Yields a line for each step that does not give what it should."""
    title = f"{world}: {scenario['name']}"
    if scenario.get("only", driver.name) != driver.name:
        tally.skipped += len(scenario["steps"])
        return
    tally.scenarios += 1
    names = Names(f"{title}/{uuid.uuid4()}")
    people = scenario["people"]
    for person in people:
        # The email says nothing: each run has people of its own.
        details = people[person] if isinstance(people, dict) else {}
        names.known[person] = driver.sign_up(person, names.bind(details), names[f"account_{person}"])
    for number, step in enumerate(scenario["steps"], 1):
        if step.get("only", driver.name) != driver.name:
            tally.skipped += 1
            continue
        for variant in variants(step):
            tally.steps += 1
            bound = names.bind(plain(variant))
            outcome = driver.run(bound, names)
            shown = showing(variant)
            if shown is not None and outcome.code is None:
                driver.run(names.bind(shown), names)
            # What `open` names is known behind it.
            expected = {"expect": names.bind(variant["expect"])} if "expect" in variant else {}
            wrong = difference(bound | expected, outcome)
            if wrong is not None:
                tally.failed += 1
                yield f"{title}: step {number}, {described(bound)}: {wrong}"


def described(step):
    """Enough to find the step, in one line."""
    what = {key: value for key, value in step.items() if key not in ("as", "expect", "each", "note", "why", "only")}
    text = step["as"] + " " + " ".join(f"{key} {value}" for key, value in what.items())
    return (f"“{step['note']}” " if "note" in step else "") + (text if len(text) < 240 else text[:240] + " …")
