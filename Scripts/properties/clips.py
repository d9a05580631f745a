"""Generates clips with known frames and beeps, and damages them."""

import array
import collections
import json
import random
import subprocess
from fractions import Fraction

from . import boxes, judges

RATES = ["24000/1001", "24", "25", "30000/1001", "30", "48", "50", "60000/1001", "60", "100", "120"]
# Weight, video codecs, audio codecs.
CONTAINERS = {
    "mp4": (5, ["h264"] * 4 + ["hevc", "av1", "mpeg4"], ["aac"] * 4 + ["mp3", "opus"]),
    # At each fragment qtdemux repeats parameter sets, at which libde265 drops its reference frames.
    "fmp4": (2, ["h264"], ["aac"]),
    "mov": (3, ["h264"] * 3 + ["hevc", "mjpeg", "prores"], ["aac", "pcm"]),
    "m4v": (1, ["h264"], ["aac"]),
    "mkv": (5, ["h264"] * 4 + ["hevc", "vp8", "vp9", "av1", "mpeg4", "mjpeg"],
            ["aac"] * 3 + ["opus", "mp3", "pcm", "vorbis"]),
    "webm": (4, ["vp8", "vp9", "vp9", "av1"], ["opus", "opus", "vorbis"]),
    "ts": (3, ["h264"] * 3 + ["hevc"], ["aac"] * 3 + ["mp3"]),
    "avi": (2, ["mpeg4", "mjpeg", "h264"], ["mp3", "pcm"]),
}
MUXERS = {"fmp4": "mp4", "mkv": "matroska", "ts": "mpegts", "m4v": "mp4"}
# Piped and live files have no duration and no index.
HEADERS = {"mkv": ["", "piped"], "webm": ["", "live", "piped"], "mp4": ["", "faststart"], "mov": ["", "faststart"]}
EDITS = ["key", "between", "video-only", "empty-audio", "empty-video", "no-shift"]
DAMAGES = {"none": 10, "cut": 3, "hole": 1.5, "drop": 1, "flip-video": 2.5, "flip-audio": 1, "flip-index": 1}
# Seconds that a decoder outputs before the first sample of the source.
PRIMING = {"aac": 1024 / 48000, "mp3": 1105 / 48000, "opus": 312 / 48000, "vorbis": 0, "pcm": 0}
AUDIO_RATE = 48_000


class BrokenGenerator(Exception):
    """The clip is not what its recipe says. This is not a bug in bsc."""


