"""Kills `bsc compress` at random places of an encode, continues it, and compares the result with an uninterrupted encode.

The time, kind and number of the packets are the same. In any half second, the quality is at most 0.5 dB lower. ffmpeg decodes
the result without a message, and mediainfo and MP4Box report the same durations. A kill costs at most one GOP and the frames
that the encoder holds, and nothing that was stored is encoded again. With `--replace`, this also applies to kills between the
encode and the end of the replacement. The short run uses a generated source; the long one sources from a camera: 4K, HEVC, HDR,
variable frame rate, B-frames.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
from fractions import Fraction
from pathlib import Path

from harness import ROOT, Home, expect, run

KILLS = 3
MEDIA = Path(os.environ.get("BSC_SHARED_MEDIA", ROOT / "../shared/media"))
# The longest GOP in seconds, and the frames in the decoder, the queues and the encoder.
GOP_SECONDS, DELAY_FRAMES = 10, 64
# Calls from the end of the encode to the end of the program, and the number of them at which a kill is tried.
LAST_CALLS, REPLACEMENTS = 14, 2
GENERATED = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=45,select='not(mod(n,3))+lt(mod(n,50),17)'", "-f", "lavfi",
             "-i", "sine=f=440:b=2:r=48000:d=45", "-fps_mode", "vfr", "-g", "50", "-bf", "3", "-pix_fmt", "yuv422p"]
# By name: the clip, the number of repetitions (at least 15 s, so that there are several GOPs), and bsc's options.
CAMERAS = {
    "4K": (ROOT / "Samples/rally-4k.mp4", 2, []),
    "HEVC": (MEDIA / "phone-4k-hevc-portrait-9s.mp4", 2, []),
    "HDR": (MEDIA / "bench/phone-4k-hevc-hlg10-26mbps-8s.mp4", 2, ["--keep-hdr", "--height", "720"]),
    "VFR": (MEDIA / "phone-hevc-1376x1840-vfr-5s.mp4", 4, []),
    "B-frames": (MEDIA / "volleyball-indoor-720p-30s.mp4", 1, ["--height", "480"]),
}


def packets(path, stream):
    """Presentation and decoding times."""
    rows = run("ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts,dts", "-of", "csv=p=0",
               path)
    return [row.strip(b",").split(b",")[:2] for row in rows.split()]


def messages(*command):
    """The lines that a program writes to stderr."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return done.stderr.decode(errors="replace").splitlines()


def durations(path):
    """As reported by other programs: milliseconds by program and track."""
    found = {}
    if shutil.which("mediainfo"):
        tracks = json.loads(run("mediainfo", "--Output=JSON", path))["media"]["track"]
        found |= {f"mediainfo {track['@type']}": round(float(track["Duration"]) * 1000) for track in tracks}
    if shutil.which("MP4Box"):
        found["MP4Box"] = [line.strip() for line in messages("MP4Box", "-info", path) if "uration" in line]
    return found


class Checkpoint:
    """The records that are stored, and the time in seconds at which an encode continues."""

    def __init__(self, folder):
        self.path = next(iter(folder.glob(".*.bsc-encoding")), None)
        self.count, self.seconds = 0, 0.0
        data, place, lines = self.path.read_bytes() if self.path else b"", 0, []
        while place + 8 <= len(data) and (end := place + 8 + int.from_bytes(data[place:place + 4])) <= len(data):
            lines.append(data[place + 8:end].split(b"\n", 1)[0])
            place = end
        self.count = len(lines)
        if self.count > 2:
            self.seconds = float(json.loads(lines[-1])["nextTicks"] * Fraction(json.loads(lines[1])["timeBase"]))


