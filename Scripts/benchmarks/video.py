"""Benchmarks of compress, thumbs and cut against ffmpeg and others, with the quality of the results."""

import dataclasses
import functools
import json
import math
import os
import random
import re
import shutil
import statistics
import subprocess
import uuid

import imageio_ffmpeg

from .paired import CORES, Row, Run, ffmpeg, media

VOLLEYBALL = "bench/volleyball-4k-h264-47mbps-8s.mp4"
HLG = "bench/phone-4k-hevc-hlg10-26mbps-8s.mp4"
# Encoded again from the volleyball clip, at bit rates of phones. No B-frame is a reference.
RECIPES = {
    "volleyball-bframes": ["-c:v", "libx264", "-preset", "veryfast", "-b:v", "47M", "-bf", "3", "-x264-params",
                           "b-pyramid=none"],
    "volleyball-hevc": ["-c:v", "libx265", "-preset", "veryfast", "-b:v", "26M", "-tag:v", "hvc1", "-x265-params",
                        "log-level=error"],
    # Above the rate that bsc copies.
    "park": ["-c:v", "libx264", "-preset", "medium", "-crf", "12"],
}


def probe(path, *arguments):
    command = ["ffprobe", "-v", "error", *arguments, "-of", "json", path]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def even(length):
    return 2 * round(length / 2)


@dataclasses.dataclass
class Clip:
    """A media file; width and height are those of the upright frame."""

    path: object
    codec: str
    width: int
    height: int
    matrix: str
    transfer: str
    is_full_range: bool
    frame_rate: float
    duration: float
    audio_codec: str | None

    @classmethod
    def read(cls, path):
        streams = probe(path, "-show_streams")["streams"]
        video = next(stream for stream in streams if stream["codec_type"] == "video")
        width, height = video["width"], video["height"]
        if next((data["rotation"] for data in video.get("side_data_list", []) if "rotation" in data), 0) % 180:
            width, height = height, width
        frames, seconds = map(int, video["avg_frame_rate"].split("/"))
        return cls(path, video["codec_name"], width, height, video.get("color_space", "bt709"),
                   video.get("color_transfer", "unknown"),
                   video.get("color_range") == "pc" or video["pix_fmt"].startswith("yuvj"), frames / seconds,
                   float(video["duration"]),
                   next((stream["codec_name"] for stream in streams if stream["codec_type"] == "audio"), None))

    @property
    def is_hdr(self):
        return self.transfer in ("arib-std-b67", "smpte2084")

    @property
    def fitted(self):
        """The size within 1920x1080, or 1080x1920 if it is upright."""
        scale = min(1, 1920 / max(self.width, self.height), 1080 / min(self.width, self.height))
        return even(self.width * scale), even(self.height * scale)

    def packets(self):
        """A hash of each stream's packets, without the edit list."""
        return ffmpeg("-ignore_editlist", "1", "-i", self.path, "-map", "0:v:0", "-map", "0:a:0?", "-c", "copy", "-f",
                      "streamhash", "-")


def source(bench, name, path):
    """A test clip; those with a recipe are made once."""
    if name not in RECIPES:
        return Clip.read(media(path))
    made = bench.options.folder / f"{name}.mp4"
    if not made.exists():
        unfinished = bench.folder / made.name
        ffmpeg("-i", media(path or VOLLEYBALL), *RECIPES[name], unfinished)
        unfinished.rename(made)
    return Clip.read(made)


# Quality


@functools.cache
def ffmpeg_with_vmaf():
    for candidate in (shutil.which("ffmpeg"), imageio_ffmpeg.get_ffmpeg_exe()):
        filters = subprocess.run([candidate, "-v", "error", "-filters"], stdout=subprocess.PIPE).stdout
        if b" libvmaf " in filters and b" zscale " in filters:
            return candidate
    return None


def normalized(clip, size):
    """8-bit 4:2:0 BT.709 in this size, scaled by Lanczos."""
    full = "full" if clip.is_full_range else "limited"
    return (f"zscale=w={size[0]}:h={size[1]}:f=lanczos:min={clip.matrix}:rin={full}:m=bt709:r=limited,format=yuv420p,"
            "settb=1/1000,setpts=N")


