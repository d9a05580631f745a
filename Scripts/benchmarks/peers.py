"""What people make 1080p with: commands, and what is wanted of ours against each."""

import dataclasses
import re
import shutil
import sys

FFMPEG = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", "IN"]
STREAMS = ["-map", "0:v:0", "-map", "0:a:0?", "-movflags", "+faststart"]


def audio(clip):
    """Copied, as everyone does who knows how; PCM of cameras does not fit into MP4."""
    return ["-c:a", "copy" if clip.audio_codec in (None, "aac") else "aac"]


@dataclasses.dataclass
class Peer:
    """A command with IN and OUT for the files, and what is wanted against it. `None`: nothing is."""

    name: str
    command: list
    cpu: float
    bytes: float | None = 1.0
    ssim_loss: float | None = None
    vmaf_loss: float | None = None
    # Ours runs with the quality that gives the peer's bytes: at other bytes, quality says nothing.
    at_its_bytes: bool = False


def veryfast(clip, cpu):
    width, height = clip.fitted
    scale = [] if clip.size == clip.fitted else ["-vf", f"scale={width}:{height}:flags=bicubic"]
    command = FFMPEG + STREAMS + audio(clip) + scale + ["-c:v", "libx264", "-preset", "veryfast", "-crf", "21"]
    return Peer("ffmpeg veryfast", command + ["-pix_fmt", "yuv420p", "OUT"], cpu, ssim_loss=0.001, vmaf_loss=0)


def mux(clip, cpu):
    """https://mux.com/docs/guides/minimize-processing-time"""
    command = FFMPEG + audio(clip) + ["-vf", "scale=w='min(iw,1920)':h=-2", "-c:v", "libx264", "-profile:v", "high"]
    command += ["-b:v", "7000k", "-maxrate", "16000k", "-bufsize", "24000k", "-g", "239", "-pix_fmt", "yuv420p", "OUT"]
    return Peer("Mux's ffmpeg", command, cpu, vmaf_loss=0.5, at_its_bytes=True)


def handbrake():
    command = ["HandBrakeCLI", "-i", "IN", "-o", "OUT", "--preset", "Fast 1080p30"]
    return Peer("HandBrake", command, 0.35, vmaf_loss=0, at_its_bytes=True)


def tone_mapped(clip, settings):
    """Scaled first, as nobody would tone map 4K who has a choice; then the chain that everyone quotes."""
    width, height = clip.fitted
    chain = f"zscale=w={width}:h={height}:f=bicubic,zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709"
    chain += ",tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
    command = FFMPEG + STREAMS + audio(clip) + ["-vf", chain, "-c:v", "libx264", "-x264-params", settings, "OUT"]
    return Peer("ffmpeg tonemap", command, 0.75, bytes=None)


def x264_options(path):
    """The settings that x264 writes into its stream, so that no list of ours can be out of date."""
    with open(path, "rb") as file:  # fast start: the first picture is near the beginning
        found = re.search(rb"x264 - core [^\0]* - options: ([^\0]*)", file.read(1 << 20))
    if found is None:
        sys.exit(f"bench: {path.name} does not tell its x264 settings")
    return dict(option.split("=", 1) for option in found[1].decode().split() if "=" in option)


def x264_parameters(options):
    """Options as x264 writes them, as it reads them."""
    # Written, but not read in this form, and at their defaults or following from others.
    unread = ("rc", "nal_hrd", "lookahead_threads", "constrained_intra", "cqm")
    options = {name: value for name, value in options.items() if name not in unread}
    inter_zone, _, intra_zone = options.pop("deadzone", "21,11").partition(",")
    options |= {"deadzone_inter": inter_zone, "deadzone_intra": intra_zone}
    names = {"mixed_ref": "mixed-refs", "decimate": "dct-decimate", "ip_ratio": "ipratio", "pb_ratio": "pbratio"}
    names |= {"me_range": "merange", "keyint_min": "min-keyint"}
    inter = int(options.pop("analyse").split(":")[1], 16)
    kinds = {0x1: "i4x4", 0x2: "i8x8", 0x10: "p8x8", 0x20: "p4x4", 0x100: "b8x8"}
    parameters = {"partitions": ",".join(name for bit, name in kinds.items() if inter & bit) or "none"}
    if options["deblock"].startswith("1:"):
        parameters["deblock"] = options.pop("deblock")[2:]
    if "aq" in options:
        mode, _, strength = options.pop("aq").partition(":")
        parameters |= {"aq-mode": mode} | ({"aq-strength": strength} if strength else {})
    for name, value in options.items():
        parameters[names.get(name, name.replace("_", "-"))] = value
    # The one setting of ours that x264 does not write: Sources/LibAV/Encoding/Encoder.swift.
    if "vbv-bufsize" in parameters:
        parameters["vbv-init"] = "0.3"
    return ":".join(f"{name}={value.replace(':', ',')}" for name, value in parameters.items())


def peers(name, clip, our_output):
    if name == "remux":
        return [dataclasses.replace(veryfast(clip, 0.02), bytes=None, ssim_loss=None, vmaf_loss=None)]
    if clip.hdr:
        return [tone_mapped(clip, x264_parameters(x264_options(our_output)))]
    fast = veryfast(clip, 0.76 if clip.non_reference_share() > 0 else 0.80)
    found = [fast, mux(clip, 0.45 if name == "volleyball" else 0.50)]
    if shutil.which("HandBrakeCLI"):
        return found + [handbrake()]
    print("HandBrakeCLI is missing (Debian: handbrake-cli): ITS ROW IS SKIPPED")
    return found
