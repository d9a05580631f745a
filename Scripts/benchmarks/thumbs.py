"""`bsc thumbs` against the ffmpeg commands that people draw pictures with, and what a poster adds to a transcode."""

import dataclasses
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import clips
from benchmarks.clips import Clip
from benchmarks.common import Run, median, ratio

NAMES = ["volleyball", "volleyball-bframes", "indoor", "portrait", "remux", "drone"]
TRANSCODED = ["volleyball", "hlg"]
TIMES = 2, 3.7
FFMPEG = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
# Below it another frame, or other colours, than the ones that were asked for.
SAME_PICTURE = 30
ANIMATION_SECONDS, ANIMATION_RATE = 5, 15
SHEET_GAP = 8


@dataclasses.dataclass
class Drawing:
    """A kind of picture: options of ours, and from the size of ours the command of theirs, with IN and OUT."""

    what: str
    ours: list
    theirs: object
    extension: str = "jpg"
    # Their CPU / ours, at least. `None`: nothing is.
    wanted: float | None = None
    # Of all of the clip: fewer pairs will do.
    is_long: bool = False
    at: float | None = None
    animated: bool = False


def drawings(clip, duration):
    columns, rows = (6, 3) if clip.height > clip.width else (4, 4)
    has_droppable = clip.codec in ("h264", "hevc") and clip.non_reference_share() > 0

    def poster(at, before=(), after=()):
        return lambda size: (
            FFMPEG + [*before, "-ss", str(at), "-i", "IN", "-frames:v", "1", *after]
            + ["-vf", f"scale={size[0]}:{size[1]}", "-q:v", "2", "OUT"]
        )

    def tiles(columns, rows, gap):
        def command(size):
            width, height = ((size[i] - gap) // n - gap for i, n in enumerate((columns, rows)))
            chain = f"fps={columns * rows}/{duration},scale={width}:{height}"
            chain += f",tile={columns}x{rows}:padding={gap}:margin={gap}"
            return FFMPEG + ["-i", "IN", "-vf", chain, "-frames:v", "1", "OUT"]

        return command

    def gif(size):
        chain = f"fps={ANIMATION_RATE},scale={size[0]}:{size[1]},split[a][b]"
        chain += ";[a]palettegen[colours];[b][colours]paletteuse=dither=bayer"
        return FFMPEG + ["-t", str(ANIMATION_SECONDS), "-i", "IN", "-filter_complex", chain, "OUT"]

    def webp(size):
        chain = f"fps={ANIMATION_RATE},scale={size[0]}:{size[1]}"
        return FFMPEG + ["-t", str(ANIMATION_SECONDS), "-i", "IN", "-vf", chain, "-c:v", "libwebp_anim", "-an", "OUT"]

    for at in TIMES:
        exact = ["--at", str(at), "--quality", "85"]
        yield Drawing(f"poster at {at} s", exact, poster(at), wanted=1.3, at=at)
        yield Drawing(f"poster near {at} s, key frame", exact + ["--fast"], poster(at), wanted=3)
        # The nearest thing that ffmpeg has: the key frame before. Without passthrough it is often dropped as late.
        near = poster(at, ["-noaccurate_seek", "-skip_frame", "nokey"], ["-fps_mode", "passthrough"])
        yield Drawing("  its own key frame", exact + ["--fast"], near)
    sheet = ["--kind", "sheet"]
    their_sheet = tiles(columns, rows, SHEET_GAP)
    yield Drawing("sheet, key frames", sheet + ["--fast"], their_sheet, wanted=4, is_long=True)
    yield Drawing("sheet, exact", sheet, their_sheet, wanted=1.3 if has_droppable else None, is_long=True)
    yield Drawing("storyboard", ["--kind", "storyboard"], tiles(5, 10, 0), is_long=True)
    for extension, theirs in ("gif", gif), ("webp", webp):
        # Without a limit, as theirs has none: ours would take colours away until it fits.
        animated = ["--kind", "animated", "--animated-format", extension, "--animated-size", "1GB"]
        yield Drawing(f"animation, {extension}", animated, theirs, extension, is_long=True, animated=True)


def duration(path):
    command = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=duration"]
    return float(subprocess.run(command + ["-of", "csv=p=0", path], check=True, stdout=subprocess.PIPE).stdout)


def figures(run):
    return {"cpu_seconds": run.cpu, "seconds": run.seconds, "peak_bytes": run.peak_bytes}


def compare(clip, drawing, arguments, folder):
    """All figures of one drawing of one clip."""
    outputs = [folder / f"{whose}.{drawing.extension}" for whose in ("ours", "theirs")]

    def run(command, output):
        output.unlink(missing_ok=True)
        return Run([{"IN": clip.path, "OUT": output}.get(part, part) for part in command])

    bsc = [arguments.bsc.absolute(), "thumbs", "IN", "-o", "OUT", "-f", "--json", *drawing.ours]
    picture = json.loads(run(bsc, outputs[0]).output)["pictures"][0]  # a warm-up, and it tells the size
    size = picture["width"], picture["height"]
    theirs = drawing.theirs(size)
    run(theirs, outputs[1])
    if not outputs[1].exists():
        return {"what": drawing.what, "wanted": None, "nothing": True}
    found = {"what": drawing.what, "wanted": drawing.wanted, "size": size, "ours": [], "theirs": []}
    for _ in range(max(2, (arguments.runs + 1) // 2) if drawing.is_long else arguments.runs):
        found["ours"].append(figures(run(bsc, outputs[0])))
        found["theirs"].append(figures(run(theirs, outputs[1])))
    found["bytes"] = [output.stat().st_size for output in outputs]
    if drawing.at is not None:
        found["at"], found["shown"] = drawing.at, picture["seconds"][0]
        found["psnr"] = [poster_psnr(output, clip, size, drawing.at) for output in outputs]
        # ffmpeg takes the first frame that begins at the time or later; a player shows the one that began before it.
        found["psnr_of_shown"] = poster_psnr(outputs[0], clip, size, found["shown"] - 0.5 / clip.frame_rate)
    elif drawing.animated:
        # A frame of ours is the one that is shown at its time; ffmpeg's filter takes the one that begins nearest to it.
        found["psnr"] = [animation_psnr(o, clip, size, r) for o, r in zip(outputs, ("up", "near"))]
    return found


def in_rgb(clip, size):
    """The filters that scale a clip's pictures, as it means their colours."""
    full = "full" if clip.full_range else "limited"
    return f"zscale=w={size[0]}:h={size[1]}:f=lanczos:min={clip.matrix}:rin={full}:m=gbr:r=full,format=gbrp"


def psnr(arguments, graph, data=None):
    command = ["ffmpeg", "-hide_banner", "-nostats", *arguments, "-lavfi", f"{graph}psnr", "-f", "null", "-"]
    log = subprocess.run(command, check=True, input=data or b"", stderr=subprocess.PIPE).stderr.decode(errors="replace")
    found = re.search(r"PSNR .*average:([\d.]+|inf)", log)
    return float(found[1]) if found else None


def poster_psnr(picture, clip, size, at):
    # Whatever a JPEG was made of, its colours are BT.601 in full range.
    return psnr(
        ["-i", picture, "-ss", str(max(at, 0)), "-i", clip.path],
        f"[0:v]zscale=min=170m:rin=full:m=gbr:r=full,format=gbrp,setpts=0[a]"
        f";[1:v]trim=end_frame=1,{in_rgb(clip, size)},setpts=0[b];[a][b]",
    )


def animation_psnr(path, clip, size, rounding):
    rate = ANIMATION_RATE
    source = ["-t", str(ANIMATION_SECONDS), "-i", clip.path]
    reference = f"[1:v]fps={rate}:round={rounding},{in_rgb(clip, size)},setpts=N[b];[a][b]"
    if path.suffix == ".gif":
        return psnr(["-i", path] + source, f"[0:v]fps={rate},format=gbrp,setpts=N[a];{reference}")
    try:
        from PIL import Image, ImageSequence  # this ffmpeg writes animated WebP, but does not read it
    except ImportError:
        return None
    frames, seconds = b"", 0
    for frame in ImageSequence.Iterator(Image.open(path)):
        pixels = frame.convert("RGB").tobytes()
        # A picture that does not change is stored once, and shown for longer.
        repeats = round((seconds + frame.info["duration"] / 1000) * rate) - round(seconds * rate)
        frames += pixels * repeats
        seconds += frame.info["duration"] / 1000
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "{}x{}".format(*size), "-r", str(rate), "-i", "-"]
    return psnr(raw + source, f"[0:v]format=gbrp,setpts=N[a];{reference}", frames)


def column(runs, key):
    return [run[key] for run in runs]


def misses(found):
    missed = []
    ratios = [b / a for a, b in zip(column(found["ours"], "cpu_seconds"), column(found["theirs"], "cpu_seconds"))]
    if found["wanted"] and median(ratios) < found["wanted"]:
        missed.append(f"CPU {median(ratios):.2f}, wanted {found['wanted']:g}")
    if found["wanted"] and min(ratios) < 1:
        missed.append(f"slower in a pair: {min(ratios):.2f}")
    if "at" in found and max(found["psnr"][0], found["psnr_of_shown"]) < SAME_PICTURE:
        missed.append(f"another picture: {found['psnr'][0]:.1f} dB")
    return missed


def show_clip(title):
    print(f"\n{title}")
    print(
        f"  {'bsc and theirs':28}{'CPU s':>22}{'wall s':>15}{'MB':>12}{'kB':>14}{'PSNR':>14}   theirs / bsc: CPU, wall"
    )


def show(found):
    if "nothing" in found:
        print(f"  {found['what']:28}ffmpeg writes nothing")
        return

    def both(form, values):
        return " ".join(format(value, form) if value is not None else "-" for value in values)

    runs = found["ours"], found["theirs"]
    print(
        f"  {found['what']:28}{both('.3f', [median(column(r, 'cpu_seconds')) for r in runs]):>22}"
        f"{both('.3f', [median(column(r, 'seconds')) for r in runs]):>15}"
        f"{both('.0f', [max(column(r, 'peak_bytes')) / 1e6 for r in runs]):>12}"
        f"{both('.0f', [b / 1e3 for b in found['bytes']]):>14}{both('.1f', found.get('psnr', [])):>14}   "
        + ", ".join(ratio(column(runs[1], key), column(runs[0], key)) for key in ("cpu_seconds", "seconds"))
    )
    if "at" in found and found["psnr"][0] < SAME_PICTURE:
        print(
            f"    {found['psnr'][0]:.1f} dB is against the first frame at {found['at']} s or later; ours is shown from"
            f" {found['shown']:.3f} s on: {found['psnr_of_shown']:.1f} dB"
        )
    if missed := misses(found):
        print(f"    MISSED: {'; '.join(missed)}")


# --- Pictures that a transcode makes on its way

# Options, and CPU with / without at most.
INSIDE = {"poster": (["--kind", "poster"], 1.01), "best poster": (["--kind", "poster", "--best"], 1.03)}


def compare_inside(clip, arguments, folder):
    """In turn: a transcode, and the same with each picture."""
    plain = [arguments.bsc.absolute(), "compress", clip.path, "-o", folder / "ours.mp4", "-f", "-q"]
    commands = {"without": plain} | {name: plain + options for name, (options, _) in INSIDE.items()}
    runs = {name: [] for name in commands}
    Run(plain)  # a warm-up
    for _ in range(max(arguments.runs, 5)):
        for name, command in commands.items():
            runs[name].append(figures(Run(command)))
    found = {"runs": runs}
    if arguments.instructions:
        found["instructions"] = {name: instructions(command) for name, command in commands.items()}
    return found


def instructions(command):
    """How many a command runs, nearly the same each time, other than seconds; `None` where nothing counts them."""
    if shutil.which("perf") is None:
        return None
    counted = Run(["perf", "stat", "-x,", "-e", "instructions:u", *command]).errors
    found = re.search(r"^(\d+),.*instructions", counted, re.MULTILINE)
    return int(found[1]) if found else None


def show_inside(found):
    runs, counts = found["runs"], found.get("instructions")
    plain = column(runs["without"], "cpu_seconds")
    noise = max(plain) / min(plain) - 1
    for name, (_, wanted) in INSIDE.items():
        mine = column(runs[name], "cpu_seconds")
        added = median([a / b for a, b in zip(mine, plain)])
        wall = ratio(column(runs[name], "seconds"), column(runs["without"], "seconds"), 3)
        print(
            f"  {name + ' inside a transcode':28}{median(mine):7.2f} s, {median(plain):.2f} without   "
            f"with / without: CPU {ratio(mine, plain, 3)}, wall {wall}"
        )
        if abs(added - 1) < noise:
            print(f"    says little: the runs without it differ by {noise:.1%} among each other")
        elif added > wanted:
            print(f"    MISSED: {added:.3f}, wanted {wanted}")
        if counts and counts["without"]:
            print(f"    instructions: {counts[name] / counts['without'] - 1:+.2%}")
        elif counts:
            print("    instructions: perf cannot count them here")


def thumbs(arguments):
    """`bsc thumbs` against ffmpeg's commands for posters, sheets, storyboards and animations; posters in `compress`."""
    report = {"runs": arguments.runs, "clips": {}, "inside": {}}

    def store():
        if arguments.json:  # after each row: a long run that is stopped has something to show
            arguments.json.write_text(json.dumps(report, indent=1) + "\n")

    known = dict.fromkeys(NAMES + TRANSCODED)
    if unknown := [name for name in arguments.only or [] if name not in known]:
        sys.exit(f"bench: no source is named {', '.join(unknown)}: there are {', '.join(known)}")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name in NAMES:
            if arguments.inside or name not in (arguments.only or NAMES):
                continue
            clip = Clip.probe(clips.source(name))
            seconds = duration(clip.path)
            show_clip(f"{name}: {clip.codec} {clip.width}x{clip.height}, {seconds:.1f} s, {arguments.runs} pairs")
            report["clips"][name] = rows = []
            for drawing in drawings(clip, seconds):
                rows.append(compare(clip, drawing, arguments, folder))
                show(rows[-1])
                sys.stdout.flush()
                store()
        for name in TRANSCODED:
            if name not in (arguments.only or TRANSCODED):
                continue
            clip = Clip.probe(clips.source(name))
            print(f"\n{name}, {max(arguments.runs, 5)} rounds")
            report["inside"][name] = compare_inside(clip, arguments, folder)
            show_inside(report["inside"][name])
            store()
