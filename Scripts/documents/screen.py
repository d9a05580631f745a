"""What a terminal shows: pyte, with lines counted from the first one ever written, so that a line keeps its number when
the screen scrolls."""

import re
from dataclasses import dataclass

import pyte


@dataclass(frozen=True)
class Run:
    """Neighbouring cells that look the same."""
    column: int
    text: str
    color: str = "default"
    ground: str = "default"
    bold: bool = False


@dataclass(frozen=True)
class Frame:
    """What is on the screen: `first` is the number of its topmost line; lines are tuples of runs, and those at the end
    are left out while they are empty."""
    first: int
    lines: tuple
    cursor: tuple | None  # line (counted as above) and column


class _Screen(pyte.HistoryScreen):
    """Knows faint text, which pyte does not: it becomes grey."""

    def select_graphic_rendition(self, *attributes, **options):
        attributes, kept, index = attributes or (0,), [], 0
        while index < len(attributes):
            value = attributes[index]
            if value in (38, 48):
                count = 3 if attributes[index + 1:index + 2] == (5,) else 5
                kept += attributes[index:index + count]
                index += count
                continue
            kept += {2: [90], 22: [22, 39] if self.cursor.attrs.fg == "brightblack" else [22]}.get(value, [value])
            index += 1
        super().select_graphic_rendition(*kept, **options)


class Terminal:
    def __init__(self, columns, lines):
        self.columns = columns
        self.screen = _Screen(columns, lines, history=100_000, ratio=0.5)
        self.stream = pyte.Stream(self.screen)

    def feed(self, text):
        self.stream.feed(text)

    @property
    def first(self):
        return len(self.screen.history.top)

    @property
    def row(self):
        """The number of the line with the cursor."""
        return self.first + self.screen.cursor.y

    def line(self, number):
        """The runs of a line, whether it is still on the screen or above."""
        first = self.first
        cells = self.screen.history.top[number] if number < first else self.screen.buffer[number - first]
        runs, start, text, look = [], 0, "", None
        for column in range(self.columns):
            cell = cells[column]
            here = (cell.fg, cell.bg, cell.bold) if not cell.reverse else (cell.bg, cell.fg, cell.bold)
            if here != look:
                runs += visible(start, text, look)
                start, text, look = column, "", here
            text += cell.data
        return tuple(runs + visible(start, text, look))

    def text(self, number):
        """A line as mere text."""
        out = ""
        for run in self.line(number):
            out = out.ljust(run.column) + run.text
        return out.rstrip()

    def frame(self):
        lines = [self.line(number) for number in range(self.first, self.first + self.screen.lines)]
        while lines and not lines[-1]:
            lines.pop()
        cursor = None if self.screen.cursor.hidden else (self.row, min(self.screen.cursor.x, self.columns - 1))
        return Frame(self.first, tuple(lines), cursor)


def visible(column, text, look):
    """Runs without spaces around them, and with single ones inside: pictures need not keep any. On a ground spaces can
    be seen, and stay."""
    if look is None or not text:
        return []
    color, ground, bold = look
    if ground != "default":
        return [Run(column, text, color, ground, bold)]
    return [Run(column + word.start(), word[0], color, ground, bold) for word in re.finditer(r"[^ ]+( [^ ]+)*", text)]
