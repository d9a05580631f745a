"""Finds the frames and beeps in a clip, and the errors, with decoders other than libavcodec."""

import array
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import boxes

DEMUXERS = {"mp4": "qtdemux", "mov": "qtdemux", "m4v": "qtdemux", "mkv": "matroskademux", "webm": "matroskademux",
            "ts": "tsdemux", "avi": "avidemux"}
VIDEO = {"hevc": "h265parse ! libde265dec qos=false max-threads=1", "vp8": "vp8dec qos=false threads=1",
         "vp9": "vp9dec qos=false threads=1", "av1": "av1parse ! av1dec qos=false",
         "mjpeg": "jpegdec qos=false"}
# Written to a file for each access unit, for openh264.py.
H264 = "h264parse config-interval=-1 ! video/x-h264,stream-format=byte-stream,alignment=au"
AUDIO = {"aac": "aacparse ! faad", "opus": "opusdec", "vorbis": "vorbisdec", "mp3": "mpegaudioparse ! mpg123audiodec"}
AAC_RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000]
# Bits of a frame's number: a row of white and black blocks, and a row of their opposites below it.
BITS = 12


def missing():
    """Programs and GStreamer elements that are not installed."""
    absent = [program for program in ("ffmpeg", "ffprobe", "gst-launch-1.0", "faad") if not shutil.which(program)]
    chains = [*VIDEO.values(), H264, *AUDIO.values(), *DEMUXERS.values()]
    elements = {word for chain in chains for word in re.findall(r"(?:^|! )([a-z]\w+)(?![\w/])", chain)} | {"openh264dec"}
    return absent or sorted(name for name in elements if subprocess.run(["gst-inspect-1.0", "--exists", name]).returncode)


def launch(*pipeline):
    """Runs GStreamer and returns its errors."""
    environment = {**os.environ, "GST_DEBUG": "videodecoder:2,audiodecoder:2", "GST_DEBUG_NO_COLOR": "1"}
    try:
        run = subprocess.run(["gst-launch-1.0", *" ".join(pipeline).split()], env=environment, timeout=30, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    except subprocess.TimeoutExpired:
        return ["gst-launch-1.0 hangs"]
    found = [line.split("_decoder_error:")[-1][-160:] for line in run.stdout.splitlines()
             if re.search("^ERROR|_decoder_error:", line)]
    return found or ([f"gst-launch-1.0 ended with {run.returncode}"] if run.returncode else [])


def program(*command, **options):
    """Runs a decoder and returns its errors."""
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", **options)
    found = [line for line in run.stderr.splitlines() if line.strip()]
    return found or ([f"{command[0]} ended with {run.returncode}"] if run.returncode else [])


def number(frame, width, height):
    """The number drawn into a gray frame, or None if it is unreadable."""
    value, block = 0, width // BITS
    for bit in range(BITS):
        left, light = bit * block + block // 3, []
        for middle in (height // 8, height * 3 // 8):
            light.append(sum(sum(frame[y * width + left:][:block // 3]) for y in range(middle - 8, middle + 9, 4)))
        if abs(light[0] - light[1]) < 25 * 5 * (block // 3):
            return None
        value = value * 2 + (light[0] > light[1])
    return value


def video(path, codec, width, height):
    """(numbers of all frames, errors), or None without a decoder for the codec."""
    if codec not in VIDEO and codec != "h264":
        return None
    with tempfile.TemporaryDirectory(dir=path.parent) as place:
        folder, size = Path(place), width * height
        raw, demuxer = folder / "raw", DEMUXERS[path.suffix[1:]]
        if demuxer == "qtdemux":
            # GStreamer would leave out what the edit list hides.
            data, path = path.read_bytes(), folder / f"whole{path.suffix}"
            path.write_bytes(boxes.without_edits(data))
        source = f"filesrc location={path} ! {demuxer} name=d d. !"
        if codec in VIDEO:
            errors = launch(source, VIDEO[codec], f"! videoconvert ! video/x-raw,format=GRAY8 ! filesink location={raw}")
        else:
            errors = launch(source, H264, f"! multifilesink next-file=buffer location={folder}/%06d")
            with open(raw, "wb") as file:
                errors += program(sys.executable, Path(__file__).with_name("openh264.py"), folder, stdout=file)
        data = raw.read_bytes() if raw.exists() else b""
        return [number(data[at:at + size], width, height) for at in range(0, len(data) - size + 1, size)], errors


def audio(path, codec):
    """Errors in the audio of a file; none without a decoder for the codec."""
    if codec not in AUDIO:
        return []
    return launch(f"filesrc location={path} ! {DEMUXERS[path.suffix[1:]]} name=d d. ! {AUDIO[codec]} ! fakesink")


class Output:
    """An MP4 file that bsc wrote: (number, time) of each frame that is shown, and when beeps begin."""

    def __init__(self, path, width, height):
        data = path.read_bytes()
        tracks = boxes.tracks(data)
        found, self.errors = video(path, "h264", width, height)
        times = sorted(tracks["vide"].times())
        if len(found) != len(times):
            self.errors.append(f"{len(found)} of {len(times)} frames decode")
        end = tracks["vide"].shown_end() or times[-1] + 1
        half = min((b - a for a, b in zip(times, times[1:])), default=0.04) / 2
        self.frames = [(name, time) for name, time in zip(found, times) if -half < time < end - 1e-3]
        self.beeps, self.audio_end = [], None
        if "soun" in tracks:
            self.read_audio(tracks["soun"], data, path.parent)

    def read_audio(self, track, data, folder):
        samples, rate, channels = track.samples(data), track.scale, track.entry[25]
        adts, raw = folder / "judged.aac", folder / "judged.raw"
        with open(adts, "wb") as file:
            for sample in samples:
                size = len(sample) + 7
                file.write(bytes([0xFF, 0xF1, 0x40 | AAC_RATES.index(rate) << 2 | channels >> 2,
                                  (channels & 3) << 6 | size >> 11, size >> 3 & 255, (size & 7) << 5 | 0x1F, 0xFC]) + sample)
        self.errors += program("faad", "-q", "-f", "2", "-o", raw, adts)
        pcm = array.array("h")
        pcm.frombytes(raw.read_bytes()[:raw.stat().st_size // 2 * 2])
        # faad drops the first packet.
        begin = track.times()[0] + (len(samples) * 1024 - len(pcm) // channels) / rate
        last = track.times()[-1] + 1024 / rate
        self.beeps = [begin + at for at in beeps(pcm[::channels], rate) if begin + at > -0.01]
        self.audio_end = min(track.shown_end() or last, last)


def beeps(pcm, rate):
    """Seconds at which a beep begins."""
    step, found, quiet = rate // 1000, [], 50
    for index in range(0, len(pcm) - step, step):
        if max(pcm[index:index + step]) > 6000:
            if quiet >= 50:
                found.append(index / rate)
            quiet = 0
        else:
            quiet += 1
    return found