def quality(clip, path):
    """VMAF and SSIM of a result against its source, frame by frame."""
    output, program = Clip.read(path), ffmpeg_with_vmaf()
    size, names = (output.width, output.height), ["ssim"] + ["libvmaf=n_threads=2"] * bool(program)
    graph = []
    for index, each in enumerate((output, clip)):
        ends = "".join(f"[{index}{name[:4]}]" for name in names)
        graph.append(f"[{index}:v]{normalized(each, size)},split={len(names)}{ends}")
    graph += [f"[0{name[:4]}][1{name[:4]}]{name}" for name in names]
    command = [program or "ffmpeg", "-hide_banner", "-nostats", "-nostdin", "-i", path, "-i", clip.path, "-lavfi",
               ";".join(graph), "-f", "null", "-"]
    log = subprocess.run(command, check=True, stderr=subprocess.PIPE).stderr.decode(errors="replace")
    return " ".join(f"{name} {found[1]}" for name, pattern in (("SSIM", r"SSIM .*All:([\d.]+)"),
                    ("VMAF", r"VMAF score: ([\d.]+)")) if (found := re.search(pattern, log)))


# Transcode: for each competitor the effort of bsc, and its CPU time divided by the competitor's, at most.

FRONT = {"ffmpeg veryfast": ("fast", 0.80), "ffmpeg medium": ("balanced", 0.80), "Mux's ffmpeg": ("best", 0.80),
         "HandBrake": ("balanced", 0.60)}
# One of the clips that bsc encodes, without HDR, longer than four seconds. The seed was chosen before the first run.
DRAWN = random.Random(26).choice([
    "canon-mjpeg-422-pcm.avi", "gopro-hero5-karma-gpmf-480p-12s.mp4", "iphone5-1080p-gps-keys-udta.mov",
    "phone-4k-hevc-portrait-9s.mp4", "screencast-h264-8.8fps-audio-first.mp4", "sony-a7m3-avchd-1080i.mts"])
# Name, clip, competitors, most MB. bsc encodes low-rate clips again if they become bigger than the source.
SOURCES = [
    ("volleyball", VOLLEYBALL, FRONT, 450),
    ("volleyball-bframes", None, FRONT, 450),
    ("volleyball-hevc", None, FRONT, None),
    ("park", "park-h264-1080p-6s.mp4", FRONT, None),
    ("drawn", DRAWN, FRONT, None),
    ("portrait", "phone-4k-hevc-portrait-9s.mp4", {"ffmpeg veryfast": ("fast", 0.76)}, None),
    ("8k", "phone-8k-hevc-24fps.mp4", {"ffmpeg veryfast": ("fast", 0.80)}, None),
    ("hlg", HLG, {"ffmpeg tonemap": ("fast", 0.75)}, 600),
    ("pq", "hdr10-pq-hevc-1080p.mp4", {"ffmpeg tonemap": ("fast", 0.75)}, 600),
    ("remux", "park-h264-1080p-6s.mp4", {"ffmpeg veryfast": ("fast", 0.02)}, None),
]


def x264_parameters(path):
    """The settings that x264 writes into its stream, in the form that it reads."""
    with open(path, "rb") as file:
        found = re.search(rb"x264 - core [^\0]* - options: ([^\0]*)", file.read(1 << 20))
    options = dict(option.split("=", 1) for option in found[1].decode().split() if "=" in option)
    # These are at their defaults or follow from others, and cannot be read in this form.
    for name in ("rc", "nal_hrd", "lookahead_threads", "constrained_intra", "cqm"):
        options.pop(name, None)
    inter, _, intra = options.pop("deadzone", "21,11").partition(",")
    kinds = {0x1: "i4x4", 0x2: "i8x8", 0x10: "p8x8", 0x20: "p4x4", 0x100: "b8x8"}
    mask = int(options.pop("analyse").split(":")[1], 16)
    options |= {"deadzone_inter": inter, "deadzone_intra": intra,
                "partitions": ",".join(kind for bit, kind in kinds.items() if mask & bit) or "none"}
    if options["deblock"].startswith("1:"):
        options["deblock"] = options["deblock"][2:]
    if "aq" in options:
        mode, _, strength = options.pop("aq").partition(":")
        options |= {"aq_mode": mode} | ({"aq_strength": strength} if strength else {})
    # x264 does not write this one (Sources/LibAV/Encoding/Encoder.swift).
    if "vbv_bufsize" in options or "vbv-bufsize" in options:
        options["vbv_init"] = "0.3"
    names = {"mixed_ref": "mixed-refs", "decimate": "dct-decimate", "ip_ratio": "ipratio", "pb_ratio": "pbratio",
             "me_range": "merange", "keyint_min": "min-keyint"}
    return ":".join(f"{names.get(name, name.replace('_', '-'))}={value.replace(':', ',')}"
                    for name, value in options.items())


