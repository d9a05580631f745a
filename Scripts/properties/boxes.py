"""Reads the samples, times and edit lists of MP4 files, and replaces edit lists."""

import struct

PARENTS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts"}


def children(data, start, end):
    """(kind, start, payload, end) of each box."""
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        payload = start + 8
        if size == 1:
            size, payload = struct.unpack_from(">Q", data, start + 8)[0], start + 16
        elif size == 0:
            size = end - start
        if size < 8 or start + size > end:
            return
        yield kind, start, payload, start + size
        start += size


def boxes(data, start=0, end=None, path=()):
    """(path, payload, end) of every box, depth first."""
    for kind, _, payload, stop in children(data, start, len(data) if end is None else end):
        yield (*path, kind), payload, stop
        if kind in PARENTS:
            yield from boxes(data, payload, stop, (*path, kind))


def timescale(data, payload):
    """The field of `mvhd` and `mdhd`."""
    return struct.unpack_from(">I", data, payload + (20 if data[payload] else 12))[0]


class Track:
    """A track of an MP4 file without fragments."""

    def __init__(self, data, payload, end, movie_scale):
        self.edits, self.ctts = [], None
        for (*above, kind), at, stop in boxes(data, payload, end):
            def read(form, offset=4):
                return struct.unpack_from(f">{form}", data, at + offset)

            if kind == b"hdlr" and above[-1:] == [b"mdia"]:
                self.kind = data[at + 8:at + 12].decode("latin-1")
            elif kind == b"mdhd":
                self.scale = timescale(data, at)
            elif kind == b"elst":
                row = "QqI" if data[at] else "IiI"
                for number in range(read("I")[0]):
                    length, time, _ = read(row, 8 + number * struct.calcsize(">" + row))
                    self.edits.append((length / movie_scale, time))
            elif kind == b"stsd":
                self.entry = data[at + 8:stop]
            elif kind in (b"stts", b"ctts"):
                pairs = struct.iter_unpack(">Ii", data[at + 8:at + 8 + 8 * read("I")[0]])
                setattr(self, kind.decode(), [value for count, value in pairs for _ in range(count)])
            elif kind == b"stsz":
                same, count = read("II")
                self.sizes = [same] * count if same else list(read(f"{count}I", 12))
            elif kind == b"stsc":
                self.runs = list(struct.iter_unpack(">III", data[at + 8:at + 8 + 12 * read("I")[0]]))
            elif kind in (b"stco", b"co64"):
                self.chunks = read(f"{read('I')[0]}{'IQ'[kind == b'co64']}", 8)

    def samples(self, data):
        found, runs = [], [*self.runs, (len(self.chunks) + 1, 0, 0)]
        for (first, count, _), (following, _, _) in zip(runs, runs[1:]):
            for offset in self.chunks[first - 1:following - 1]:
                for _ in range(count):
                    found.append(data[offset:offset + self.sizes[len(found)]])
                    offset += len(found[-1])
        return found

    @property
    def empty_seconds(self):
        return sum(length for length, time in self.edits if time < 0)

    @property
    def media_start(self):
        return next((time for _, time in self.edits if time >= 0), 0) / self.scale

    def times(self):
        """When each sample is shown, in seconds, in decoding order. The edit list is applied."""
        found, decoded = [], 0
        for length, offset in zip(self.stts, self.ctts or [0] * len(self.stts)):
            found.append(self.empty_seconds + (decoded + offset) / self.scale - self.media_start)
            decoded += length
        return found

    def shown_end(self):
        """Where the edit list ends, in seconds, or None."""
        return sum(length for length, _ in self.edits) if self.edits else None


def tracks(data):
    """By kind: "vide", "soun"."""
    scale = next(timescale(data, at) for path, at, _ in boxes(data) if path == (b"moov", b"mvhd"))
    found = [Track(data, at, end, scale) for path, at, end in boxes(data) if path == (b"moov", b"trak")]
    return {track.kind: track for track in found}


def box(kind, payload):
    return struct.pack(">I4s", 8 + len(payload), kind) + payload


def with_edits(data, edits):
    """Replaces edit lists. `edits` has rows of (seconds, media start in seconds, or None for an empty edit) by kind of
    track. moov must be the last box, so that no offset changes."""
    kind, start, payload, end = list(children(data, 0, len(data)))[-1]
    assert kind == b"moov"
    made, movie_scale = b"", 1000
    for kind, begin, at, stop in children(data, payload, end):
        if kind == b"mvhd":
            movie_scale = timescale(data, at)
        if kind != b"trak" or (track := Track(data, at, stop, movie_scale)).kind not in edits:
            made += data[begin:stop]
            continue
        rows = [(round(length * movie_scale), -1 if time is None else round(time * track.scale), 1 << 16)
                for length, time in edits[track.kind]]
        table = struct.pack(">II", 0, len(rows)) + b"".join(struct.pack(">IiI", *row) for row in rows)
        parts = {inner: data[first:last] for inner, first, _, last in children(data, at, stop)}
        parts[b"edts"] = box(b"edts", box(b"elst", table))
        made += box(b"trak", parts.pop(b"tkhd") + parts.pop(b"edts") + b"".join(parts.values()))
    return data[:start] + box(b"moov", made)


def without_edits(data):
    """Makes each edit list show its whole track. Files with fragments stay as they are."""
    if b"mvex" in data:
        return data
    found = bytearray(data)
    for path, at, _ in boxes(data):
        if path[-1] == b"elst":
            whole = struct.pack(">IQqI" if data[at] else ">IIiI", 1, 1 << 30, 0, 1 << 16)
            found[at + 4:at + 4 + len(whole)] = whole
    return bytes(found)
