"""Clips that are measured: what is in them, and how those that no camera made are made."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.common import MEDIA, ROOT

MADE = ROOT / ".build/bench"
VOLLEYBALL = MEDIA / "bench/volleyball-4k-h264-47mbps-8s.mp4"
SOURCES = {
    "volleyball": VOLLEYBALL,
    "volleyball-bframes": MADE / "volleyball-4k-h264-bframes.mp4",
    "volleyball-hevc": MADE / "volleyball-4k-hevc.mp4",
    "portrait": MEDIA / "phone-4k-hevc-portrait-9s.mp4",
    "8k": MEDIA / "phone-8k-hevc-24fps.mp4",
    "hlg": MEDIA / "bench/phone-4k-hevc-hlg10-26mbps-8s.mp4",
    "pq": MEDIA / "hdr10-pq-hevc-1080p.mp4",
    "remux": MEDIA / "park-h264-1080p-6s.mp4",
}
# Pictures are drawn of these too; nobody would transcode them.
PICTURED = {
    "indoor": MEDIA / "volleyball-indoor-720p-30s.mp4",
    "drone": MEDIA / "dji-drone-gps-loci-86s.mp4",
}
# Encoded again from the volleyball clip, at bit rates of phones.
RECIPES = {
    "volleyball-bframes": ["-c:v", "libx264", "-preset", "veryfast", "-b:v", "47M", "-bf", "3"]
    + ["-x264-params", "b-pyramid=none"],  # so that no B-frame is a reference
    "volleyball-hevc": ["-c:v", "libx265", "-preset", "veryfast", "-b:v", "26M", "-tag:v", "hvc1"]
    + ["-x265-params", "log-level=error"],
}


def source(name):
    """The path of a built-in source, which is made when it has to be."""
    path = (SOURCES | PICTURED)[name]
    needed = VOLLEYBALL if name in RECIPES else path
    if not path.exists() and not needed.exists():
        sys.exit(f"bench: there is no {needed.name} in {MEDIA}: say where with BSC_SHARED_MEDIA")
    if not path.exists():
        print(f"making {path.name} (once)", flush=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part.mp4")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", VOLLEYBALL] + RECIPES[name] + [unfinished],
            check=True,
        )
        unfinished.rename(path)
    return path


def even(length):
    return 2 * round(length / 2)


@dataclasses.dataclass
class Clip:
    """A media file as a player shows it: width and height are those of the upright picture."""

    path: Path
    codec: str
    width: int
    height: int
    pixel_format: str
    matrix: str
    transfer: str
    full_range: bool
    frame_rate: float
    audio_codec: str | None

    @classmethod
    def probe(cls, path):
        text = subprocess.run(
            ["ffprobe", "-v", "error", "-show_streams", "-of", "json", path],
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
        streams = json.loads(text)["streams"]
        stream = next(s for s in streams if s["codec_type"] == "video")
        width, height = stream["width"], stream["height"]
        rotation = next((s["rotation"] for s in stream.get("side_data_list", []) if "rotation" in s), 0)
        if rotation % 180:
            width, height = height, width
        ticks, second = map(int, stream["avg_frame_rate"].split("/"))
        # Untagged pictures: standard definition is BT.601, anything larger BT.709.
        untagged = "bt709" if min(width, height) >= 720 else "smpte170m"
        matrix = stream.get("color_space", "unknown")
        return cls(
            path=path,
            codec=stream["codec_name"],
            width=width,
            height=height,
            pixel_format=stream["pix_fmt"],
            matrix=untagged if matrix == "unknown" else matrix,
            transfer=stream.get("color_transfer", "unknown"),
            full_range=stream.get("color_range") == "pc" or stream["pix_fmt"].startswith("yuvj"),
            frame_rate=ticks / second if second else 0,
            audio_codec=next((s["codec_name"] for s in streams if s["codec_type"] == "audio"), None),
        )

    @property
    def hdr(self):
        return self.transfer in ("arib-std-b67", "smpte2084")

    @property
    def size(self):
        return self.width, self.height

    @property
    def fitted(self):
        """The size inside 1920x1080, or 1080x1920 when upright; never larger than it was."""
        scale = min(1, 1920 / max(self.size), 1080 / min(self.size))
        return even(self.width * scale), even(self.height * scale)

    def frame_count(self):
        text = subprocess.run(
            ["ffprobe", "-v", "error", "-select_streams", "v:0", "-count_frames"]
            + ["-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", self.path],
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
        return int(text.split()[0].strip(b","))

    def non_reference_share(self):
        """Part of the pictures (exactly: of their slices) that no other picture is predicted from."""
        command = ["ffmpeg", "-v", "error", "-nostdin", "-i", self.path, "-map", "0:v:0", "-c", "copy"]
        command += ["-bsf:v", f"{self.codec}_mp4toannexb", "-f", self.codec, "-"]
        slices = discardable = 0
        rest = b""
        # In pieces, because the most memory this script ever had is counted to each command that it starts.
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            while data := process.stdout.read(1 << 16):
                units = (rest + data).split(b"\0\0\1")
                rest = b"\0\0\1" + units[-1]
                for unit in units[1:-1]:
                    if self.codec == "h264" and 1 <= unit[0] & 31 <= 5:
                        slices += 1
                        discardable += unit[0] >> 5 & 3 == 0
                    elif self.codec == "hevc" and (kind := unit[0] >> 1 & 63) < 32:
                        slices += 1
                        discardable += kind < 16 and kind % 2 == 0
        return discardable / max(slices, 1)

    def packet_hash(self):
        """Of each stream's packets as they are stored, whatever the edit list shows of them."""
        return subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-ignore_editlist", "1", "-i", self.path]
            + ["-map", "0:v:0", "-map", "0:a:0?", "-c", "copy", "-f", "streamhash", "-"],
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