def peers(clip, ours, output):
    """The command of each competitor."""
    width, height = clip.fitted
    audio = ["-c:a", "copy" if clip.audio_codec in (None, "aac") else "aac"]
    begin = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", clip.path, *audio]
    streams = [*begin, "-map", "0:v:0", "-map", "0:a:0?", "-movflags", "+faststart"]
    if clip.is_hdr:
        # Scaled first, with the chain that most pages recommend.
        chain = f"zscale=w={width}:h={height}:f=bicubic,zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,"
        chain += "tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
        return {"ffmpeg tonemap": [*streams, "-vf", chain, "-c:v", "libx264", "-x264-params", x264_parameters(ours),
                                   output]}
    scale = [] if (clip.width, clip.height) == clip.fitted else ["-vf", f"scale={width}:{height}:flags=bicubic"]
    presets = {f"ffmpeg {preset}": [*streams, *scale, "-c:v", "libx264", "-preset", preset, "-crf", "21", "-pix_fmt",
                                    "yuv420p", output] for preset in ("veryfast", "medium")}
    # https://mux.com/docs/guides/minimize-processing-time
    return presets | {
        "Mux's ffmpeg": [*begin, "-vf", "scale=w='min(iw,1920)':h=-2", "-c:v", "libx264", "-profile:v", "high", "-b:v",
                         "7000k", "-maxrate", "16000k", "-bufsize", "24000k", "-g", "239", "-pix_fmt", "yuv420p", output],
        "HandBrake": ["HandBrakeCLI", "-i", clip.path, "-o", output, "--preset", "Fast 1080p30"]}


def quality_for(byte_count, size_at):
    """The `--quality` at which the result has nearly as many bytes. Six steps halve a file."""
    value = 21.0
    for _ in range(6):
        share = size_at(value) / byte_count
        if 0.99 <= share <= 1.01:
            break
        value = min(max(round(value + 6 * math.log2(share), 2), 1), 51)
    return value


def transcode(bench):
    for name, path, goals, limit in SOURCES:
        if not bench.wants(name):
            continue
        clip, ours, theirs = source(bench, name, path), bench.folder / "ours.mp4", bench.folder / "theirs.mp4"
        command = [bench.bsc, "compress", clip.path, "-o", ours, "--force", "--json"]
        Run(command)
        commands = peers(clip, ours, theirs)
        for peer, (effort, goal) in goals.items():
            row, other = f"{name}: {peer}", commands[peer]
            if not bench.wants(row):
                continue
            if shutil.which(other[0]) is None:
                print(f"{other[0]} is not installed: SKIPPED")
                continue
            mine = [*command, "--effort", effort]
            if goals is FRONT:
                # At its bytes; at others, quality cannot be compared.
                Run(other)

                def size_at(value):
                    Run([*mine, "--quality", str(value)])
                    return ours.stat().st_size

                mine += ["--quality", str(quality_for(theirs.stat().st_size, size_at))]

            def note(run, _):
                text = f"bytes {ours.stat().st_size / theirs.stat().st_size:.3f}, "
                text += " ".join([f"cores {run.cpu / run.wall / CORES:.0%} busy", *mine[len(command):]])
                if name == "remux":
                    return f"{text}, packets {'identical' if clip.packets() == Clip.read(ours).packets() else 'DIFFER'}"
                if clip.is_hdr:
                    # Tone mapping differs on purpose.
                    return text
                # Both, because VMAF needs an ffmpeg that has it.
                found = [quality(clip, each) for each in (ours, theirs)]
                vmaf = [float(each.split("VMAF ")[1]) for each in found if "VMAF " in each]
                if goals is FRONT and len(vmaf) == 2 and vmaf[0] < vmaf[1]:
                    text = f"MISSED: VMAF {vmaf[0] - vmaf[1]:.2f}; {text}"
                return f"{text}; {' and '.join(found)}"

            bench.compare(Row(row, mine, other, ("cpu", "<=", goal), note=note, limit=limit), 5)


# Thumbs: name, options of bsc, command of ffmpeg, goal for CPU, extension, share of the runs.

PICTURED = [("volleyball", VOLLEYBALL), ("volleyball-bframes", None), ("indoor", "volleyball-indoor-720p-30s.mp4"),
            ("portrait", "phone-4k-hevc-portrait-9s.mp4"), ("remux", "park-h264-1080p-6s.mp4"),
            ("drone", "dji-drone-gps-loci-86s.mp4")]


