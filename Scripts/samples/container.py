"""What a phone or an action camera adds to a clip: location in three places, capture date, make, display matrix.

Works on the boxes of a finished MP4 whose moov comes last, as cameras write it; media data never moves.
"""

import struct

# Public, and no one's home: where volleyball was invented in 1895, Holyoke, Massachusetts.
LATITUDE, LONGITUDE, ALTITUDE = 42.2043, -72.6162, 36.0
ISO6709 = f"{LATITUDE:+08.4f}{LONGITUDE:+09.4f}{ALTITUDE:+08.3f}/"


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + kind + body


def full_box(kind, *parts):
    """A box with version and flags, both zero."""
    return box(kind, bytes(4), *parts)


def boxes(data):
    """The boxes in a run of bytes: kind and content."""
    at = 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        header = 8
        if size == 1:
            size, header = struct.unpack_from(">Q", data, at + 8)[0], 16
        yield kind, data[at + header : at + size]
        at += size


def edit(data, path, change):
    """The bytes with the content of every box at this path replaced by `change(content)`."""
    return b"".join(
        box(kind, (change(body) if len(path) == 1 else edit(body, path[1:], change)) if kind == path[0] else body)
        for kind, body in boxes(data)
    )


def xyz():
    text = ISO6709.encode()
    return box(b"\xa9xyz", struct.pack(">HH", len(text), 0x15C7), text)


def keys(values):
    """The `meta` box of QuickTime keys: a handler, the names, a text for each."""
    names, items = b"", b""
    for index, (name, value) in enumerate(values.items(), 1):
        names += box(b"mdta", name.encode())
        items += (
            struct.pack(">I", len(value) + 24)
            + struct.pack(">I", index)
            + box(b"data", struct.pack(">II", 1, 0), value.encode())
        )
    handler = full_box(b"hdlr", bytes(4), b"mdta", bytes(12), b"\0")
    return box(b"meta", handler, full_box(b"keys", struct.pack(">I", len(values)), names), box(b"ilst", items))


# --- GPMF, the telemetry of GoPro cameras: key, type, size of one value, how many; padded to four bytes


def klv(key, kind, size, count, body):
    return struct.pack(">4s1sBH", key, kind, size, count) + body + bytes(-len(body) % 4)


def text(key, value):
    return klv(key, b"c", 1, len(value), value.encode("latin-1"))


def telemetry(second, date):
    """One second of a GPS stream with 18 fixes, as the camera that measures them writes it."""
    fixes = b""
    for index in range(18):
        drift = (second + index / 18) * 1e-6
        fixes += struct.pack(
            ">5i",
            round((LATITUDE + drift) * 1e7),
            round((LONGITUDE - 2 * drift) * 1e7),
            round((ALTITUDE + drift) * 1000),
            35 + index,
            3,
        )
    stream = b"".join(
        [
            text(b"STNM", "GPS (Lat., Long., Alt., 2D speed, 3D speed)"),
            klv(b"GPSF", b"L", 4, 1, struct.pack(">I", 3)),
            klv(b"GPSU", b"U", 16, 1, (date.strftime("%y%m%d%H%M") + f"{date.second + second:02d}.000").encode()),
            klv(b"GPSP", b"S", 2, 1, struct.pack(">H", 182)),
            klv(b"UNIT", b"c", 3, 5, b"degdegm\0\0m/sm/s"),
            klv(b"SCAL", b"l", 4, 5, struct.pack(">5i", 10_000_000, 10_000_000, 1000, 1000, 100)),
            klv(b"GPS5", b"l", 20, 18, fixes),
        ]
    )
    device = (
        klv(b"DVID", b"L", 4, 1, struct.pack(">I", 1))
        + text(b"DVNM", "Sample Camera")
        + klv(b"STRM", b"\0", 1, len(stream), stream)
    )
    return klv(b"DEVC", b"\0", 1, len(device), device)