class Recipe:
    """The properties of a clip, from the seed and the clip's number."""

    def __init__(self, seed, index):
        self.rng = rng = random.Random(f"{seed}/{index}")
        self.container = rng.choices(list(CONTAINERS), [weight for weight, *_ in CONTAINERS.values()])[0]
        _, videos, audios = CONTAINERS[self.container]
        self.codec = rng.choice(videos)
        self.audio = rng.choice(audios) if rng.random() < 0.8 else None
        self.rate = Fraction(rng.choice(RATES))
        self.width, self.height = rng.choice([(320, 240), (384, 216), (240, 320)])
        seconds = rng.choice([rng.uniform(1, 3), rng.uniform(3.1, 5), rng.uniform(3.1, 5), rng.uniform(3.1, 8)])
        most = 160 if self.codec in ("prores", "mjpeg", "av1", "hevc") else 300
        self.count = max(8, int(min(seconds * self.rate, most)))
        is_avi = self.container == "avi"
        self.b_frames = rng.choice([0, 0, 1, 2, 3]) if self.codec in ("h264", "hevc") and not is_avi else 0
        self.group = rng.choice([5, 12, 30, 60, 250])
        self.is_open = self.codec == "h264" and self.b_frames > 0 and rng.random() < 0.3
        # Additional seconds before frames, unevenness in frame periods, and additional seconds of the last frame.
        self.gaps, self.jitter, self.long_last = [], 0.0, 0.0
        if not is_avi and rng.random() < 0.3:
            self.gaps = sorted((rng.randrange(1, self.count), rng.choice([0.1, 0.3, 0.7, 1.6]))
                               for _ in range(rng.randint(1, 3)))
        if not is_avi and rng.random() < 0.12:
            self.jitter = rng.uniform(0.1, 0.4)
        if self.b_frames == 0 and self.container in ("mp4", "mov", "m4v", "mkv", "webm") and rng.random() < 0.15:
            self.long_last = rng.uniform(0.2, 1.2)
        length = float(self.count / self.rate) + sum(gap for _, gap in self.gaps) + self.long_last
        self.audio_delay = rng.choice([0, 0, 0, 0.02, 0.3, 0.9]) if self.audio and not is_avi else 0
        self.audio_seconds = max(0.5, length - self.audio_delay + rng.choice([0, 0, 0, 0.2, 0.7, 2.0, -0.2, -0.7]))
        self.header = rng.choice(HEADERS.get(self.container, [""]))
        self.edit = ""
        if self.container in ("mp4", "mov", "m4v") and not self.header and rng.random() < 0.45:
            self.edit = rng.choice(EDITS)
        self.damage = rng.choices(list(DAMAGES), DAMAGES.values())[0]
        if self.damage == "flip-audio" and not self.audio or self.edit and self.damage in ("hole", "drop"):
            self.damage = "none"

    @property
    def suffix(self):
        return "mp4" if self.container == "fmp4" else self.container

    def times(self):
        """When each frame is shown, in seconds."""
        period = float(1 / self.rate)
        return [n * period + self.jitter * (n * 7 % 11) / 11 * period + sum(gap for at, gap in self.gaps if n >= at)
                for n in range(self.count)]

    def beeps(self):
        """When each beep begins, at distances that differ."""
        found, at = [], 0.2
        while at < self.audio_seconds - 0.1:
            found.append(at)
            at += 0.45 + 0.11 * len(found)
        return found

    def __str__(self):
        parts = [f"{self.container}{'-' * bool(self.header)}{self.header} {self.codec} {self.count}@{self.rate}",
                 f"{self.width}x{self.height}", f"g{self.group} b{self.b_frames}{' open' * self.is_open}"]
        parts += [f"gaps {self.gaps}"] * bool(self.gaps) + [f"jitter {self.jitter:.2f}"] * bool(self.jitter)
        parts += [f"last +{self.long_last:.2f}"] * bool(self.long_last)
        parts += [f"{self.audio} {self.audio_seconds:.2f} s +{self.audio_delay}" if self.audio else "no audio"]
        parts += [f"edit {self.edit}"] * bool(self.edit) + [f"damage {self.damage}"] * (self.damage != "none")
        return ", ".join(parts)


Packet = collections.namedtuple("Packet", "kind pts is_key position size")


