"""`bsc strip` against what copies a file, and against what people remove metadata with."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from benchmarks.common import BSC, MEDIA, ROOT, Run, median, ratio


def looped(source, target, megabytes, maps):
    """`source` again and again until it has about so many megabytes, with a location, by ffmpeg."""
    loops = max(0, round(megabytes * 1e6 / source.stat().st_size) - 1)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-y", "-stream_loop", str(loops), "-i", source]
        + [part for name in maps for part in ("-map", name)]
        + ["-c", "copy", "-copy_unknown", "-metadata", "location=+48.1372+011.5755/", target],
        check=True,
    )


def strip(arguments):
    """`bsc strip` against `cp`, `cp` + `sync` + `cmp`, and `ffmpeg -c copy`, which keeps what it should remove."""
    sources = [
        ("4K H.264", MEDIA / "bench/volleyball-4k-h264-47mbps-8s.mp4", ["0:v"]),
        ("GoPro with GPS track", MEDIA / "gopro-hero5-karma-gpmf-480p-12s.mp4", ["0:0", "0:1", "0:3"]),
    ]
    if not MEDIA.is_dir():
        sources = [("sample", ROOT / "Samples/rally-4k.mp4", ["0:v", "0:a"])]
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        folder = Path(folder)
        for title, source, maps in sources:
            clip = folder / "clip.mp4"
            looped(source, clip, arguments.megabytes, maps)
            compare_strip(title, clip, folder, arguments.runs)


def compare_strip(title, clip, folder, runs):
    ours, copies, checked, ffmpeg = [], [], [], []
    phases = []
    out, copied, remuxed = folder / "ours.mp4", folder / "copy.mp4", folder / "ffmpeg.mp4"

    def clean():
        for path in (out, copied, remuxed):
            path.unlink(missing_ok=True)
        os.sync()

    for _ in range(runs + 1):  # the first round warms the cache
        clean()
        ours.append(Run([BSC, "strip", clip, "-o", out, "--json"], watch_memory=True))
        phases.append(json.loads(ours[-1].output)["seconds"])
        clean()
        copies.append(Run(["cp", clip, copied]))
        clean()
        checked.append(Run(f"cp '{clip}' '{copied}' && sync '{copied}' && cmp '{clip}' '{copied}'", shell=True))
        clean()
        ffmpeg.append(
            Run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", clip, "-map", "0:v", "-map", "0:a?"]
                + ["-c", "copy", "-map_metadata", "-1", remuxed])
        )
    ours, copies, checked, ffmpeg, phases = (x[1:] for x in (ours, copies, checked, ffmpeg, phases))
    wall = [run.seconds for run in ours]
    print(f"\n{title}, {clip.stat().st_size / 1e6:.0f} MB, {runs} pairs (median seconds; ratio: median, smallest, largest)")
    rows = [
        ("copy phase, wall", [p["copy"] for p in phases], "cp", [run.seconds for run in copies]),
        ("whole run, wall", wall, "cp + sync + cmp", [run.seconds for run in checked]),
        ("whole run, CPU", [run.cpu for run in ours], "ffmpeg -c copy", [run.cpu for run in ffmpeg]),
    ]
    for what, mine, peer, theirs in rows:
        print(f"  {what:18} bsc {median(mine):.3f}   {peer:16} {median(theirs):.3f}   {ratio(mine, theirs)}")
    parts = ", ".join(f"{name} {median([p[name] for p in phases]):.3f}" for name in phases[0])
    print(f"  phases             {parts}")
    print(f"  anonymous memory   {max(run.anonymous_bytes for run in ours) / 1e6:.1f} MB at most")
