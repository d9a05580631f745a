"""`bsc upload` against `curl -T` and UpChunk's rule: throughput, memory, bytes sent again, a slow link."""

import contextlib
import json
import math
import os
import shutil
import sys
import tempfile
import zlib
from pathlib import Path

from benchmarks.clips import MADE
from benchmarks.common import Run, machine, measure_parts, median, ratio
from benchmarks.sink import Behaviour, Sink
from benchmarks.validate import column, figures, missed, one_core, table

MIB = 1 << 20
# The default of Mux's client for browsers. It repeats a whole chunk, whatever the server says it has kept.
UPCHUNK = 30 * MIB


@contextlib.contextmanager
def made(byte_count, is_random=False):
    """A file of so many bytes: a hole, which is read without a disk, or random ones, which no mistake leaves alike."""
    with tempfile.TemporaryDirectory(dir=MADE) as folder:
        path = Path(folder, "clip.mp4")
        with open(path, "wb") as file:
            if is_random:
                for start in range(0, byte_count, MIB):
                    file.write(os.urandom(min(MIB, byte_count - start)))
            file.truncate(byte_count)
        yield path


def sending(arguments, path, sink, *options):
    """The URL goes into a file, as the command wants it."""
    url = path.with_name("url")
    url.write_text(sink.url)
    command = [arguments.bsc.absolute(), "upload", path, "--url-file", url, *options]
    return command + ["--json", "--progress", "none"]