def drawings(name, clip):
    columns, rows = (6, 3) if clip.height > clip.width else (4, 4)
    # In INPUT, OUTPUT, WIDTH and HEIGHT are filled in; a tile is a part of a sheet without its gaps of 8.
    sheet = f"fps={columns * rows}/{clip.duration},scale=(WIDTH-8)/{columns}-8:(HEIGHT-8)/{rows}-8,"
    sheet = f"-i INPUT -vf {sheet}tile={columns}x{rows}:padding=8:margin=8 -frames:v 1 OUTPUT"
    board = f"-i INPUT -vf fps=50/{clip.duration},scale=WIDTH/5:HEIGHT/10,tile=5x10 -frames:v 1 OUTPUT"
    for at in (2, 3.7):
        poster = f"-ss {at} -i INPUT -frames:v 1 -vf scale=WIDTH:HEIGHT -q:v 2 OUTPUT"
        yield f"poster at {at} s", f"--at {at} --quality 85", poster, 1.3, "jpg", 1
        yield f"poster near {at} s, key frame", f"--at {at} --quality 85 --fast", poster, 3, "jpg", 1
    yield "sheet, key frames", "--kind sheet --fast", sheet, 4, "jpg", 0.5
    # The goal is for clips with non-reference frames; this one has none.
    yield "sheet, exact", "--kind sheet", sheet, None if name == "volleyball" else 1.3, "jpg", 0.5
    yield "storyboard", "--kind storyboard", board, None, "jpg", 0.5
    palette = "fps=15,scale=WIDTH:HEIGHT,split[a][b];[a]palettegen[c];[b][c]paletteuse=dither=bayer"
    yield ("animation, gif", "--kind animated --animated-format gif --animated-size 1GB",
           f"-t 5 -i INPUT -filter_complex {palette} OUTPUT", None, "gif", 0.5)
    yield ("animation, webp", "--kind animated --animated-format webp --animated-size 1GB",
           "-t 5 -i INPUT -vf fps=15,scale=WIDTH:HEIGHT -c:v libwebp_anim -an OUTPUT", None, "webp", 0.5)


def same_frame(picture, clip, size, seconds):
    """PSNR of a poster against the frame that is shown at this time; below 30 dB it is another frame."""
    full = "full" if clip.is_full_range else "limited"
    graph = "[0:v]zscale=min=170m:rin=full:m=gbr:r=full,format=gbrp,setpts=0[a];[1:v]trim=end_frame=1,"
    graph += f"zscale=w={size[0]}:h={size[1]}:f=lanczos:min={clip.matrix}:rin={full}:m=gbr:r=full,format=gbrp,"
    graph += "setpts=0[b];[a][b]psnr"
    command = ["ffmpeg", "-hide_banner", "-nostats", "-i", picture, "-ss", str(max(0, seconds - 0.5 / clip.frame_rate)),
               "-i", clip.path, "-lavfi", graph, "-f", "null", "-"]
    log = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE).stderr.decode()
    return float(re.search(r"PSNR .*average:([\d.]+|inf)", log)[1])


def thumbs(bench):
    for name, path in PICTURED:
        if not bench.wants(name):
            continue
        clip = source(bench, name, path)
        for what, options, other, goal, extension, share in drawings(name, clip):
            ours, theirs = (bench.folder / f"{side}.{extension}" for side in ("ours", "theirs"))
            command = [bench.bsc, "thumbs", clip.path, "-o", ours, "-f", "--json", *options.split()]
            picture = Run(command).document["pictures"][0]
            size = picture["width"], picture["height"]
            words = {"INPUT": str(clip.path), "OUTPUT": str(theirs)}
            other = other.replace("WIDTH", str(size[0])).replace("HEIGHT", str(size[1])).split()

            def note(*_):
                text = f"{ours.stat().st_size / 1e3:.0f} and {theirs.stat().st_size / 1e3:.0f} kB"
                if what.startswith("poster"):
                    text += f", frame: {same_frame(ours, clip, size, picture['seconds'][0]):.1f} dB"
                return text

            bench.compare(Row(f"{name}: {what}", command, ["ffmpeg", "-v", "error", "-nostdin", "-y",
                              *(words.get(word, word) for word in other)], goal and ("cpu", ">=", goal), note=note,
                              share=share))
    for name, path in (("volleyball", VOLLEYBALL), ("hlg", HLG)):
        command = [bench.bsc, "compress", media(path), "-o", bench.folder / "ours.mp4", "-f", "-q"]
        for options, goal in (("--kind poster", 1.01), ("--kind poster --best", 1.03)):
            bench.compare(Row(f"inside compress, {name}: {options}", [*command, *options.split()], command,
                              ("cpu", "<=", goal)))


# Cut

MATCH_SECONDS, RALLIES = 600, 40


