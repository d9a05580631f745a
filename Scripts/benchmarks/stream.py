"""Benchmark of a share that uploads while it encodes, on links of several rates.

A rate limit in each program replaces the link. The encode and the upload are measured alone, without draft and
registration, which the shares include.
"""

import shutil
import statistics
import subprocess

from .paired import Run, ffmpeg, media, spread
from .programs import sink

# Megabits per second.
LINKS = 5, 20, 100
# By duration in seconds: the most that a share may take, as a multiple of the slower part, and in addition.
GOALS = {20: (1.25, 0), 60: (1.10, 1)}


def stream(bench):
    with sink() as address:
        for seconds, goal in GOALS.items():
            source = bench.folder / f"{seconds}s.mp4"
            clip = media("bench/volleyball-4k-h264-47mbps-8s.mp4")
            # The longest clip that can be shared has 60 s.
            ffmpeg("-stream_loop", -1, "-i", clip, "-map", "0:v", "-c", "copy", "-t", seconds - 0.5, source)
            for link in LINKS:
                name = f"{seconds} s, {link} Mbit/s"
                if bench.wants(name):
                    measure(bench, name, source, link * 125_000, address, goal)


def measure(bench, name, source, rate, address, goal):
    small, url, peer = (bench.folder / each for each in ("small.mp4", "url", "peer.mp4"))
    url.write_text(address)
    share = [bench.bsc, "share", source, "--allow-no-metadata", "--limit-rate", rate, "--json"]
    encoder = (f"ffmpeg -v error -nostdin -y -i {source} -vf scale=-2:1080 -c:v libx264 -preset veryfast -crf 21 "
               f"-maxrate 7600k -bufsize 15200k {peer}")
    send = f"curl -sSf --noproxy '*' -o /dev/null -H Expect: --limit-rate {rate}"
    # Chunks of 8 MiB, as uploaders for Mux send by default, without resume.
    chunks = (f"size=$(stat -c %s {peer}); at=0; while [ $at -lt $size ]; do end=$((at + {8 << 20})); "
              f"[ $end -le $size ] || end=$size; tail -c +$((at + 1)) {peer} | head -c $((end - at)) | "
              f"{send} -X PUT --data-binary @- -H \"Content-Range: bytes $at-$((end - 1))/$size\" {address}; "
              "at=$end; done")
    commands = {
        "encode": [bench.bsc, "compress", source, "-o", small, "-f"],
        "upload": [bench.bsc, "upload", small, "--url-file", url, "--limit-rate", rate],
        "share --no-stream": [*share, "--no-stream"], "share": [*share, "--stream"],
        "ffmpeg && curl": f"{encoder} && {send} -T {peer} {address}",
        "ffmpeg && chunks": f"{encoder} && {chunks}",
    }
    walls = {key: [] for key in commands}
    for _ in range(bench.runs(3)):
        for key, command in commands.items():
            shutil.rmtree(bench.folder / "home", ignore_errors=True)
            subprocess.run(["curl", "-s", "--noproxy", "*", "-X", "DELETE", address], check=True)
            run = Run([str(each) for each in command] if isinstance(command, list) else command,
                      environment=bench.environment())
            walls[key].append(run.wall)
    slower = [max(pair) for pair in zip(walls["encode"], walls["upload"])]
    print(f"{name}: " + ", ".join(f"{key} {statistics.median(values):.1f} s" for key, values in walls.items()))
    print(f"    share / slower part: {spread(a / b for a, b in zip(walls['share'], slower))}")
    bench.add(name, walls=walls)
    factor, extra = goal
    most = factor * statistics.median(slower) + extra
    bench.limit("share", statistics.median(walls["share"]), most, "s")
