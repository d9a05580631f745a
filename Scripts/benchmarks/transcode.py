"""`bsc compress` against what people make 1080p with, or against a transcode where only the container has to change."""

import dataclasses
import json
import math
import sys
import tempfile
from pathlib import Path

from benchmarks import clips, plot
from benchmarks.clips import Clip
from benchmarks.common import CORES, Run, machine
from benchmarks.peers import peers, x264_options
from benchmarks.quality import Quality, ffmpeg_with_vmaf
from benchmarks.report import show


def figures(run):
    busy = run.cpu / run.seconds / CORES
    return {"cpu_seconds": run.cpu, "seconds": run.seconds, "cores_busy": busy, "peak_bytes": run.peak_bytes}


def quality_for(byte_count, size_at):
    """The `--quality` at which ours has at most so many bytes, and not much less. Six steps halve a file."""
    quality = 21.0
    for _ in range(5):
        share = size_at(quality) / byte_count
        if 0.97 <= share <= 1:
            break
        # Nothing is better than 1: beyond it the limit of 8 Mbit/s decides, and the peer keeps its larger file.
        quality = min(max(round(quality + 6 * math.log2(share / 0.985), 1), 1), 51)
    return quality


def compare(name, clip, arguments, folder):
    """All figures of one source: each peer with the runs of it and, in turn, of ours."""
    quality = Quality(clip, folder)
    our_output = folder / "ours.mp4"

    def run(command, output):
        output.unlink(missing_ok=True)
        result = Run([{"IN": clip.path, "OUT": output}.get(part, part) for part in command])
        if not output.exists():  # HandBrakeCLI fails like this
            sys.exit(f"bench: {command[0]} wrote nothing: {result.errors[-500:]}")
        return figures(result)

    ours = [arguments.bsc.absolute(), "compress", "IN", "-o", "OUT", "--force", "--json"]
    run(ours, our_output)  # a warm-up, and the first one tells our settings
    rivals = [(peer, folder / f"{number}.mp4", [], []) for number, peer in enumerate(peers(name, clip, our_output))]
    qualities = {}
    matched = folder / "matched.mp4"

    def size_at(quality):
        run(ours + ["--quality", str(quality)], matched)
        return matched.stat().st_size

    for peer, output, _, _ in rivals:
        run(peer.command, output)
        if peer.at_its_bytes:
            qualities[peer.name] = quality_for(output.stat().st_size, size_at)
    for _ in range(arguments.runs):
        for peer, output, theirs, mine in rivals:
            theirs.append(run(peer.command, output))
            if peer.name in qualities:
                own = folder / f"matched-{len(peer.name)}.mp4"
                mine.append(run(ours + ["--quality", str(qualities[peer.name])], own))
            else:
                mine.append(run(ours, our_output))

    def result(output):
        return {"bytes": output.stat().st_size} | ({} if name == "remux" else quality.measure(output))

    found = {
        "name": name,
        "file": clip.path.name,
        "codec": clip.codec,
        "pixel_format": clip.pixel_format,
        "width": clip.width,
        "height": clip.height,
        "frame_rate": clip.frame_rate,
        "bytes": clip.path.stat().st_size,
        "hdr": clip.hdr,
        "non_reference_share": clip.non_reference_share() if clip.codec in ("h264", "hevc") else None,
        "bsc": result(our_output),
        "peers": [],
    }
    for peer, output, theirs, mine in rivals:
        details = dataclasses.asdict(peer)
        entry = {"name": details.pop("name"), "command": details.pop("command"), "wanted": details}
        entry |= {"theirs": theirs, "ours": mine} | result(output)
        if peer.name in qualities:
            own = folder / f"matched-{len(peer.name)}.mp4"
            entry["our_result"] = {"quality": qualities[peer.name]} | result(own)
        found["peers"].append(entry)
    if name == "remux":
        found["packets_identical"] = clip.packet_hash() == Clip.probe(our_output).packet_hash()
    elif clip.hdr:
        theirs, mine = x264_options(rivals[0][1]), x264_options(our_output)
        found["settings_differ"] = sorted(key for key in theirs | mine if theirs.get(key) != mine.get(key))
    return found


def described():
    found = machine(ffmpeg=["ffmpeg", "-version"], handbrake=["HandBrakeCLI", "--version"])
    return found | {"vmaf": ffmpeg_with_vmaf() is not None}


def transcode(arguments):
    """`bsc compress` against ffmpeg, Mux's documented command, HandBrake, and a tone mapping chain for HDR."""
    if arguments.list:
        for name, path in clips.SOURCES.items():
            print(f"{name:20} {path.name}{' (made once)' if name in clips.RECIPES and not path.exists() else ''}")
        return
    if arguments.stored:
        report = json.loads(arguments.stored.read_text())
        for source in report["sources"]:
            show(source, report["runs"])
    else:
        report = {"runs": arguments.runs, "machine": described(), "sources": []}
        if not report["machine"]["vmaf"]:
            print("no ffmpeg with libvmaf, neither on PATH nor from the PyPI package imageio-ffmpeg: no VMAF")
        names = [path.name for path in arguments.clips] or arguments.only or list(clips.SOURCES)
        if unknown := [name for name in names if not arguments.clips and name not in clips.SOURCES]:
            sys.exit(f"bench: no source is named {', '.join(unknown)}: see --list")
        for index, name in enumerate(names):
            clip = Clip.probe(arguments.clips[index] if arguments.clips else clips.source(name))
            with tempfile.TemporaryDirectory() as folder:
                report["sources"].append(compare(name, clip, arguments, Path(folder)))
            show(report["sources"][-1], arguments.runs)
            if arguments.json:  # after each source: a long run that is stopped has something to show
                arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    if arguments.plot:
        arguments.plot.write_text(plot.drawing(report))
