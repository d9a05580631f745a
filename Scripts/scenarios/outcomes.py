"""What came of a step, and how it differs from what was expected."""

import re
from dataclasses import dataclass, field
from datetime import datetime

UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@dataclass
class Outcome:
    """Either a refusal (`code`), or rows, or one value. Neither is known of a write that gives nothing back.

    `flaws` are what the wire did wrong beside that: a status, a header, the shape of an error.
    """

    code: str | None = None
    message: str = ""
    rows: list | None = None
    value: object = None
    flaws: list = field(default_factory=list)

    def __str__(self):
        if self.code is not None:
            return f"{self.code} ({self.message})"
        if self.rows is not None:
            text = f"{len(self.rows)} rows: {self.rows}"
        else:
            text = "done" if self.value is None else str(self.value)
        return text if len(text) < 400 else text[:400] + " …"


def agrees(wanted, got, in_order=True):
    """Whether all that is wanted is there: objects may have more keys, lists not more entries."""
    if isinstance(wanted, dict) and set(wanted) == {"is"}:
        return is_kind(wanted["is"], got)
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(
            key in got and agrees(value, got[key], False) for key, value in wanted.items())
    if isinstance(wanted, list):
        if not isinstance(got, list) or len(wanted) != len(got):
            return False
        # Embedded rows come in no order; texts of a list do.
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
    if kind == "number":
        return isinstance(got, (int, float)) and not isinstance(got, bool)
    if not isinstance(got, str):
        return False
    match kind:
        case "text":
            return got != ""
        case "uuid":
            return re.fullmatch(UUID, got) is not None
        case "time":
            # PostgreSQL writes `+00:00`, and so does PostgREST.
            try:
                return datetime.fromisoformat(got).tzinfo is not None
            except ValueError:
                return False
    raise ValueError(f"no kind of value: {kind}")


def difference(step, outcome):
    """What is wrong, or None."""
    wanted = step.get("expect")
    if isinstance(wanted, str):
        right, text = outcome.code == wanted, f"refusal {wanted}"
    elif outcome.code is not None:
        right, text = False, "success" if wanted is None else str(wanted)
    elif wanted is None:
        right, text = True, ""
    elif isinstance(wanted, int):
        right, text = outcome.rows is not None and len(outcome.rows) == wanted, f"{wanted} rows"
    elif isinstance(wanted, list):
        in_order = "order" in step or "ordered" in step
        right, text = agrees(wanted, outcome.rows, in_order), f"{len(wanted)} rows: {wanted}"
    else:
        one = outcome.rows[0] if outcome.rows is not None and len(outcome.rows) == 1 else outcome.value
        right, text = agrees(wanted, one), f"one: {wanted}"
    if not right:
        return f"expected {text}; came {outcome}"
    return "; ".join(outcome.flaws) or None