class Source:
    """A source, and its uninterrupted encode."""

    def __init__(self, folder, bsc, name):
        folder.mkdir(parents=True)
        self.path, self.options = folder / "source.mp4", []
        if name == "generated":
            run("ffmpeg", "-v", "error", *GENERATED, "-c:v", "libx264", "-c:a", "aac", self.path)
        else:
            clip, count, self.options = CAMERAS[name]
            run("ffmpeg", "-v", "error", "-stream_loop", str(count - 1), "-i", clip, "-map", "0:v:0", "-map", "0:a?", "-c",
                "copy", self.path)
        with Home(folder / "home", bsc) as home:
            begin = time.monotonic()
            home.run("compress", self.path, "-o", "whole.mp4", *self.options)
            self.seconds = time.monotonic() - begin
            self.whole = folder / "whole.mp4"
            shutil.move(home.folder / "whole.mp4", self.whole)
        size = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height,pix_fmt", "-of",
                   "csv=p=0", self.whole).decode().strip().strip(",").split(",")
        # Without rotation, and without loss: the source as an encoder received it.
        self.original = folder / "original.mkv"
        run("ffmpeg", "-v", "error", "-noautorotate", "-i", self.path, "-an", "-fps_mode", "passthrough", "-vf",
            f"scale={size[0]}:{size[1]}:flags=bicubic,format={size[2]}", "-c:v", "ffv1", "-level", "3", "-g", "1",
            self.original)
        self.times = {stream: packets(self.whole, stream) for stream in ("v", "a")}
        self.fps = len(self.times["v"]) / self.length(self.whole)
        self.durations, self.quality = durations(self.whole), self.psnr(self.whole)
        expect(len(self.quality) == len(self.times["v"]), "the uninterrupted encode has lost frames")

    @staticmethod
    def length(path):
        return float(run("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path))

    def psnr(self, path):
        """Of each frame, in dB."""
        log = path.with_suffix(".psnr")
        both = "[0:v]setpts=N/25/TB[a];[1:v]setpts=N/25/TB[b];[a][b]psnr=stats_file=" + str(log)
        run("ffmpeg", "-v", "error", "-noautorotate", "-i", path, "-noautorotate", "-i", self.original, "-fps_mode",
            "passthrough", "-lavfi", both, "-f", "null", "-")
        fields = [dict(field.split(":") for field in line.split()) for line in log.read_text().splitlines()]
        return [min(float(field["psnr_avg"]), 99) for field in fields]

    def compare(self, path):
        """Returns the largest loss of quality in half a second, in dB."""
        for stream, times in self.times.items():
            expect(packets(path, stream) == times, f"the times of {stream} differ from the uninterrupted encode")
        reports = messages("ffmpeg", "-v", "warning", "-i", path, "-f", "null", "-")
        expect(not reports, f"ffmpeg reports {reports[:3]}")
        expect(durations(path) == self.durations, f"durations: {durations(path)}, not {self.durations}")
        quality, window = self.psnr(path), max(round(self.fps / 2), 1)
        expect(len(quality) == len(self.quality), f"{len(quality)} frames, not {len(self.quality)}")
        losses = [sum(self.quality[at:at + window]) / window - sum(quality[at:at + window]) / window
                  for at in range(len(quality) - window + 1)]
        expect(max(losses) < 0.5, f"{max(losses):.2f} dB are lost at frame {losses.index(max(losses))}")
        return max(losses)


class Encodes:
    rounds, long_rounds, jobs = 1, 2, 1
    is_long = False

    def __init__(self, folder, bsc, library):
        self.bsc, self.folder, self.library, self.sources = bsc, folder, library, {}

    def source(self, seed):
        name = list(CAMERAS)[seed % len(CAMERAS)] if self.is_long else "generated"
        if name not in self.sources:
            self.sources[name] = Source(self.folder / f"source {name}", self.bsc, name)
        return name, self.sources[name]

    def play(self, seed, folder, notes):
        rng, (name, source), kills = random.Random(seed), self.source(seed), 0
        notes.append(name)
        with Home(folder, self.bsc) as home:
            while kills < KILLS:
                before = Checkpoint(folder)
                program = self.start(home, source)
                rest = source.seconds * (1 - before.seconds / source.length(source.whole))
                if not program.has_ended(rng.uniform(0, rest)):
                    program.send(signal.SIGKILL)
                program.wait({0, -signal.SIGKILL})
                self.check_start(program, before)
                if program.code == 0:
                    self.finish(home, source, notes)
                    continue
                kills += 1
                after = Checkpoint(folder)
                if after.path is None and (home.folder / "out.mp4").exists():
                    # Killed after the encode.
                    self.finish(home, source, notes)
                    continue
                reached = max((event.get("fraction", 0) for event in program.records(program.stderr)
                               if event.get("event") == "progress"), default=0) * source.length(source.whole)
                notes.append(f"killed at {reached:.1f} s, stored {after.seconds:.1f} s")
                expect(after.count >= before.count, f"{before.count} records were stored, and now {after.count}")
                expect(reached - after.seconds < GOP_SECONDS + DELAY_FRAMES / source.fps, "too little was stored")
            before, program = Checkpoint(folder), self.start(home, source)
            program.wait({0})
            self.check_start(program, before)
            self.finish(home, source, notes)
            if name == "generated":
                self.replace(home, source, rng, notes)

    def replace(self, home, source, rng, notes):
        """Kills `compress --replace` at calls after the encode that change names or wait for the disk."""
        command, folder = ["compress", "season", "--replace", "--json", "--progress", "json"], home.folder / "season"
        counter, lasts = home.folder / "count", [None, *rng.sample(range(LAST_CALLS), REPLACEMENTS)]
        for last in lasts:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            shutil.copy(source.path, folder / "clip.mov")
            if last is None:
                home.run(*command, LD_PRELOAD=self.library, COUNT_FILE=str(counter))
                continue
            call = int(counter.read_text()) - last
            home.run(*command, codes={0, -signal.SIGKILL}, LD_PRELOAD=self.library, KILL_AT=str(call))
            before, program = Checkpoint(folder), home.run(*command)
            events = program.records(program.stderr)
            if any(event["event"] == "began" for event in events):
                expect(any(event["event"] == "continued" for event in events), f"killed at call {call}: encoded again")
                rest = source.length(source.whole) - before.seconds
                expect(rest < GOP_SECONDS + DELAY_FRAMES / source.fps, f"killed at call {call}: only {before.seconds} s left")
            expect(packets(folder / "clip.mp4", "v") == source.times["v"], f"killed at call {call}: other times")
            notes.append(f"replacement killed {last} calls before the end")

    def start(self, home, source):
        return home.start("compress", source.path, "-o", "out.mp4", "--json", "--progress", "json", *source.options)

    def check_start(self, program, before):
        """A run continues where the stored GOPs end."""
        events = [event["detail"] for event in program.records(program.stderr) if event.get("event") == "continued"]
        has_begun = any(event.get("event") == "progress" for event in program.records(program.stderr))
        if has_begun and program.code == 0:
            expect(len(events) == (before.count > 2), f"{before.count} records were stored, and bsc reports {events}")
        notes = [note for record in program.records() for note in record.get("notes", []) if "restart" in note]
        expect(not notes, f"the encode started again: {notes}")

    def finish(self, home, source, notes):
        output = home.folder / "out.mp4"
        loss = source.compare(output)
        notes.append(f"{loss:.2f} dB")
        expect(not list(home.folder.glob(".out*")), f"left over: {list(home.folder.glob('.out*'))}")
        for path in (output, output.with_suffix(".psnr")):
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
