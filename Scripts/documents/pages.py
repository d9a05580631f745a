"""What was played, as the parts of README.md and its pictures; and whether what is there still says the same."""

from . import animation, picture, readme, sameness, tour

LONGEST = 60  # seconds of the recording


class Pages:
    def __init__(self, page, recording, media, played, home, folder):
        self.page, self.recording, self.media = page, recording, media
        self.home, self.folder = home, folder
        self.recorded = [part for part in played if part.step.title]
        self.ids = sameness.fixed_ids(line for part in played for line in part.text)
        for part in played:
            part.text = [self.ids(line) for line in part.text]
        self.before, self.after, self.clip = picture.before_and_after(home, folder)
        self.parts = {f"tour {part.step.name}": readme.block(part, tour.TEXT_COLUMNS) for part in played}
        self.parts["before and after"] = picture.part(self.before, self.after)
        self.first = f"Scripts/{tour.STEPS[0].command}"

    def transcript(self):
        """What the recording says, line by line."""
        return [line for part in self.recorded for line in ["$ " + part.step.command, *part.text]]

    def changes(self):
        """(name, pairs of lines) of each part of README.md that says something else."""
        text = self.page.read_text()
        for name, body in self.parts.items():
            pairs = list(sameness.differences(readme.part(text, name).splitlines(), body.splitlines()))
            if pairs:
                yield name, pairs

    def recording_changes(self):
        written = self.recording.read_text() if self.recording.exists() else ""
        return list(sameness.differences(animation.transcript(written), self.transcript()))

    def outdated(self):
        """Lines about everything that is not so any more."""
        if self.first not in self.page.read_text().splitlines():
            yield f"{self.page.name}: the first command is not there: {self.first}"
        for name, pairs in self.changes():
            yield from told(f"{self.page.name}, {name}", pairs)
        if pairs := self.recording_changes():
            yield from told(self.recording.name, pairs)
        for name, *_ in picture.VIEWS:
            if not (self.media / name).exists():
                yield f"{name}: is not there"

    def make(self, force):
        """Writes what says something else; lines about what was done."""
        changed = dict(self.changes())
        text = self.page.read_text()
        for name, body in self.parts.items():
            if force or name in changed:
                text = readme.with_part(text, name, body)
                yield f"{self.page.name}, {name}: written"
        self.page.write_text(text)
        if force or self.recording_changes():
            said = "\n".join(self.transcript())
            drawn, seconds = animation.svg(self.recorded, tour.COLUMNS, tour.LINES, self.ids, said)
            if seconds > LONGEST:
                raise SystemExit(f"make-docs: the recording takes {seconds:.0f} s, more than {LONGEST}: show less")
            self.recording.write_text(drawn)
            yield f"{self.recording.name}: written, {seconds:.0f} s, {len(drawn.encode())} bytes"
        is_there = all((self.media / name).exists() for name, *_ in picture.VIEWS)
        if force or "before and after" in changed or not is_there:
            picture.draw(self.home, self.folder, self.before, self.after, self.clip, self.media)
            for name, *_ in picture.VIEWS:
                yield f"{name}: written, {(self.media / name).stat().st_size} bytes"


def told(name, pairs):
    for written, fresh in pairs[:8]:
        yield f"{name}:"
        yield f"    written: {written if written is not None else '(nothing)'}"
        yield f"    now:     {fresh if fresh is not None else '(nothing)'}"
    if len(pairs) > 8:
        yield f"{name}: and {len(pairs) - 8} lines more"
