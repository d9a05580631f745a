"""The first picture of README.md: a frame of the sample before and after `bsc share`, with what bsc says of both."""

import json
import os
import shutil
import subprocess
from html import escape

from .session import surroundings

CLIP, TIME = "Samples/rally-4k.mp4", "3.4"
# Wide, and for narrow screens: name, columns, size in CSS pixels, pixels of each.
VIEWS = [("before-after.jpg", 2, (1000, 412), 1.6), ("before-after-narrow.jpg", 1, (500, 824), 1.6)]
NARROW = 600

PAGE = """<!doctype html><meta charset="utf-8"><style>
* {{ box-sizing: border-box; margin: 0 }}
body {{ display: grid; grid-template-columns: repeat({columns}, 500px); background: #10161d; color: #f0f4f8;
       font: 20px/1.5 system-ui, "DejaVu Sans", sans-serif; overflow: hidden }}
figure {{ position: relative; height: 412px }}
img {{ display: block; width: 500px; height: 281px }}
h1 {{ position: absolute; left: 0; top: 0; padding: 5px 14px; font-size: 19px; font-weight: 600;
     background: #10161de0; border-bottom-right-radius: 8px }}
code {{ font: 600 19px "DejaVu Sans Mono", monospace }}
dl {{ display: grid; grid-template-columns: 104px 1fr; padding: 16px 22px; row-gap: 4px }}
dt {{ color: #9aa7b4 }}
dd {{ font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap }}
.tells {{ color: #ff8f87 }} .silent {{ color: #66d984 }}
figure + figure {{ border-{edge}: 2px solid #10161d }}
</style>{figures}"""

FIGURE = """<figure><img src="{image}"><h1>{title}</h1><dl>
<dt>picture</dt><dd>{width} × {height}</dd><dt>size</dt><dd>{size}</dd>
<dt>location</dt><dd class="{kind}">{place}</dd></dl></figure>"""


def run(home, folder, *arguments, codes=(0,)):
    done = subprocess.run([home / "bin/bsc", *arguments], cwd=folder, env=surroundings(home), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    if done.returncode not in codes:
        raise SystemExit(f"make-docs: bsc {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def size(count):
    return f"{count / 1e6:.1f} MB"


def facts(home, folder, clip):
    """What bsc says of a file."""
    probe = json.loads(run(home, folder, "probe", clip, "--json"))["probe"]
    audit = json.loads(run(home, folder, "audit", clip, "--json", codes=(0, 4)))
    if audit["unread"]:
        raise SystemExit(f"make-docs: bsc audit could not read all of {clip}: {audit['unread']}")
    places = [carrier for carrier in audit["carriers"] if carrier["disclosure"] == "location"]
    track = probe["videoTracks"][0]
    near = next((carrier["firstPosition"] for carrier in places if "firstPosition" in carrier), None)
    return {"width": track["width"], "height": track["height"], "bytes": probe["byteCount"], "places": len(places),
            "near": near and position(near)}


def position(point):
    north, east = point["latitude"], point["longitude"]
    return f"{abs(north):.0f}°{'N' if north >= 0 else 'S'} {abs(east):.0f}°{'E' if east >= 0 else 'W'}"


def before_and_after(home, folder):
    """The facts of both, and the shared clip: the session's first highlight, as `bsc highlights export` gives it."""
    rows = [json.loads(line) for line in run(home, folder, "highlights", "list", "--json").splitlines()]
    shared = next(row["id"] for row in rows if row["caption"].startswith("Match point"))
    run(home, folder, "highlights", "export", "exported", shared, "--quiet")
    clip = next((folder / "exported").glob("*.mp4"))
    return facts(home, folder, CLIP), facts(home, folder, clip), clip


def told(fact):
    if not fact["places"]:
        return "none"
    return (f"{fact['near']}, " if fact["near"] else "") + f"in {fact['places']} places"


def description(before, after):
    one, other = (f"{fact['width']}×{fact['height']}, {size(fact['bytes'])}, location: {told(fact)}"
                  for fact in (before, after))
    return f"A frame of the sample clip. Before: {one}. After bsc share: {other}."


def part(before, after):
    """The lines of README.md that show the pictures."""
    wide, narrow = (f"Docs/media/{name}" for name, *_ in VIEWS)
    return (f'<picture>\n<source media="(max-width: {NARROW}px)" srcset="{narrow}">\n'
            f'<img src="{wide}" alt="{escape(description(before, after))}">\n</picture>\n')


def draw(home, folder, before, after, clip, target):
    """Draws the pictures with Chromium; ffmpeg makes JPEG of them."""
    for program in ("chromium", "ffmpeg"):
        if shutil.which(program) is None:
            raise SystemExit(f"make-docs: the picture needs {program}: Scripts/bootstrap --tests")
    for name, source in (("before.png", CLIP), ("after.png", clip)):
        run(home, folder, "thumbs", source, "--at", TIME, "--width", "1000", "-o", name, "--force", "--quiet")
    for name, columns, (width, height), scale in VIEWS:
        figures = "".join(
            FIGURE.format(image=image, title=title, width=fact["width"], height=fact["height"],
                          size=size(fact["bytes"]), kind="tells" if fact["places"] else "silent",
                          place=("✗ " if fact["places"] else "✓ ") + told(fact))
            for image, title, fact in (("before.png", "before", before),
                                       ("after.png", "after <code>bsc share</code>", after)))
        page = folder / "page.html"
        page.write_text(PAGE.format(columns=columns, edge="left" if columns == 2 else "top", figures=figures))
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--user-data-dir={home / 'chromium'}", f"--force-device-scale-factor={scale}",
                        f"--window-size={width},{height}", f"--screenshot={folder / 'page.png'}", page.as_uri()],
                       env=os.environ | {"HOME": str(home)}, check=True, stdin=subprocess.DEVNULL, capture_output=True)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", folder / "page.png", "-pix_fmt", "yuvj444p", "-q:v", "4",
                        "-fflags", "+bitexact", "-flags", "+bitexact", target / name], check=True,
                       stdin=subprocess.DEVNULL)
