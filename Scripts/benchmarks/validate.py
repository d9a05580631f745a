"""`bsc validate` against ffprobe, MediaInfo and MediaConch; its memory, holes in files, and large rally metadata."""

import contextlib
import copy
import dataclasses
import json
import os
import shutil
import struct
import sys
import tempfile
import uuid
from pathlib import Path

from benchmarks.clips import MADE
from benchmarks.common import CORES, MEDIA, ROOT, Run, machine, measure_parts, median, ratio

SAMPLES = ROOT / "Samples"
# The longest that a rally has at the bit rate of a phone's 4K; and nobody wants more than this on their disk.
LARGEST, TOGETHER = 30_000_000, 6_000_000_000
# There is nothing to compare where programs give up.
NO_CLIPS = "broken-", "audio-only", "no-video"
# 4: there are findings. That is an answer, too.
ANSWERED = 0, 4


def judging(arguments, *paths, jobs=1):
    command = [arguments.bsc.absolute(), "validate", *paths, "--jobs", str(jobs)]
    return command + ["--allow-no-metadata", "--format", "jsonl"]


def figures(run):
    return {"seconds": run.seconds, "cpu_seconds": run.cpu}


def column(runs, key):
    return [run[key] for run in runs]


def table(*rows):
    """In Markdown, and straight for whoever reads it as it is. The first row is the head, the first column words."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows]
    print("\n".join(f"| {line} |" for line in [lines[0], " | ".join("-" * width for width in widths), *lines[1:]]))


def missed(what):
    print(f"MISSED: {what}")


@contextlib.contextmanager
def one_core():
    """What is started inside has only one: so many threads are no merit. As `taskset` does it."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


# --- Many clips


def mixture():
    """Short clips as cameras, phones and apps write them."""
    found = sorted(SAMPLES.glob("*.mp4")) + sorted(MEDIA.rglob("*.mp4")) + sorted(MEDIA.rglob("*.mov"))
    return [path for path in found if path.stat().st_size <= LARGEST and not path.name.startswith(NO_CLIPS)]