def match(bench, kind):
    """A clip repeated for ten minutes, with noise as audio: 1080p that can be copied, or the camera's 4K. Made once."""
    path = bench.options.folder / f"match-{kind}.mp4"
    if not path.exists():
        clip, unfinished = bench.folder / "clip.mp4", bench.folder / "match.mp4"
        video = ["-c:v", "copy"]
        if kind == "copied":
            # A key frame every two seconds, and no group above 8 Mbit/s.
            video = ["-vf", "scale=1920:1080", "-c:v", "libx264", "-preset", "fast", "-crf", "20", "-g", "50",
                     "-maxrate", "5M", "-bufsize", "5M", "-x264-params", "open-gop=0"]
        ffmpeg("-i", media(VOLLEYBALL), "-f", "lavfi", "-i", "anoisesrc=a=0.1:r=48000", "-map", "0:v", "-map", "1:a",
               "-t", "8", *video, "-c:a", "aac", "-b:a", "128k", clip)
        ffmpeg("-stream_loop", MATCH_SECONDS // 8 - 1, "-i", clip, "-map", "0", "-c", "copy", unfinished)
        unfinished.rename(path)
    return path


def rallies():
    """(start, end) of 40 rallies of 5 to 25 s, always the same, shortened until they fit."""
    chance = random.Random(20260220)
    lengths = [chance.uniform(5, 25) for _ in range(RALLIES)]
    while sum(lengths) > 0.9 * MATCH_SECONDS:
        lengths = [max(5, length * 0.97) for length in lengths]
    weights = [chance.random() for _ in range(RALLIES + 1)]
    free, position = (MATCH_SECONDS - 2 - sum(lengths)) / sum(weights), 0.5
    for length, weight in zip(lengths, weights):
        position += weight * free
        yield round(position, 3), round(position + length, 3)
        position += length


def frame_count(path):
    return int(probe(path, "-select_streams", "v:0", "-count_frames", "-show_entries", "stream=nb_read_frames")
               ["streams"][0]["nb_read_frames"])


def first_frame(path, seconds=0.0):
    text = ffmpeg("-ss", seconds, "-i", path, "-map", "0:v", "-frames:v", "1", "-f", "framemd5", "-").decode()
    return [line.split(",")[-1].strip() for line in text.splitlines() if line[:1] != "#"]


def cut(bench):
    """`bsc cut` against a shell loop of `ffmpeg -ss`."""
    count = bench.options.count or RALLIES
    places = list(rallies())[::max(RALLIES // count, 1)][:count]
    segments = [{"id": str(uuid.uuid4()).upper(), "startTime": start, "endTime": end, "confidence": 0.8, "quality": 0.8,
                 "detectionCount": 9, "averageTrajectoryLength": 0.6} for start, end in places]
    metadata, ours, theirs = bench.folder / "match.json", bench.folder / "ours", bench.folder / "theirs"
    metadata.write_text(json.dumps({"id": str(uuid.uuid4()).upper(), "videoId": str(uuid.uuid4()).upper(),
                                    "rallySegments": segments, "processingDate": "2026-02-20T00:00:00Z"}))

    def prepare(side):
        path = ours if side == "ours" else theirs
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        os.sync()

    for kind, goal, codecs in (("copied", 3, "-c copy"), ("encoded", 1.25, "-vf scale=1920:1080 -c:v libx264 -preset "
                               "veryfast -crf 21 -c:a copy -movflags +faststart")):
        if not bench.wants(kind):
            continue
        path = match(bench, kind)
        loop = " && ".join(f"ffmpeg -v error -nostdin -y -ss {start} -i '{path}' -t {round(end - start, 3)} {codecs} "
                           f"'{theirs}/{index:02}.mp4'" for index, (start, end) in enumerate(places))

        def note(run, _):
            clips = [json.loads(line) for line in run.output.splitlines()]
            off = max(abs(frame_count(clip["output"]) - (clip["end"] - clip["start"]) * 25) for clip in clips)
            text = f"{len(clips)} clips, up to {off:.1f} frames too many or too few"
            if kind == "copied":
                fits = sum(first_frame(clip["output"])[0] in first_frame(path, clip["start"]) + first_frame(
                    path, max(clip["start"] - 0.04, 0)) for clip in clips)
                text += f"; the first frame is the match's in {fits}; hidden before it "
                text += f"{statistics.median(clip.get('hiddenLead', 0) for clip in clips):.2f} s"
            return text

        command = [bench.bsc, "cut", path, "--metadata", metadata, "-o", ours, "--json"]
        bench.compare(Row(f"{kind}: {len(places)} rallies", command, loop, ("wall", ">=", goal), prepare=prepare,
                          note=note), 3)