def sending_as_curl(path, sink):
    # Without waiting for leave to send, as bsc.
    return ["curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "-H", "Expect:", "-T", path, sink.url]


def sent(path, behaviour, command, **watched):
    """The run, and what the server saw of it: which has to be the whole file."""
    with Sink(behaviour) as sink, one_core():
        run = Run(command(sink), **watched)
        chunks = sink.chunks()
    if not chunks or chunks[-1]["stored"] != path.stat().st_size:
        sys.exit(f"bench: the server has {chunks[-1]['stored'] if chunks else 0} bytes: {run.errors[-500:]}")
    return run, chunks


def spread(values, scale=1, digits=2):
    return "{} ({} to {})".format(*(f"{f(values) / scale:.{digits}f}" for f in (median, min, max)))


# --- Throughput

BYTES, THROUGHPUT_WANTED = 1 << 30, 0.9


def compare_throughput(arguments):
    found = {"bsc": [], "curl": []}
    with made(BYTES) as path:
        for number in range(arguments.runs + 1):
            # Who is first changes: the second of a pair may have it better, or worse.
            for name in sorted(found, reverse=number % 2 == 0):
                def command(sink):
                    return sending(arguments, path, sink) if name == "bsc" else sending_as_curl(path, sink)

                run, chunks = sent(path, Behaviour(), command)
                found[name].append(figures(run) | {"requests": len(chunks)})
    return {name: runs[1:] for name, runs in found.items()}


def show_throughput(found):
    ours, theirs = found["bsc"], found["curl"]
    print(f"\n{BYTES / MIB:.0f} MiB over the loopback, a sparse file, {len(ours)} pairs; client and server a core each")
    rows = [("program", "requests", "MB/s", "CPU s a GB", "throughput, bsc / curl", "CPU, bsc / curl", "wanted")]
    ratios = (
        ratio(column(theirs, "seconds"), column(ours, "seconds")),
        ratio(column(ours, "cpu_seconds"), column(theirs, "cpu_seconds")),
        f"≥ {THROUGHPUT_WANTED}",
    )
    for name, runs, cells in ("bsc", ours, ratios), ("curl -T", theirs, ("", "", "")):
        speeds = [BYTES / seconds for seconds in column(runs, "seconds")]
        rows.append(
            (name, f"{median(column(runs, 'requests')):.0f}", spread(speeds, 1e6, 0),
             spread(column(runs, "cpu_seconds"), BYTES / 1e9, 3), *cells)
        )
    table(*rows)
    times = median([b / a for a, b in zip(column(ours, "seconds"), column(theirs, "seconds"))])
    if times < THROUGHPUT_WANTED:
        missed(f"{times:.2f} of curl's throughput, wanted {THROUGHPUT_WANTED}")


# --- Memory

# What a small file needs is the program itself, most of it mapped from its file.
SIZES, MEMORY_LIMIT = (1 * MIB, 4096 * MIB), 64e6


def compare_memory(arguments):
    found = []
    for size in SIZES:
        with made(size) as path:
            for _ in range(math.ceil(arguments.runs / 3)):
                run, chunks = sent(path, Behaviour(), lambda sink: sending(arguments, path, sink), watch_memory=True)
                found.append(
                    figures(run) | {"bytes": size, "chunks": column(chunks, "bytes")}
                    | {"resident_bytes": run.resident_bytes, "anonymous_bytes": run.anonymous_bytes}
                )
    return found


def show_memory(found):
    print(f"\nPeak memory, sparse files, {len(found) // len(SIZES)} runs each")
    rows = [("MiB", "resident MB", "of them anonymous", "longest chunk, MiB", "s", "wanted")]
    for size in SIZES:
        runs = [run for run in found if run["bytes"] == size]
        longest = max(max(chunks) for chunks in column(runs, "chunks")) / MIB
        peaks = [spread(column(runs, key), 1e6, 1) for key in ("resident_bytes", "anonymous_bytes")]
        wanted = f"< {MEMORY_LIMIT / 1e6:.0f} MB"
        rows.append((f"{size / MIB:,.0f}", *peaks, f"{longest:.0f}", spread(column(runs, "seconds")), wanted))
    table(*rows)
    peak = max(column(found, "resident_bytes"))
    if peak >= MEMORY_LIMIT:
        missed(f"{peak / 1e6:.1f} MB, wanted less than {MEMORY_LIMIT / 1e6:.0f}")


# --- Bytes sent again

BROKEN_BYTES = 256 * MIB
BREAKS = [(every, share, keep) for every, share in ((3, 0.3), (2, 0.71)) for keep in ("all", "units", "nothing")]


def again(run, chunks, size):
    """What went twice, as bsc counts it, whole requests, and as bytes that arrived; and both by UpChunk's rule."""
    told = json.loads(run.output)
    breaks = [chunk for chunk in chunks if chunk["reset"]]
    # Where UpChunk's chunk would have begun that broke at the same byte of the file.
    ends = [chunk["first"] + chunk["arrived"] for chunk in breaks]
    starts = [(end - 1) // UPCHUNK * UPCHUNK for end in ends]
    return {
        "breaks": len(breaks),
        "requests": told["requestCount"],
        "chunks": column(chunks, "bytes"),
        "counted": told["sentByteCount"] - told["byteCount"],
        "unconfirmed": sum(chunk["bytes"] - chunk["kept"] for chunk in breaks),
        "upchunk_counted": sum(min(UPCHUNK, size - start) for start in starts),
        "arrived": sum(column(chunks, "arrived")) - size,
        "lost": sum(chunk["arrived"] - chunk["kept"] for chunk in breaks),
        "upchunk_arrived": sum(end - start for end, start in zip(ends, starts)),
    }


def compare_breaks(arguments):
    found = []
    with made(BROKEN_BYTES, is_random=True) as path:
        checksum = zlib.crc32(path.read_bytes())
        for size, options in ("30 MiB", ["--chunk-size", "30MiB"]), ("by the link", []):
            for every, share, keep in BREAKS:
                behaviour = Behaviour(reset_every=every, reset_share=share, keep=keep, check=True)
                run, chunks = sent(path, behaviour, lambda sink: sending(arguments, path, sink, *options))
                found.append(
                    {"size": size, "every": every, "share": share, "keep": keep, "seconds": run.seconds,
                     "intact": chunks[-1]["crc"] == checksum} | again(run, chunks, BROKEN_BYTES)
                )
    return found


def show_breaks(found):
    print(
        f"\nSent again, in MiB, of a file of {BROKEN_BYTES / MIB:.0f} MiB: the connection is reset in each so-manieth"
        " chunk, and the server keeps\nso much of what it has read. Counted: by whole requests, bsc's sentByteCount -"
        " byteCount. Arrived: what the server's\nside got twice. UpChunk: computed, 30 MiB chunks, for breaks at the"
        " same bytes of the file."
    )
    rows = [
        ("chunks", "reset", "kept", "breaks", "counted", "UpChunk", "not confirmed", "arrived", "UpChunk", "not kept")
    ]
    misses = []
    for row in found:
        name = f"each {row['every']}., after {row['share']:.0%}"
        keys = "counted", "upchunk_counted", "unconfirmed", "arrived", "upchunk_arrived", "lost"
        cells = [f"{row[key] / MIB:.2f}" for key in keys]
        rows.append((row["size"], name, row["keep"], str(row["breaks"]), *cells))
        which = f"chunks {row['size']}, {name}, keeping {row['keep']}"
        for ours, limit, what in ("counted", "unconfirmed", "confirmed"), ("arrived", "lost", "kept"):
            if row[ours] > row[limit]:
                more = (row[ours] - row[limit]) / MIB
                misses.append(f"{which}: {more:.2f} MiB more went again than the server had not {what}")
        if not row["breaks"]:
            misses.append(f"{which}: nothing broke")
        if not row["intact"]:
            misses.append(f"{which}: THE SERVER HOLDS OTHER BYTES THAN THE FILE")
        if row["arrived"] > row["upchunk_arrived"]:
            misses.append(f"{which}: {row['arrived'] / row['upchunk_arrived']:.2f} of UpChunk's, wanted less")
    table(*rows)
    for text in misses:
        missed(text)


# --- A slow link

SLOW, SLOW_SECONDS, OUTAGE_AFTER, OUTAGE_SECONDS = 125_000, 20, 10, 2
# Name, MiB of the file, how the server behaves.
LINKS = [
    ("1 Mbit/s for 20 s, then free", 64, Behaviour(bytes_per_second=SLOW, slow_seconds=SLOW_SECONDS)),
    ("1 Mbit/s", 12, Behaviour(bytes_per_second=SLOW)),
    *(
        (f"for 20 s, out from 10 to 12 s, keeps {keep}", 64,
         Behaviour(bytes_per_second=SLOW, slow_seconds=SLOW_SECONDS, keep=keep, outage_after=OUTAGE_AFTER,
                   outage_seconds=OUTAGE_SECONDS))
        for keep in ("all", "units", "nothing")
    ),
    ("1 Mbit/s, out from 80 to 82 s, keeps nothing", 12,
     Behaviour(bytes_per_second=SLOW, keep="nothing", outage_after=80, outage_seconds=OUTAGE_SECONDS)),
]


def compare_slow(arguments):
    found = []
    for name, mebibytes, behaviour in LINKS:
        with made(mebibytes * MIB) as path:
            run, chunks = sent(path, behaviour, lambda sink: sending(arguments, path, sink))
        found.append(
            {"name": name, "seconds": run.seconds, "chunk_seconds": column(chunks, "seconds")}
            | again(run, chunks, mebibytes * MIB)
        )
        if sys.stderr.isatty():
            print(f"\r{name}: done", end="", file=sys.stderr, flush=True)
    return found


def show_slow(found):
    print("\nA slow link: the length of each chunk in MiB, and how long it took; sent again in MiB, as above")
    rows = [("link", "s", "chunks", "breaks", "counted", "not confirmed", "arrived", "not kept", "UpChunk")]
    for row in found:
        chunks = ", ".join(
            f"{length / MIB:.4g} in {seconds:.1f} s" for length, seconds in zip(row["chunks"], row["chunk_seconds"])
        )
        keys = "counted", "unconfirmed", "arrived", "lost", "upchunk_arrived"
        cells = [f"{row[key] / MIB:.2f}" if row["breaks"] else "" for key in keys]
        rows.append((row["name"], f"{row['seconds']:.1f}", chunks, str(row["breaks"]), *cells))
    table(*rows)
    for row in found:
        if row["arrived"] > row["lost"]:
            missed(f"{row['name']}: {(row['arrived'] - row['lost']) / MIB:.2f} MiB went again that the server had kept")


PARTS = {
    "throughput": (compare_throughput, show_throughput),
    "memory": (compare_memory, show_memory),
    "breaks": (compare_breaks, show_breaks),
    "slow": (compare_slow, show_slow),
}


def upload(arguments):
    """`bsc upload` against curl and UpChunk's rule: throughput, memory, bytes sent again, a slow link."""
    if shutil.which("curl") is None:
        sys.exit("bench: curl is missing (Debian: curl)")
    MADE.mkdir(parents=True, exist_ok=True)
    described = machine(bsc=[str(arguments.bsc.absolute()), "--version"], curl=["curl", "--version"])
    measure_parts(PARTS, described, arguments)
