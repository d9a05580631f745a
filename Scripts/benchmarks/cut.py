"""`bsc cut` against one ffmpeg a rally: a match of ten minutes with 40 rallies, copied and encoded."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from benchmarks.clips import MADE, VOLLEYBALL
from benchmarks.common import Run, machine, measure_parts, median, ratio

PARTS = "copied", "encoded"
WANTED = {"copied": 3, "encoded": 1.25}
SECONDS = 600
# The rallies whose pictures are compared: each takes as long as cutting several.
LOOKED_AT = 3


def ffmpeg(*arguments):
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def match(part):
    """A real clip again and again with noise for sound, made once: 1080p that may be copied, or 4K as it was filmed."""
    if not VOLLEYBALL.exists():
        sys.exit(f"bench: there is no {VOLLEYBALL.name}: say where with BSC_SHARED_MEDIA")
    path = MADE / f"match-{part}.mp4"
    if path.exists():
        return path
    print(f"making {path.name} (once)", flush=True)
    MADE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=MADE) as folder:
        clip, unfinished = Path(folder) / "clip.mp4", Path(folder) / "match.mp4"
        video = ["-c:v", "copy"]
        if part == "copied":
            # A key frame every two seconds, no group above 8 Mbit/s.
            video = ["-vf", "scale=1920:1080", "-c:v", "libx264", "-preset", "fast", "-crf", "20", "-g", "50"]
            video += ["-maxrate", "5M", "-bufsize", "5M", "-x264-params", "open-gop=0"]
        ffmpeg("-i", VOLLEYBALL, "-f", "lavfi", "-i", "anoisesrc=a=0.1:r=48000", "-map", "0:v", "-map", "1:a",
               "-t", "8", *video, "-c:a", "aac", "-b:a", "128k", clip)
        ffmpeg("-stream_loop", SECONDS // 8 - 1, "-i", clip, "-map", "0", "-c", "copy", unfinished)
        unfinished.rename(path)
    return path


def rallies(count, seed=20260220):
    """Places of so many rallies of 5 to 25 s, the same each time; as many of them as there is room for."""
    chance = random.Random(seed)
    lengths = [chance.uniform(5, 25) for _ in range(count)]
    # Forty of them have about ten minutes: the longer ones get shorter until there is time between them.
    while sum(lengths) > 0.9 * SECONDS:
        lengths = [max(5, length * 0.97) for length in lengths]
    weights = [chance.random() for _ in range(count + 1)]
    free = (SECONDS - 2 - sum(lengths)) / sum(weights)
    position, found = 0.5, []
    for length, weight in zip(lengths, weights):
        position += weight * free
        found.append((round(position, 3), round(position + length, 3)))
        position += length
    return found


def metadata(places, path):
    segments = [
        {"id": str(uuid.uuid4()).upper(), "startTime": start, "endTime": end, "confidence": 0.8, "quality": 0.8}
        | {"detectionCount": 9, "averageTrajectoryLength": 0.6}
        for start, end in places
    ]
    document = {"id": str(uuid.uuid4()).upper(), "videoId": str(uuid.uuid4()).upper(), "rallySegments": segments}
    path.write_text(json.dumps(document | {"processingDate": "2026-02-20T00:00:00Z"}))


def theirs(source, places, folder, part):
    """A shell loop, as people write it: the same start-up cost for each call, nothing between them."""
    how = "-c copy"
    if part == "encoded":
        how = "-vf scale=1920:1080 -c:v libx264 -preset veryfast -crf 21 -c:a copy -movflags +faststart"
    calls = [
        f"ffmpeg -v error -nostdin -y -ss {start} -i '{source}' -t {round(end - start, 3)} {how} '{folder}/{i:02}.mp4'"
        for i, (start, end) in enumerate(places)
    ]
    return Run(" && ".join(calls), shell=True, watch_memory=True)


def compare(part, arguments):
    source = match(part)
    count = arguments.rallies
    places = rallies(40)[:: max(40 // count, 1)][:count]
    pairs = []
    with tempfile.TemporaryDirectory(dir=MADE) as folder:
        folder = Path(folder)
        metadata(places, folder / "match.json")
        ours, others = folder / "ours", folder / "theirs"
        for number in range(arguments.runs + 1):  # the first round warms the cache, of few rallies
            some = places if number else places[:2]
            for path in (ours, others):
                shutil.rmtree(path, ignore_errors=True)
                path.mkdir()
            os.sync()
            command = [arguments.bsc.absolute(), "cut", source, "--metadata", folder / "match.json", "-o", ours]
            run = Run([*command, "--json", "--rally", f"0-{len(some) - 1}"], watch_memory=True)
            os.sync()
            peer = theirs(source, some, others, part)
            if number:
                pairs.append({"ours": figures(run, ours), "theirs": figures(peer, others)})
                print(f"{part}, pair {number}: bsc {run.seconds:.2f} s, ffmpeg {peer.seconds:.2f} s", flush=True)
        clips = [json.loads(line) for line in run.output.splitlines()]
        checks = [check(part, source, clip, others / f"{clip['rally']:02}.mp4", folder) for clip in clips]
        compared = [c for c in clips if c["rally"] in range(0, len(places), max(len(places) // LOOKED_AT, 1))]
        likeness = [ssim(source, clip, others / f"{clip['rally']:02}.mp4", folder) for clip in compared[:LOOKED_AT]]
    return {"rallies": len(places), "seconds": sum(e - s for s, e in places), "pairs": pairs, "clips": checks,
            "ssim": likeness}


def figures(run, folder):
    return {"seconds": run.seconds, "cpu_seconds": run.cpu, "peak_bytes": run.peak_bytes,
            "bytes": sum(path.stat().st_size for path in folder.glob("*.mp4"))}


def frames(path):
    text = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time,key_frame,pict_type"]
        + ["-of", "csv=p=0", path], check=True, stdout=subprocess.PIPE
    ).stdout.decode()
    return [line.split(",") for line in text.splitlines() if line]


def first_picture(path, seconds=0.0):
    text = ffmpeg("-ss", seconds, "-i", path, "-map", "0:v", "-frames:v", "1", "-f", "framemd5", "-").decode()
    return next((line.split(",")[-1].strip() for line in text.splitlines() if line and line[0] != "#"), None)


def check(part, source, clip, other, folder):
    """Frame counts and, of a copy, whether the first picture is the match's at the rally's beginning."""
    ours, rival = frames(clip["output"]), frames(other)
    result = {"rally": clip["rally"], "frames": len(ours), "their_frames": len(rival),
              "wanted_frames": (clip["end"] - clip["start"]) * 25, "hidden_lead": clip.get("hiddenLead", 0)}
    if part == "copied":
        # The picture that is on screen when the rally begins, or the next one.
        wanted = {first_picture(source, max(clip["start"] - step, 0)) for step in (0, 0.04)}
        result["first_picture_fits"] = first_picture(clip["output"]) in wanted
        packets = subprocess.run(
            ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time,flags"]
            + ["-of", "csv=p=0", clip["output"]], check=True, stdout=subprocess.PIPE
        ).stdout.decode().splitlines()
        result["key_frames"] = [float(line.split(",")[0]) for line in packets if ",K" in line]
    return result


def ssim(source, clip, other, folder):
    """Of both against the match, scaled by Lanczos, picture by picture from the first one."""
    reference = folder / "reference.mp4"
    ffmpeg("-ss", clip["start"], "-i", source, "-t", round(clip["end"] - clip["start"], 3), "-an",
           "-vf", "scale=1920:1080:flags=lanczos+accurate_rnd", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0",
           reference)
    values = {"rally": clip["rally"]}

    def likeness(path, first):
        log = subprocess.run(
            ["ffmpeg", "-hide_banner", "-nostats", "-nostdin", "-i", path, "-i", reference, "-lavfi",
             f"[0:v]settb=1/1000,setpts=N[a];[1:v]select='gte(n,{first})',settb=1/1000,setpts=N[b];"
             "[a][b]ssim=shortest=1", "-f", "null", "-"],
            check=True, stderr=subprocess.PIPE,
        ).stderr.decode(errors="replace")
        return float(re.search(r"SSIM .*All:([\d.]+)", log)[1])

    # Of a rally that begins between two pictures, one program takes the first of them and another one the second.
    for name, path in (("ours", clip["output"]), ("theirs", other)):
        values[name] = max(likeness(path, first) for first in (0, 1))
    return values


def show(part, report):
    def column(who, key):
        return [pair[who][key] for pair in report["pairs"]]

    print(f"\n{part}: {report['rallies']} rallies, {report['seconds']:.0f} s together, {len(report['pairs'])} pairs"
          " (medians; ratio theirs / ours: median, smallest, largest)")
    for key, title, scale in (("seconds", "wall, s", 1), ("cpu_seconds", "CPU, s", 1), ("bytes", "bytes, MB", 1e6),
                              ("peak_bytes", "most memory, MB", 1e6)):
        mine, rival = column("ours", key), column("theirs", key)
        values = f"bsc {median(mine) / scale:8.2f}   ffmpeg {median(rival) / scale:8.2f}"
        print(f"  {title:16} {values}   {ratio(rival, mine)}")
    clips = report["clips"]
    off = max(abs(clip["frames"] - clip["wanted_frames"]) for clip in clips)
    their_off = max(abs(clip["their_frames"] - clip["wanted_frames"]) for clip in clips)
    print(f"  frames shown     bsc off by {off:.1f} at most, ffmpeg by {their_off:.1f}")
    if part == "copied":
        fits = sum(clip["first_picture_fits"] for clip in clips)
        leads = [clip["hidden_lead"] for clip in clips]
        print(f"  first picture    the match's own in {fits} of {len(clips)}; not shown before it: "
              f"{median(leads):.2f} s, {max(leads):.2f} s at most")
    for row in report["ssim"]:
        print(f"  SSIM, rally {row['rally']:<4} bsc {row['ours']:.4f}   ffmpeg {row['theirs']:.4f}")
    reached = median(t / o for t, o in zip(column("theirs", "seconds"), column("ours", "seconds")))
    if reached < WANTED[part]:
        print(f"MISSED: {reached:.2f} times as fast, {WANTED[part]} wanted")


def cut(arguments):
    """`bsc cut` against one `ffmpeg -ss` for each rally: wall clock, CPU, frames, first pictures, SSIM."""
    parts = {part: (lambda a, p=part: compare(p, a), lambda r, p=part: show(p, r)) for part in PARTS}
    measure_parts(parts, machine(ffmpeg=["ffmpeg", "-version"]), arguments)
