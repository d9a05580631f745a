"""Benchmarks of strip, validate, upload, batch and share."""

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from .paired import CORES, MEDIA, MIB, ROOT, Row, Run, ffmpeg, media, spread

SAMPLES = ROOT / "Samples"

# Strip


def strip(bench):
    """Clips of about 400 MB, with location data."""
    sources = [("4K H.264", "bench/volleyball-4k-h264-47mbps-8s.mp4", ["0:v"]),
               ("GoPro", "gopro-hero5-karma-gpmf-480p-12s.mp4", ["0:0", "0:1", "0:3"])]
    for title, name, maps in sources:
        clip, ours, theirs = (bench.folder / f"{name}.mp4" for name in ("clip", "ours", "theirs"))
        source, megabytes = media(name), bench.options.count or 400
        ffmpeg("-stream_loop", max(0, round(megabytes * 1e6 / source.stat().st_size) - 1), "-i", source,
               *(part for each in maps for part in ("-map", each)), "-c", "copy", "-copy_unknown",
               "-metadata", "location=+48.1372+011.5755/", clip)

        def prepare(_):
            for path in (ours, theirs):
                path.unlink(missing_ok=True)
            os.sync()

        command = [bench.bsc, "strip", clip, "-o", ours, "--json"]
        copy = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", clip, "-map", "0:v", "-map", "0:a?", "-c", "copy",
                "-map_metadata", "-1", theirs]
        for row in [
            Row(f"{title}: copy phase, cp", command, ["cp", clip, theirs], ("wall", "<=", 1.3), prepare=prepare,
                wall=lambda run: run.document["seconds"]["copy"]),
            Row(f"{title}: cp + sync + cmp", command,
                f"cp '{clip}' '{theirs}' && sync '{theirs}' && cmp '{clip}' '{theirs}'", ("wall", "<=", 1.3),
                prepare=prepare),
            Row(f"{title}: ffmpeg -c copy", command, copy, ("cpu", "<=", 0.33), prepare=prepare,
                note=lambda run, _: f"anonymous memory {run.anonymous / 1e6:.1f} MB"),
        ]:
            bench.compare(row, 9)


# Validate

# Rules for rally clips; bsc has all of them.
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


def mixture():
    """Short clips of cameras, phones and apps. Programs give up on the broken ones, so they cannot be compared."""
    found = [*sorted(SAMPLES.glob("*.mp4")), *sorted(MEDIA.rglob("*.mp4")), *sorted(MEDIA.rglob("*.mov"))]
    return [path for path in found if path.stat().st_size <= 30e6
            and not path.name.startswith(("broken-", "audio-only", "no-video"))]