def copies(count):
    """A folder with so many clips, made once: of the whole mixture in turn, so that any run of them is like another."""
    sources = mixture()
    names = [f"{i:05}-{sources[i % len(sources)].name}" for i in range(count)]
    total = sum(sources[i % len(sources)].stat().st_size for i in range(count))
    if total > TOGETHER:
        sys.exit(f"bench: {count} clips would have {total / 1e9:.1f} GB: at most {TOGETHER / 1e9:.0f} are made")
    folder = MADE / f"validate-{count}"
    if not folder.is_dir() or sorted(os.listdir(folder)) != names:
        print(f"making {folder.name}: {count} clips, {total / 1e9:.2f} GB (once)", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for i, name in enumerate(names):
            shutil.copyfile(sources[i % len(sources)], folder / name)
        os.sync()  # or they are written to disk while the first program is measured
    return folder, [folder / name for name in names]


def tell_mixture(files):
    sources = mixture()
    sizes = sorted(path.stat().st_size for path in files)
    print(
        f"\n{len(files)} clips, {sum(sizes) / 1e6:.0f} MB ({sizes[0] / 1e3:.0f} kB to {sizes[-1] / 1e6:.1f} MB, median"
        f" {median(sizes) / 1e6:.2f} MB): copies, in turn, of these {len(sources)}"
    )
    for path in sources:
        print(f"  {path.stat().st_size / 1e6:7.3f} MB  {path.name}")


# What someone would ask of rally clips; each rule is one that bsc has, too.
POLICY = """<?xml version="1.0"?>
<policy type="and" name="Rally clip">
  <rule name="MP4 or MOV" value="Format" tracktype="General" occurrence="*" operator="=">MPEG-4</rule>
  <rule name="a second" value="Duration" tracktype="General" occurrence="*" operator="&gt;=">1000</rule>
  <rule name="a minute" value="Duration" tracktype="General" occurrence="*" operator="&lt;=">60000</rule>
  <rule name="H.264" value="Format" tracktype="Video" occurrence="*" operator="=">AVC</rule>
  <rule name="4:2:0" value="ChromaSubsampling" tracktype="Video" occurrence="*" operator="=">4:2:0</rule>
  <rule name="8 bits" value="BitDepth" tracktype="Video" occurrence="*" operator="=">8</rule>
  <rule name="Full HD" value="Width" tracktype="Video" occurrence="*" operator="&lt;=">2048</rule>
</policy>
"""


@dataclasses.dataclass
class Peer:
    name: str
    package: str
    command: list
    count: int
    # Is in the output once a file: whoever says nothing of a file has not looked at it.
    mark: bytes
    # Its seconds / ours, at least.
    wanted: float

    @property
    def program(self):
        return self.name.partition(",")[0]


def each(paths, folder, command):
    """The command once per file, without a shell's time in between."""
    names = folder / f"{command[0]}.txt"
    names.write_text("".join(f"{path}\n" for path in paths))
    return ["xargs", "-a", names, "-d", "\\n", "-n", "1", *command]


def peers(clips, files, folder):
    policy = folder / "policy.xml"
    policy.write_text(POLICY)

    def sample(count):
        """About so many, each clip of the mixture as often as any other."""
        whole = len(mixture())
        return files[: max(1, round(count / whole)) * whole]

    probed, judged = sample(200), sample(50)
    ffprobe = ["ffprobe", "-v", "error", "-show_format", "-show_streams"]
    return [
        Peer("ffprobe, each file", "ffmpeg", each(probed, folder, ffprobe), len(probed), b"[FORMAT]", 50),
        Peer("mediainfo, all at once", "mediainfo", ["mediainfo", "--Output=JSON", clips], len(files), b'"@ref"', 5),
        Peer(
            "mediaconch, each file", "mediaconch", each(judged, folder, ["mediaconch", "-p", policy]), len(judged),
            b"! /", 50,
        ),
    ]


def present(peer):
    if shutil.which(peer.program):
        return True
    print(f"{peer.program} is missing (Debian: {peer.package}): ITS ROW IS SKIPPED")
    return False


def measured(command, count, mark, statuses=(0,)):
    """Seconds for one file."""
    run = Run(command, statuses=statuses)
    if (told := run.output.count(mark)) != count:
        sys.exit(f"bench: {command[0]} said something about {told} of {count} files: {run.errors[-500:]}")
    return {key: value / count for key, value in figures(run).items()}


def compare_files(arguments):
    clips, files = copies(arguments.files)
    tell_mixture(files)
    found = {"files": len(files), "bytes": sum(path.stat().st_size for path in files), "peers": []}
    with tempfile.TemporaryDirectory() as folder:
        rivals = [peer for peer in peers(clips, files, Path(folder)) if present(peer)]

        def ours(jobs=1):
            return measured(judging(arguments, clips, jobs=jobs), len(files), b'"schema"', ANSWERED)

        runs = {peer.name: [] for peer in rivals}
        alone, both = [], {1: [], 2: []}
        for number in range(arguments.runs + 1):  # the first round warms the cache
            with one_core():
                alone.append(ours())
                for peer in rivals:
                    runs[peer.name].append(measured(peer.command, peer.count, peer.mark))
            for jobs in both if CORES > 1 else ():
                both[jobs].append(ours(jobs))
            if sys.stderr.isatty():
                print(f"\rround {number} of {arguments.runs}", end="", file=sys.stderr, flush=True)
    found["bsc"] = alone[1:]
    for peer in rivals:
        found["peers"].append(
            {"name": peer.name, "files": peer.count, "wanted": peer.wanted, "runs": runs[peer.name][1:]}
        )
    if CORES > 1:
        found["jobs"] = {jobs: times[1:] for jobs, times in both.items()}
    return found


def show_files(found):
    def per_second(runs):
        return f"{median([1 / s for s in column(runs, 'seconds')]):.1f}"

    def cpu(runs):
        return f"{median(column(runs, 'cpu_seconds')) * 1e3:.2f}"

    print(f"\nFiles a second on one core, {len(found['bsc'])} rounds, page cache warm")
    rows = [("program", "files", "files/s", "CPU ms a file", "theirs / bsc, wall", "theirs / bsc, CPU", "wanted")]
    rows.append(("bsc --jobs 1", str(found["files"]), per_second(found["bsc"]), cpu(found["bsc"]), "", "", ""))
    misses = []
    for peer in found["peers"]:
        whole = peer["files"] == found["files"]
        files = str(peer["files"]) if whole else f"{peer['files']} (a sample)"
        ratios = [ratio(column(peer["runs"], key), column(found["bsc"], key), 1) for key in ("seconds", "cpu_seconds")]
        rows.append((peer["name"], files, per_second(peer["runs"]), cpu(peer["runs"]), *ratios, f"≥ {peer['wanted']}"))
        times = median([b / a for a, b in zip(column(found["bsc"], "seconds"), column(peer["runs"], "seconds"))])
        if times < peer["wanted"]:
            misses.append(f"{peer['name']}: {times:.1f}, wanted {peer['wanted']}")
    table(*rows)
    for text in misses:
        missed(text)
    if "jobs" in found:
        one, two = (found["jobs"][jobs] for jobs in (1, 2))
        print(f"\nSeveral at once, on {CORES} cores")
        table(
            ("jobs", "files/s", "CPU ms a file", "one / two, wall", "wanted"),
            ("1", per_second(one), cpu(one), "", ""),
            ("2", per_second(two), cpu(two), ratio(column(one, "seconds"), column(two, "seconds")), "nearly 2"),
        )


# --- Memory

COUNTS, MEMORY_LIMIT = (10, 1000, 10_000), 100e6


def compare_memory(arguments):
    clips, files = copies(arguments.files)
    found = []
    for count in COUNTS:
        # Links, in folders of a thousand: the same clips under other names.
        with tempfile.TemporaryDirectory(dir=clips.parent) as folder:
            for i in range(count):
                link = Path(folder, str(i // 1000), f"{i:05}-{files[i % len(files)].name[6:]}")
                link.parent.mkdir(exist_ok=True)
                os.link(files[i % len(files)], link)
            run = Run(judging(arguments, folder, jobs=CORES), watch_memory=True, statuses=ANSWERED)
        if (told := run.output.count(b'"schema"')) != count:
            sys.exit(f"bench: bsc judged {told} of {count} files: {run.errors[-500:]}")
        found.append(
            figures(run)
            | {"files": count, "resident_bytes": run.resident_bytes, "anonymous_bytes": run.anonymous_bytes}
        )
    return found


def show_memory(found):
    print(f"\nPeak memory, --jobs {CORES}")
    rows = [
        (f"{row['files']:,}", *(f"{row[key] / 1e6:.1f}" for key in ("resident_bytes", "anonymous_bytes")),
         f"{row['seconds']:.1f}")
        for row in found
    ]
    table(("files", "resident MB", "of them anonymous", "s"), *rows)
    peaks = column(found, "resident_bytes")
    if max(peaks) > MEMORY_LIMIT:
        missed(f"{max(peaks) / 1e6:.0f} MB, wanted less than {MEMORY_LIMIT / 1e6:.0f}")
    if peaks[-1] > 1.2 * peaks[-2]:
        missed(f"not flat: {peaks[-1] / peaks[-2]:.2f} times as much for {found[-1]['files'] / found[-2]['files']:.0f}"
               " times as many files")


# --- A hole of gigabytes

GROWN = 4 << 30
# One buffer, which the end of the file cuts short where there is no hole.
READ_AHEAD = 64 << 10
PARENTS = b"moov", b"trak", b"mdia", b"minf", b"stbl"


def boxes(data, start=0, end=None):
    """Kind, and where it begins, where its content begins, and where it ends."""
    end = len(data) if end is None else end
    while start < end:
        size, kind = struct.unpack_from(">I4s", data, start)
        head = 8
        if size == 1:
            (size,), head = struct.unpack_from(">Q", data, start + 8), 16
        yield kind, start, start + head, start + size
        start += size


def move_chunks(data, start, end, by):
    for kind, _, body, stop in boxes(data, start, end):
        if kind in PARENTS:
            move_chunks(data, body, stop, by)
        elif kind in (b"stco", b"co64"):
            form = ">I" if kind == b"stco" else ">Q"
            for at in range(body + 8, stop, struct.calcsize(form)):
                struct.pack_into(form, data, at, struct.unpack_from(form, data, at)[0] + by)


def write_grown(source, target, moov_first, size):
    """The clip, whose index is at its end, with it in front or there, and with a hole behind the pictures in `mdat`."""
    data = source.read_bytes()
    found = {kind: (start, body, end) for kind, start, body, end in reversed(list(boxes(data)))}
    front, moov = (bytearray(data[found[kind][0] : found[kind][2]]) for kind in (b"ftyp", b"moov"))
    # From the first mdat on everything up to the index: a second one's header is only bytes that nobody points to.
    media = data[found[b"mdat"][1] : found[b"moov"][0]]
    before = len(front) + (len(moov) if moov_first else 0)
    move_chunks(moov, 0, len(moov), before + 16 - found[b"mdat"][1])
    grown = max(16 + len(media), size)
    with open(target, "wb") as file:
        file.write(front + (moov if moov_first else b"") + struct.pack(">I4sQ", 1, b"mdat", grown) + media)
        file.truncate(before + grown)
        if not moov_first:
            file.seek(before + grown)
            file.write(moov)


def judgement(run):
    return json.loads(run.output)


def compare_hole(arguments):
    source = SAMPLES / "rally-portrait.mp4"
    found = []
    with tempfile.TemporaryDirectory(dir=MADE) as folder:
        for moov_first in True, False:
            # In folders of their own: whatever is beside a clip is looked at, too.
            paths = []
            for name, size in ("plain", 0), ("grown", GROWN):
                paths.append(Path(folder, f"{name}-{moov_first}", "clip.mp4"))
                paths[-1].parent.mkdir()
                write_grown(source, paths[-1], moov_first, size)
            runs = {"plain": [], "grown": []}
            answers = {}
            for _ in range(3 * arguments.runs + 1):
                for name, path in zip(runs, paths):
                    run = Run(judging(arguments, path), statuses=ANSWERED)
                    answers[name] = judgement(run)
                    inside = answers[name]["seconds"]
                    runs[name].append(figures(run) | {"judging_seconds": inside, "read_bytes": run.read_bytes})
            if any(answer.get("error") for answer in answers.values()):
                sys.exit(f"bench: bsc cannot judge the clip with a hole: {answers}")
            outcomes = [{check["rule"]: check["outcome"] for check in a["checks"]} for a in answers.values()]
            differ = sorted(rule for rule in outcomes[0] if outcomes[0][rule] != outcomes[1].get(rule))
            found.append(
                {"moov": "first" if moov_first else "last", "runs": {k: r[1:] for k, r in runs.items()},
                 "checks_that_differ": differ}
            )
    return found


def show_hole(found):
    print(f"\nA clip with {GROWN >> 30} GiB in its mdat, nearly all of it a hole, against the same without")
    # Judging alone is what bsc says of itself, without its start.
    times = {"seconds": "wall", "cpu_seconds": "CPU", "judging_seconds": "judging"}
    ratios = [f"with / without, {name}" for name in times.values()]
    rows = [("moov", "", *(f"{name} ms" for name in times.values()), "kB read", *ratios)]
    misses = []
    for row in found:
        plain, grown = row["runs"]["plain"], row["runs"]["grown"]
        counted = {}
        for name, runs in ("without", plain), ("with", grown):
            cells = [f"{median(column(runs, key)) * 1e3:.1f}" for key in times]
            reads = column(runs, "read_bytes")
            counted[name] = None if None in reads else median(reads)
            cells.append("-" if None in reads else f"{counted[name] / 1e3:.1f}")
            cells += [ratio(column(grown, key), column(plain, key)) if runs is grown else "" for key in times]
            rows.append((row["moov"], name, *cells))
        # CPU, because other programs on the machine lengthen everything else.
        longer = median([a / b for a, b in zip(column(grown, "cpu_seconds"), column(plain, "cpu_seconds"))])
        if longer > 1.1:
            misses.append(f"moov {row['moov']}: {longer:.2f} times as much CPU, wanted the same")
        if None not in counted.values() and counted["with"] > counted["without"] + READ_AHEAD:
            more = (counted["with"] - counted["without"]) / 1e3
            misses.append(f"moov {row['moov']}: {more:.1f} kB more are read, wanted the same")
    table(*rows)
    for text in misses:
        missed(text)
    for row in found:
        if row["checks_that_differ"]:
            print(f"moov {row['moov']}: these rules judge it otherwise: {', '.join(row['checks_that_differ'])}")


# --- Large rally metadata

METADATA_BYTES, MILLISECONDS_PER_MB = 5_000_000, 15


def as_the_app_writes(metadata):
    return json.dumps(metadata, indent=2, sort_keys=True, separators=(",", " : "))


def identifier(number):
    return str(uuid.uuid5(uuid.NAMESPACE_OID, str(number))).upper()


def segment(first, number):
    """Ten seconds behind the one before it."""
    start, end = (round(first[key] + 10 * number, 4) for key in ("startTime", "endTime"))
    return dict(first, id=identifier(number), startTime=start, endTime=end)


def sample_of_physics(number):
    return {
        "accelerationValid": True, "confidenceLevel": 0.8731, "curvatureValid": True, "id": identifier(number),
        "isValid": True, "positionJumpsValid": True, "rSquared": 0.9124, "timestamp": round(number / 30, 4),
        "trajectoryId": identifier(number // 30), "velocityConsistent": True,
    }


def grown_metadata(small, key, entry):
    """So many entries that the file has its megabytes."""
    metadata = copy.deepcopy(small)
    entries = metadata.setdefault(key, [])
    entries.append(entry(1))
    one = len(as_the_app_writes(metadata))
    entries.append(entry(2))
    each = len(as_the_app_writes(metadata)) - one
    entries += [entry(number) for number in range(3, 3 + (METADATA_BYTES - one) // each)]
    return metadata


def compare_metadata(arguments):
    clip = SAMPLES / "rally-portrait.mp4"
    small = json.loads(clip.with_suffix(".json").read_text())
    first = small["rallySegments"][0]
    variants = {
        "small": small,
        "rallySegments": grown_metadata(small, "rallySegments", lambda number: segment(first, number)),
        "physicsValidation": grown_metadata(small, "physicsValidation", sample_of_physics),
    }
    found = {name: {"entries": len(value.get(name, [])), "runs": []} for name, value in variants.items()}
    with tempfile.TemporaryDirectory() as folder:
        for name, metadata in variants.items():
            path = Path(folder, f"{name}.json")
            path.write_text(as_the_app_writes(metadata))
            found[name]["bytes"] = path.stat().st_size
        del variants, metadata
        for _ in range(arguments.runs + 1):
            for name, row in found.items():
                options = ["--metadata", Path(folder, f"{name}.json"), "--rally", "0"]
                run = Run(judging(arguments, clip) + options, statuses=ANSWERED)
                answer = judgement(run)
                wrong = [check["rule"] for check in answer["checks"]
                         if check["rule"].startswith("rally.") and check["outcome"] != "pass"]
                if wrong or "rally.json" not in json.dumps(answer["checks"]):
                    sys.exit(f"bench: the {name} metadata is not judged as valid: {answer}"[:1000])
                row["runs"].append(figures(run) | {"judging_seconds": answer["seconds"]})
    for row in found.values():
        row["runs"] = row["runs"][1:]
    return found


def show_metadata(found):
    small = found["small"]
    print(f"\nRally metadata, {len(small['runs'])} rounds: what each MB adds to the same clip with little of it")
    rows = [("metadata", "MB", "entries", "wall ms", "ms of judging", "ms a MB, wall", "ms a MB, CPU", "wanted")]
    misses = []
    for name, row in found.items():
        medians = [f"{median(column(row['runs'], key)) * 1e3:.1f}" for key in ("seconds", "judging_seconds")]
        added = []
        for key in ("seconds", "cpu_seconds") if row is not small else ():
            megabytes = (row["bytes"] - small["bytes"]) / 1e6
            each = [(a - b) * 1e3 / megabytes for a, b in zip(column(row["runs"], key), column(small["runs"], key))]
            added.append("{:.1f} ({:.1f} to {:.1f})".format(*(f(each) for f in (median, min, max))))
            if key == "seconds" and median(each) > MILLISECONDS_PER_MB:
                misses.append(f"{name}: {median(each):.1f} ms a MB, wanted {MILLISECONDS_PER_MB}")
        wanted = f"≤ {MILLISECONDS_PER_MB}" if added else ""
        entries = f"{row['entries']:,}" if row["entries"] else ""
        rows.append((name, f"{row['bytes'] / 1e6:.3f}", entries, *medians, *(added or ["", ""]), wanted))
    table(*rows)
    for text in misses:
        missed(text)


PARTS = {
    "files": (compare_files, show_files),
    "memory": (compare_memory, show_memory),
    "hole": (compare_hole, show_hole),
    "metadata": (compare_metadata, show_metadata),
}


def validate(arguments):
    """`bsc validate` against ffprobe, mediainfo and mediaconch; its memory, holes in files, large rally metadata."""
    MADE.mkdir(parents=True, exist_ok=True)
    described = machine(
        bsc=[str(arguments.bsc.absolute()), "--version"], ffprobe=["ffprobe", "-version"],
        mediainfo=["mediainfo", "--Version"], mediaconch=["mediaconch", "--Version"],
    )
    measure_parts(PARTS, described, arguments)
