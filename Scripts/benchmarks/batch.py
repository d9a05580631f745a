"""Folders of clips: one `bsc compress FOLDER` against a shell loop of the same commands, and a run that has nothing to do."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.common import CORES, MEDIA, ROOT, Run, median

PARTS = ["remux", "short", "long", "finished", "memory"]


def batch(arguments):
    """Folders: a shell loop of the same commands, and 10,000 files that are finished."""
    parts = arguments.only or PARTS
    results = {}
    with tempfile.TemporaryDirectory(prefix="bsc-bench-batch-", dir=arguments.folder) as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        for part in parts:
            results[part] = globals()[f"_{part}"](arguments, folder / part)
            shutil.rmtree(folder / part, ignore_errors=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))


def distinct(source, target, number):
    """The same clip with bytes of its own, in a box that everybody skips."""
    target.parent.mkdir(parents=True, exist_ok=True)
    data = f"{number}".encode()
    target.write_bytes(source.read_bytes() + (8 + len(data)).to_bytes(4, "big") + b"free" + data)


def small_clip(path, seconds=4, size="320x180", codec="libx264"):
    """A clip of a few kilobytes that needs only a remux."""
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=30:duration={seconds}",
         "-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}", "-c:v", codec, "-preset", "veryfast",
         "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "64k", "-ac", "2", "-movflags", "+faststart", str(path)],
        check=True, stdin=subprocess.DEVNULL)
    return path


def _compare(title, arguments, folder, runs, flags=()):
    """Pairs of a loop and a batch over folder/in; the loop begins every other pair."""
    sources = sorted((folder / "in").rglob("*.mp4"))
    loop_out, batch_out = folder / "loop", folder / "batch"
    words = " ".join(flags)
    loop = f'for f in {folder}/in/*.mp4; do {arguments.bsc} compress "$f" -o {loop_out}/ -q {words} || exit 1; done'
    batch_command = [str(arguments.bsc), "compress", str(folder / "in"), "-o", str(batch_out), "-q", *flags]
    ratios, busy, loop_busy, walls = [], [], [], []
    for number in range(runs):
        pair = {}
        for kind in ("loop", "batch") if number % 2 == 0 else ("batch", "loop"):
            shutil.rmtree(loop_out if kind == "loop" else batch_out, ignore_errors=True)
            if kind == "loop":
                loop_out.mkdir()
                pair[kind] = Run(loop, shell=True)
            else:
                pair[kind] = Run(batch_command)
        ratios.append(pair["loop"].seconds / pair["batch"].seconds)
        busy.append(pair["batch"].cpu / pair["batch"].seconds / CORES)
        loop_busy.append(pair["loop"].cpu / pair["loop"].seconds / CORES)
        walls.append((pair["loop"].seconds, pair["batch"].seconds))
    made = len(list(batch_out.rglob("*.mp4")))
    if made != len(sources) or len(list(loop_out.rglob("*.mp4"))) != made:
        sys.exit(f"bench: {made} of {len(sources)} results")
    sizes = [sum(path.stat().st_size for path in out.rglob("*.mp4")) for out in (loop_out, batch_out)]
    print(
        f"{title:34} {len(sources):5} clips  loop {median(w[0] for w in walls):6.2f} s  "
        f"batch {median(w[1] for w in walls):6.2f} s  {median(ratios):.2f} times as fast "
        f"({min(ratios):.2f} to {max(ratios):.2f})  cores busy {median(busy) * 100:.0f} % (loop "
        f"{median(loop_busy) * 100:.0f} %)  bytes {sizes[1] / sizes[0]:.3f}", flush=True)
    return {"ratios": ratios, "busy": busy, "walls": walls, "bytes": sizes}


def _remux(arguments, folder):
    clip = ROOT / "Samples/rally-portrait.mp4"
    for number in range(60):
        distinct(clip, folder / f"in/{number:03}.mp4", number)
    return _compare("remux only, 1.5 MB each", arguments, folder, arguments.runs)


def _short(arguments, folder):
    clip = ROOT / "Samples/rally-portrait.mp4"
    for number in range(16):
        distinct(clip, folder / f"in/{number:03}.mp4", number)
    return _compare("short clips, to 360 lines", arguments, folder, arguments.runs, ["--height", "360"])


def _long(arguments, folder):
    clip = MEDIA / "bench/volleyball-4k-h264-47mbps-8s.mp4"
    if not clip.exists():
        print(f"SKIPPED long: {clip.name} is missing")
        return {}
    for number in range(6):
        distinct(clip, folder / f"in/{number:03}.mp4", number)
    return _compare("4K, 8 s each", arguments, folder, max(arguments.runs // 2, 2))


def _finished(arguments, folder):
    clip = small_clip(folder / "one.mp4")
    for number in range(arguments.files):
        distinct(clip, folder / f"in/{number // 100:03}/{number:05}.mp4", number)
    command = [str(arguments.bsc), "compress", str(folder / "in"), "-o", str(folder / "out"), "-q"]
    first = Run(command)
    again = [Run(command) for _ in range(arguments.runs)]
    made = len(list((folder / "out").rglob("*.mp4")))
    if made != arguments.files:
        sys.exit(f"bench: {made} of {arguments.files} results")
    ledger = (folder / "out/.bsc/ledger.jsonl").stat().st_size
    print(
        f"{'a second run over finished files':34} {made:5} clips  first {first.seconds:6.1f} s  again "
        f"{median(r.seconds for r in again):.2f} s ({min(r.seconds for r in again):.2f} to "
        f"{max(r.seconds for r in again):.2f}), {median(r.peak_bytes for r in again) / 1e6:.0f} MB, ledger "
        f"{ledger / 1e6:.1f} MB", flush=True)
    return {"first": first.seconds, "again": [r.seconds for r in again]}


def _memory(arguments, folder):
    """What one file at a time takes, with one thread of each codec and with all."""
    rows = {}
    for name in ("bench/volleyball-4k-h264-47mbps-8s.mp4", "bench/phone-4k-hevc-hlg10-26mbps-8s.mp4",
                 "phone-8k-hevc-24fps.mp4"):
        clip = MEDIA / name
        if not clip.exists():
            print(f"SKIPPED memory: {clip.name} is missing")
            continue
        peaks = []
        for count in (1, 2):
            shutil.rmtree(folder, ignore_errors=True)
            for number in range(count):
                distinct(clip, folder / f"in/{number}.mp4", number)
            run = Run([str(arguments.bsc), "compress", str(folder / "in"), "-o", str(folder / "out"), "-q"])
            peaks.append(run.peak_bytes / 1e6)
        print(f"{'memory, ' + clip.name:34} alone {peaks[0]:.0f} MB, two at once {peaks[1]:.0f} MB", flush=True)
        rows[name] = peaks
    return rows