def telemetry_track(number, movie_scale, seconds, samples, offset, epoch):
    """A track of one sample each second at a place of the file, like the one named GoPro MET."""
    whole = round(seconds * 1000)
    times = [1000] * (len(samples) - 1) + [whole - 1000 * (len(samples) - 1)]
    unity = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    head = box(
        b"tkhd",
        struct.pack(">IIIIII", 0x0F, epoch, epoch, number, 0, round(seconds * movie_scale)),
        bytes(16),
        unity,
        bytes(8),
    )
    media_head = full_box(b"mdhd", struct.pack(">IIIIHH", epoch, epoch, 1000, whole, 0x15C7, 0))
    handler = full_box(b"hdlr", bytes(4), b"meta", bytes(12), b"GoPro MET\0")
    base = full_box(b"gmin", struct.pack(">HHHHHH", 0x40, 0x8000, 0x8000, 0x8000, 0, 0))
    reference = box(b"dinf", full_box(b"dref", struct.pack(">I", 1), box(b"url ", struct.pack(">I", 1))))
    runs = [(1, time) for time in times]
    table = box(
        b"stbl",
        full_box(b"stsd", struct.pack(">I", 1), box(b"gpmd", bytes(6), struct.pack(">H", 1), bytes(4))),
        full_box(b"stts", struct.pack(">I", len(runs)), b"".join(struct.pack(">II", *run) for run in runs)),
        full_box(b"stsc", struct.pack(">IIII", 1, 1, len(samples), 1)),
        full_box(b"stsz", struct.pack(">II", 0, len(samples)), b"".join(struct.pack(">I", len(s)) for s in samples)),
        full_box(b"stco", struct.pack(">II", 1, offset)),
    )
    information = box(b"minf", box(b"gmhd", base, box(b"gpmd", bytes(4))), reference, table)
    return box(b"trak", head, box(b"mdia", media_head, handler, information))


# --- The whole file


def dress(path, date, seconds, quarter_turns=0, gps=True):
    """Adds to the MP4 at `path` what a camera adds. `quarter_turns`: clockwise turns that show the picture upright."""
    with open(path, "rb") as file:
        parts = list(boxes(file.read()))
    assert [kind for kind, _ in parts][-1] == b"moov", "moov has to come last"
    movie = parts.pop()[1]
    data = b"".join(box(kind, body) for kind, body in parts)
    epoch = int(date.timestamp()) + 2_082_844_800  # MP4 counts from 1904.
    if quarter_turns == 1:
        movie = edit(movie, [b"trak", b"tkhd"], turned)
    values = {
        "com.apple.quicktime.make": "Sample",
        "com.apple.quicktime.model": "Sample Camera",
        "com.apple.quicktime.creationdate": date.strftime("%Y-%m-%dT%H:%M:%S+0000"),
    }
    if gps:
        values |= {"com.apple.quicktime.location.ISO6709": ISO6709}
        samples = [telemetry(second, date) for second in range(int(seconds + 0.999))]
        scale = struct.unpack_from(">I", dict(boxes(movie))[b"mvhd"], 12)[0]
        number = struct.unpack(">I", dict(boxes(movie))[b"mvhd"][-4:])[0]
        track = telemetry_track(number, scale, seconds, samples, len(data) + 8, epoch)
        data += box(b"mdat", *samples)
        kept = [(kind, body) for kind, body in boxes(movie) if kind != b"udta"]
        header, *others = [box(kind, body) for kind, body in kept]
        header = header[:-4] + struct.pack(">I", number + 1)
        movie = b"".join([header, *others, track, keys(values), box(b"udta", xyz())])
    else:
        movie = b"".join(box(kind, body) for kind, body in boxes(movie) if kind != b"udta") + keys(values)
    with open(path, "wb") as file:
        file.write(data + box(b"moov", movie))


def turned(header):
    """A track header whose matrix turns the picture a quarter clockwise; one without a picture stays."""
    width, height = struct.unpack(">II", header[-8:])
    if width == 0:
        return header
    matrix = struct.pack(">iiiiiiiii", 0, 0x10000, 0, -0x10000, 0, 0, height, 0, 0x40000000)
    return header[:-44] + matrix + header[-8:]