def validate(bench):
    """Copies of the mixture in turn. ffprobe and mediaconch run once per file, on a sample."""
    sources, count = mixture(), bench.options.count or 1000
    clips = [bench.folder / f"clips/{number:05}-{sources[number % len(sources)].name}" for number in range(count)]
    clips[0].parent.mkdir()
    for number, path in enumerate(clips):
        shutil.copyfile(sources[number % len(sources)], path)
    os.sync()
    folder, policy = clips[0].parent, bench.folder / "policy.xml"
    policy.write_text(POLICY)
    size = sum(path.stat().st_size for path in clips) / 1e6
    print(f"{count} clips, {size:.0f} MB, copies of {len(sources)}; seconds per file")

    def judge(path, jobs):
        return [bench.bsc, "validate", path, "--jobs", str(jobs), "--allow-no-metadata", "--format", "jsonl"]

    def each(wanted, *command):
        # Whole rounds of the mixture, so that the sample is like the folder.
        sample = clips[:max(1, round(wanted / len(sources))) * len(sources)]
        names = bench.folder / f"{command[0]}.txt"
        names.write_text("".join(f"{path}\n" for path in sample))
        return ["xargs", "-a", names, "-d", "\\n", "-n", "1", *command], len(sample)

    probed, probe_count = each(200, "ffprobe", "-v", "error", "-show_format", "-show_streams")
    checked, check_count = each(50, "mediaconch", "-p", policy)
    peers = [("ffprobe", "each file", probed, probe_count, ("wall", ">=", 50)),
             ("mediainfo", "all at once", ["mediainfo", "--Output=JSON", folder], count, ("wall", ">=", 5)),
             ("mediaconch", "each file", checked, check_count, ("wall", ">=", 50)),
             ("jobs", "1 against 2", judge(folder, 2), count, None)]
    for name, how, command, peer_count, goal in peers:
        if name != "jobs" and shutil.which(name) is None:
            print(f"{name} is not installed: SKIPPED")
            continue
        bench.compare(Row(f"{name}, {how}", judge(folder, 1), command, goal, (count, peer_count), statuses=(0, 4),
                          is_on_one_core=name != "jobs"))
    if bench.wants("memory"):
        peaks = {}
        for files in (10, count, 10 * count):
            links = bench.folder / "links"
            for number in range(files):
                link = links / str(number // 1000) / f"{number:05}-{clips[number % count].name[6:]}"
                link.parent.mkdir(exist_ok=True, parents=True)
                os.link(clips[number % count], link)
            run = Run(judge(links, CORES), (0, 4), bench.environment())
            peaks[files] = run.peak / 1e6
            print(f"memory, {files} files: {run.peak / 1e6:.0f} MB, {run.anonymous / 1e6:.0f} anonymous", flush=True)
            bench.add(f"memory {files}", **run.figures)
            shutil.rmtree(links)
        bench.limit("peak memory", max(peaks.values()), 100, "MB")


# Upload


@contextlib.contextmanager
def sink():
    """The URL of a server in another process, which discards what it receives."""
    process = subprocess.Popen([sys.executable, Path(__file__).with_name("sink.py")], stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def upload(bench):
    """A sparse file over loopback; client and server have a core each."""
    clip, url = bench.folder / "clip.mp4", bench.folder / "url"

    def size(byte_count):
        with open(clip, "wb") as file:
            file.truncate(byte_count)

    with sink() as address:
        url.write_text(address)
        send = [bench.bsc, "upload", clip, "--url-file", url, "--json", "--progress", "none"]
        gigabyte = (bench.options.count or 1024) * MIB
        size(gigabyte)
        curl = ["curl", "-sSf", "--noproxy", "*", "-H", "Expect:", "-T", clip, address]

        def reset(_=None):
            subprocess.run(["curl", "-s", "--noproxy", "*", "-X", "DELETE", address], check=True)

        bench.compare(Row(f"throughput, {gigabyte // MIB} MiB, curl -T", send, curl, ("wall", ">=", 0.9), prepare=reset,
                          is_on_one_core=True), 9)
        if bench.wants("memory"):
            for byte_count in (MIB, 4 * gigabyte):
                size(byte_count)
                peaks = []
                for _ in range(bench.runs(3)):
                    reset()
                    run = Run(send, environment=bench.environment())
                    peaks.append(run.peak / 1e6)
                print(f"memory, {byte_count // MIB} MiB: {spread(peaks, 1)} MB, {run.anonymous / 1e6:.1f} anonymous")
                bench.add(f"memory {byte_count}", peak=peaks, anonymous=run.anonymous)
                bench.limit("peak memory", max(peaks), 64, "MB")


# Batch


def distinct(source, target, number):
    """A copy with other bytes, in a box that readers skip."""
    target.parent.mkdir(parents=True, exist_ok=True)
    data = f"{number}".encode()
    target.write_bytes(source.read_bytes() + (8 + len(data)).to_bytes(4, "big") + b"free" + data)


def batch(bench):
    portrait, volleyball = SAMPLES / "rally-portrait.mp4", MEDIA / "bench/volleyball-4k-h264-47mbps-8s.mp4"
    rows = [("remux only", portrait, 60, "", 1.2, 1),
            ("short clips, to 360 lines", portrait, 16, "--height 360", 1.2, 1),
            ("4K, 8 s each", volleyball, 6, "", 1, 0.4)]
    for name, source, count, flags, goal, share in rows:
        if not bench.wants(name):
            continue
        count = min(count, bench.options.count or count)
        folder, loop, made = (bench.folder / kind for kind in ("in", "loop", "batch"))
        for number in range(count):
            distinct(source, folder / f"{number:03}.mp4", number)

        def prepare(side):
            shutil.rmtree(made if side == "ours" else loop, ignore_errors=True)
            loop.mkdir(exist_ok=True)

        def note(ours, theirs):
            results = len(list(made.rglob("*.mp4")))
            return (f"{results} of {count} results; cores {ours.cpu / ours.wall / CORES:.0%} busy, in the loop "
                    f"{theirs.cpu / theirs.wall / CORES:.0%}")

        bench.compare(Row(
            f"{name}: {count} clips", [bench.bsc, "compress", folder, "-o", made, "-q", *flags.split()],
            f'for f in {folder}/*.mp4; do {bench.bsc} compress "$f" -o {loop}/ -q {flags} || exit 1; done',
            ("wall", ">=", goal), prepare=prepare, note=note, share=share))
        shutil.rmtree(folder)
    if bench.wants("finished"):
        clip, count = bench.folder / "one.mp4", bench.options.count or 10_000
        ffmpeg("-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=4", "-f", "lavfi", "-i",
               "sine=frequency=440:duration=4", "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p",
               "-c:a", "aac", "-b:a", "64k", "-ac", "2", "-movflags", "+faststart", clip)
        for number in range(count):
            distinct(clip, bench.folder / f"many/{number // 100:03}/{number:05}.mp4", number)
        command = [bench.bsc, "compress", bench.folder / "many", "-o", bench.folder / "done", "-q"]
        first, *again = (Run(command, environment=bench.environment()) for _ in range(1 + bench.runs(5)))
        seconds, peak = [run.wall for run in again], max(run.peak for run in again)
        print(f"finished: {count} clips, first {first.wall:.1f} s, again {spread(seconds)} s, {peak / 1e6:.0f} MB")
        bench.add("finished", first=first.figures, again=[run.figures for run in again])
        bench.limit("a second run", statistics.median(seconds), 5, "s")


# Share

STAGES = "probe", "plan", "process", "upload", "register"


def parts(run):
    """Seconds of each stage, before the first and after the last one, from the events on stderr."""
    found, begin, last = dict.fromkeys(("start", *STAGES, "end"), 0.0), {}, 0.0
    for time, line in run.lines:
        event = json.loads(line)
        if event["event"] == "began":
            found["start"] = found["start"] or time
            begin[event["stage"]] = time
        elif event["event"] == "ended":
            # The upload has two events of each kind: its URL, and its bytes.
            found[event["stage"]] += time - begin[event["stage"]]
            last = time
    return found | {"end": run.wall - last, "other": run.wall - (run.wall - last) - sum(found.values())}


def share(bench):
    """Each run has a new home on the embedded backend."""
    rows, peaks = [], []
    for _ in range(1 + bench.runs(5)):
        shutil.rmtree(bench.folder / "home", ignore_errors=True)
        run = Run([bench.bsc, "share", SAMPLES / "rally-4k.mp4", "--json", "--progress", "json"],
                  environment=bench.environment())
        rows.append(parts(run) | {"whole": run.wall})
        peaks.append(run.peak / 1e6)
    rows = rows[1:]
    for name in rows[0]:
        values = [row[name] for row in rows]
        shares = [value / row["whole"] for value, row in zip(values, rows)]
        print(f"{name:10}{spread(values, 3):>28} s {statistics.median(shares):6.1%}")
    ratios = [row["whole"] / row["process"] for row in rows]
    print(f"{'ratio':10}{spread(ratios, 3):>28}, whole / process\n{'memory':10}{max(peaks):25.0f} MB")
    bench.add("share", parts=rows, peak=peaks)
    bench.limit("whole / process", statistics.median(ratios), 1.12, "")
    bench.limit("peak memory", max(peaks), 450, "MB")