class Clip:
    """`shown`: (number, time) of each frame. `beeps`: times. `edges`: frames at the edit list's ends that may be missing.
    `missing`: packets that the damage took or cut. `what`: the damage in words."""

    def __init__(self, recipe, folder):
        self.recipe, self.rng, self.folder = recipe, recipe.rng, folder
        self.path, self.intact = folder / f"clip.{recipe.suffix}", folder / f"intact.{recipe.suffix}"
        self.missing, self.what, self.edges = 0, "", 0
        self.write()
        self.read()
        if recipe.edit:
            self.apply_edits()
        damage = {"cut": self.cut, "hole": self.hole, "drop": self.drop, "flip-video": self.flip,
                  "flip-audio": self.flip, "flip-index": self.flip, "none": bytes}[recipe.damage]
        self.path.write_bytes(damage(bytearray(self.intact.read_bytes())))

    def frames(self):
        """Gray frames: the number in blocks, its complement, and a moving texture."""
        recipe, rng = self.recipe, random.Random(7)
        width, quarter, block = recipe.width, recipe.height // 4, recipe.width // judges.BITS
        rows = [bytes(v for _ in range(width // 4) for v in [rng.randrange(90, 160)] * 8) for _ in range(16)]
        for n in range(recipe.count):
            bits = [n >> (judges.BITS - 1 - bit) & 1 for bit in range(judges.BITS)]
            for white in (1, 0):
                yield b"".join((b"\xe6" if bit == white else b"\x14") * block for bit in bits).ljust(width) * quarter
            yield b"".join(rows[y // 10 % 16][n * 3 % width:][:width] for y in range(recipe.height - 2 * quarter))

    def sound(self):
        """Silence with beeps of 40 ms."""
        pcm = array.array("h", bytes(2 * round(self.recipe.audio_seconds * AUDIO_RATE)))
        tone = array.array("h", [20000 if n % 48 < 24 else -20000 for n in range(AUDIO_RATE // 25)])
        for at in self.recipe.beeps():
            pcm[round(at * AUDIO_RATE):round(at * AUDIO_RATE) + len(tone)] = tone
        return pcm.tobytes()

    def encoders(self):
        recipe, group = self.recipe, ["-g", str(self.recipe.group)]
        quick = ["-cpu-used", "8", "-b:v", "1500k", "-threads", "1", *group]
        yield from {
            "h264": ["libx264", "-preset", "veryfast", "-crf", "20", *group, "-bf", str(recipe.b_frames), "-x264-params",
                     f"scenecut=0:open-gop={int(recipe.is_open)}:threads=1", "-pix_fmt", "yuv420p"],
            "hevc": ["libx265", "-preset", "ultrafast", "-crf", "20", "-tag:v", "hvc1", "-pix_fmt", "yuv420p", "-x265-params",
                     f"log-level=0:pools=1:frame-threads=1:open-gop=0:keyint={recipe.group}:min-keyint=1:"
                     f"bframes={recipe.b_frames}"],
            "vp8": ["libvpx", "-deadline", "realtime", *quick, "-pix_fmt", "yuv420p"],
            "vp9": ["libvpx-vp9", "-deadline", "good" if recipe.group == 60 else "realtime", *quick, "-pix_fmt", "yuv420p"],
            "av1": ["libsvtav1", "-preset", "12", "-crf", "28", "-svtav1-params", "lp=1", *group, "-pix_fmt", "yuv420p"],
            "mpeg4": ["mpeg4", "-q:v", "4", *group, "-pix_fmt", "yuv420p"],
            "mjpeg": ["mjpeg", "-q:v", "4", "-pix_fmt", "yuvj420p"],
            "prores": ["prores", "-profile:v", "0", "-pix_fmt", "yuv422p10le"],
        }[recipe.codec]
        yield from {"aac": ["-c:a", "aac", "-b:a", "96k"], "opus": ["-c:a", "libopus", "-b:a", "64k"], None: [],
                    "vorbis": ["-c:a", "libvorbis"], "mp3": ["-c:a", "libmp3lame", "-b:a", "96k"],
                    "pcm": ["-c:a", "pcm_s16le"]}[recipe.audio]

    def muxer(self):
        recipe, flags = self.recipe, {"fmp4": "frag_keyframe+empty_moov+delay_moov"}.get(self.recipe.container)
        flags = "+faststart" if recipe.header == "faststart" else flags
        return [*(["-movflags", flags] if flags else []), *(["-live", "1"] if recipe.header == "live" else []),
                "-strict", "-2", "-fflags", "+bitexact", "-f", MUXERS.get(recipe.container, recipe.container)]

    def ffmpeg(self, *arguments):
        run = subprocess.run(["ffmpeg", "-v", "error", "-y", "-threads", "1", *arguments], input=b"".join(self.frames()),
                             capture_output=True)
        if run.returncode:
            raise BrokenGenerator(f"ffmpeg: {run.stderr.decode(errors='replace')[-400:]}")
        return run.stdout

    def write(self):
        recipe, inputs, filters = self.recipe, [], []
        if recipe.audio:
            (self.folder / "sound.raw").write_bytes(self.sound())
            inputs = ["-itsoffset", str(recipe.audio_delay), "-f", "s16le", "-ar", str(AUDIO_RATE), "-ac", "1", "-i",
                      self.folder / "sound.raw", "-map", "0:v", "-map", "1:a"]
        if recipe.gaps or recipe.jitter:
            gaps = "".join(f"+gte(N,{at})*{gap}" for at, gap in recipe.gaps)
            # The finest clock that MPEG-4 allows is 1/65535 s.
            clock = 30000 if recipe.codec == "mpeg4" else 90000
            filters = ["-vf", f"settb=1/{clock},setpts='round((N+{recipe.jitter}*mod(N*7,11)/11)/({recipe.rate})*{clock}"
                       f"+(0{gaps})*{clock})'", "-fps_mode", "passthrough", "-enc_time_base", f"1/{clock}"]
        raw = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{recipe.width}x{recipe.height}", "-framerate",
               str(recipe.rate), "-i", "pipe:0", *inputs, *filters, "-c:v", *self.encoders()]
        first = self.folder / f"first.{recipe.suffix}"
        if recipe.long_last:
            self.ffmpeg(*raw, "-strict", "-2", first)
            raw = ["-i", first, "-map", "0", "-c", "copy", "-bsf:v",
                   f"setts=duration=if(eq(N\\,{recipe.count - 1})\\,{recipe.long_last}/TB\\,DURATION)"]
        is_piped = recipe.header == "piped"
        out = self.ffmpeg(*raw, *self.muxer(), "pipe:1" if is_piped else self.intact)
        if is_piped:
            self.intact.write_bytes(out)

    def read(self):
        """Reads where each packet is and when it is shown, and compares that with the recipe."""
        run = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "packet=codec_type,pts_time,flags,pos,size", "-of",
                              "json", self.intact], capture_output=True, check=True)
        self.packets = [Packet(row["codec_type"], float(row.get("pts_time", "nan")), "K" in row["flags"],
                               int(row.get("pos", -1)), int(row["size"])) for row in json.loads(run.stdout)["packets"]]
        self.video = [packet for packet in self.packets if packet.kind == "video"]
        # A frame that is not shown has the time of the next one.
        shown, meant = sorted({packet.pts for packet in self.video}), self.recipe.times()
        if len(shown) != len(meant):
            raise BrokenGenerator(f"{len(shown)} packets for {len(meant)} frames")
        error = max(abs(a - shown[0] - b + meant[0]) for a, b in zip(shown, meant))
        # AVI rounds times to frame periods, and the encoder's delay moves the audio.
        if error > (1 / self.recipe.rate + 0.026 if self.recipe.container == "avi" else 0.0021):
            raise BrokenGenerator(f"the time of a frame is {error * 1000:.1f} ms off")
        self.shown, self.beeps, self.audio_end = list(enumerate(shown)), [], None
        if self.recipe.audio:
            begin = next(packet.pts for packet in self.packets if packet.kind == "audio") + PRIMING[self.recipe.audio]
            self.beeps = [begin + at for at in self.recipe.beeps()]
            self.audio_end = begin + self.recipe.audio_seconds

    def apply_edits(self):
        kind, rng, tracks = self.recipe.edit, self.rng, boxes.tracks(self.intact.read_bytes())
        keys = sorted(packet.pts for packet in self.video if packet.is_key)
        times, period = [time for _, time in self.shown], float(1 / self.recipe.rate)
        # Seconds that are cut off at the start of each track, and seconds of an additional empty edit.
        cut, late = {"vide": 0.0, "soun": 0.0}, {"vide": 0.0, "soun": 0.0}
        if kind == "key" and len(keys) > 1:
            cut["vide"] = cut["soun"] = rng.choice(keys[1:]) - times[0]
        elif kind == "between":
            cut["vide"] = cut["soun"] = times[rng.randrange(1, max(2, len(times) // 2))] - times[0]
        elif kind == "video-only":
            cut["vide"] = rng.choice([0.5 * period, 2 * period, times[len(times) // 3] - times[0]])
        elif kind == "empty-audio":
            late["soun"] = rng.choice([0.1, 0.5, 1.0])
        elif kind == "empty-video":
            late["vide"] = rng.choice([0.1, 0.5])
        elif kind == "no-shift":
            # From media time 0: the composition offset of the first frame delays the video.
            late["vide"] = tracks["vide"].media_start
        edits = {}
        for name, track in tracks.items():
            start, empty = track.media_start + cut[name], track.empty_seconds + late[name]
            if kind == "no-shift" and name == "vide":
                start, empty = 0.0, track.empty_seconds
            length = track.media_start + sum(track.stts) / track.scale - start
            if length < 0.4:
                self.recipe.edit = ""
                return
            edits[name] = [(empty, None)] * (empty > 0) + [(length, start)]
        self.intact.write_bytes(boxes.with_edits(self.intact.read_bytes(), edits))
        ends = [*times[1:], times[-1] + max(period, self.recipe.long_last)]
        self.shown = [(name, time - cut["vide"] + late["vide"]) for (name, time), end in zip(self.shown, ends)
                      if end - times[0] > cut["vide"] + 1e-4]
        shown_until = sum(length for length, _ in edits["vide"])
        self.shown = [(name, time) for name, time in self.shown if time < shown_until]
        self.beeps = [at - cut["soun"] + late["soun"] for at, media in zip(self.beeps, self.recipe.beeps())
                      if media - cut["soun"] > 0.005]
        if self.audio_end is not None:
            self.audio_end += late["soun"] - cut["soun"]
        self.edges = 1 if cut["vide"] else 0

    # Damage

    def cut(self, data):
        at = self.rng.randrange(len(data) // 20, len(data) - 1)
        if self.recipe.container == "ts" and at % 188 == 0:
            at += 100
        self.what = f"cut at {at} of {len(data)}"
        self.missing = sum(packet.position + packet.size > at for packet in self.packets)
        return data[:at]

    def hole(self, data):
        packets = sorted((packet for packet in self.video if packet.position >= 0), key=lambda packet: packet.position)
        packet = self.rng.choice(packets[3:-1])
        begin, length = packet.position, max(packet.size, self.rng.randrange(500, 8000))
        # Without the last packet, a transport stream is only shorter.
        end, self.missing = min(begin + length, packets[-1].position), 1
        # The offsets in an MP4 file would no longer fit.
        if self.recipe.suffix in ("mp4", "mov", "m4v") or self.rng.random() < 0.4:
            self.what = f"zeros at {begin}..<{end}"
            data[begin:end] = bytes(end - begin)
        else:
            self.what = f"bytes {begin}..<{end} removed"
            del data[begin:end]
        return data

    def drop(self, _):
        """Removes video packets. The container stays valid."""
        first = self.rng.randrange(1, len(self.video) - 3)
        last = min(first + self.rng.randrange(1, 6), len(self.video) - 2)
        self.ffmpeg("-i", self.intact, "-map", "0", "-c", "copy", "-bsf:v",
                    f"noise=drop=between(n\\,{first}\\,{last})", *self.muxer(), self.path)
        lost = {packet.pts for packet in self.video[first:last + 1]}
        self.what = f"video packets {first}...{last} removed"
        self.shown = [(name, time) for name, time in self.shown if time not in lost]
        return self.path.read_bytes()

    def flip(self, data):
        recipe, rng, kind = self.recipe, self.rng, self.recipe.damage.split("-")[1]
        packets = [packet for packet in self.packets if packet.kind == kind and packet.size > 60 and packet.position >= 0]
        if kind == "index":
            first = min(packet.position for packet in self.packets if packet.position >= 0)
            places = range(4, max(first, 5))
            if recipe.suffix in ("mp4", "mov", "m4v") and not recipe.header and recipe.container != "fmp4":
                places = range(max(packet.position + packet.size for packet in self.packets), len(data))
            spots = [rng.choice(places) for _ in range(rng.randint(1, 3))]
        elif recipe.container == "ts":
            # Transport packets of the stream that hold nothing but payload.
            pid = 256 if kind == "video" else 257
            places = [at + rng.randrange(8, 188) for at in range(0, len(data) - 187, 188)
                      if (data[at + 1] & 0x5F) << 8 | data[at + 2] == pid and data[at + 3] & 0x30 == 0x10]
            spots = rng.sample(places, min(len(places), rng.randint(1, 6))) if places else []
        else:
            chosen = [rng.choice(packets) for _ in range(rng.randint(1, 6))] if packets else []
            spots = [packet.position + rng.randrange(24, packet.size) for packet in chosen]
        for at in spots:
            data[at] ^= 1 << rng.randrange(8)
        self.what = f"bits flipped at {sorted(spots)}"
        return data
