"""Whether two runs said the same: what differs from run to run is not looked at, or may differ a little."""

import re
import uuid

# Two sizes may differ by so much (encoders differ with FFmpeg's version), two percentages by so many points.
SIZE_RATIO, POINTS = 1.25, 20

LENGTH = r"\d[\d.:]* (?:ms|s|min|h)(?: \d+ (?:s|min))?"

VOLATILE = [
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE), "ID"),
    (re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8}\b"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?"), "DATE"),
    # A bar, and what it says of itself.
    (re.compile(r"[─-▟■-◿⠀-⣿]{4,}.*"), "BAR"),
    # How long something took, or still takes; not how long a clip is.
    (re.compile(rf"(?<=\(){LENGTH}(?=\))|(?<= in ){LENGTH}(?=;)|{LENGTH}(?= left)"), "TIME"),
    (re.compile(r" +[\d.]+ (ms|s) +(?=bsc resume)"), " AGE "),
]
NUMBER = re.compile(r"([\d.]+) (B|kB|MB|GB|%)(?!\w)")
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}


def settled(line):
    for pattern, word in VOLATILE:
        line = pattern.sub(word, line)
    return line.rstrip()


def same(one, other):
    """Two lines."""
    one, other = settled(one), settled(other)
    if NUMBER.sub(r"N \2", one).split() != NUMBER.sub(r"N \2", other).split():
        return False
    return all(near(*pair) for pair in zip(NUMBER.findall(one), NUMBER.findall(other)))


def near(one, other):
    (a, unit), (b, _) = one, other
    a, b = float(a), float(b)
    if unit == "%":
        return abs(a - b) <= POINTS
    return max(a, b) <= SIZE_RATIO * min(a, b)


def differences(written, fresh):
    """Pairs of lines that say something else; what one of them lacks is None."""
    for index in range(max(len(written), len(fresh))):
        one = written[index] if index < len(written) else None
        other = fresh[index] if index < len(fresh) else None
        if one is None or other is None or not same(one, other):
            yield one, other


def fixed_ids(texts):
    """A function that puts into a text, for each id that is in `texts`, one that is the same every time."""
    whole = VOLATILE[0][0].pattern
    told = re.compile(f"{whole}|(?<=job )[0-9a-f]{{8}}\\b|^[0-9a-f]{{8}}(?=  )", re.IGNORECASE)
    known = {}
    for text in texts:
        for match in told.finditer(text):
            # The short form of an id is its beginning.
            known.setdefault(match[0].lower()[:8], stable(len(known)))
    either = re.compile(rf"{whole}|\b[0-9a-f]{{8}}\b", re.IGNORECASE)
    return lambda text: either.sub(lambda match: known.get(match[0].lower()[:8], match[0])[:len(match[0])], text)


def stable(number):
    return str(uuid.uuid5(uuid.UUID(int=0), f"bsc {number}"))
