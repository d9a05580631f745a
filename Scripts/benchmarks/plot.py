"""The speed/quality plane as SVG: a panel for each source, a point for each program."""

import math
import sys
from html import escape

from benchmarks.common import median

BASE = "ffmpeg veryfast"
COLOURS = {"bsc": "#d9480f", BASE: "#1c7ed6", "Mux's ffmpeg": "#7048e8", "HandBrake": "#2b8a3e"}
LABELS = {"bsc": "bsc", BASE: "veryfast", "Mux's ffmpeg": "Mux", "HandBrake": "HandBrake"}
PANEL_WIDTH, PANEL_HEIGHT = 400, 270
LEFT, RIGHT, TOP, BOTTOM = 56, 20, 34, 44
HEADER = 64


def points(source, measure):
    """(program, CPU seconds and bytes relative to veryfast, quality), each ratio from the same rounds."""
    base = next(peer for peer in source["peers"] if peer["name"] == BASE)

    def relative(runs):
        return median([a["cpu_seconds"] / b["cpu_seconds"] for a, b in zip(runs, base["theirs"])])

    found = [("bsc", relative(base["ours"]), source["bsc"]["bytes"] / base["bytes"], source["bsc"][measure])]
    for peer in source["peers"]:
        found.append((peer["name"], relative(peer["theirs"]), peer["bytes"] / base["bytes"], peer[measure]))
    return found


def step(span, count):
    """The largest of 1, 2, 5 times a power of ten that gives at least so many steps."""
    power = 10 ** math.floor(math.log10(span / count))
    return max(n * power for n in (1, 2, 5) if n * power <= span / count)


def text(x, y, content, anchor="start", size=12, fill="#343a40", weight="normal", extra=""):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{fill}" '
        f'font-weight="{weight}"{extra}>{escape(content)}</text>'
    )


def panel(source, measure):
    found = points(source, measure)
    lowest, highest = min(p[3] for p in found), max(p[3] for p in found)
    # Differences that nobody sees shall not fill the panel.
    room = max(highest - lowest, 4 if measure == "vmaf" else 0.01) * 0.3
    lowest, highest = lowest - room, min(highest + room, 100 if measure == "vmaf" else 1)
    widest = 1.1 * max(p[1] for p in found)
    inner_width, inner_height = PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM

    def x(value):
        return LEFT + inner_width * value / widest

    def y(value):
        return TOP + inner_height * (highest - value) / (highest - lowest)

    codec = {"h264": "H.264", "hevc": "HEVC"}.get(source["codec"], source["codec"])
    title = f"{source['name']}: {codec} {source['width']}×{source['height']}"
    svg = [text(LEFT, TOP - 12, title, size=13, weight="600")]
    tick = step(highest - lowest, 4)
    digits = max(0, -math.floor(math.log10(tick)))
    for n in range(math.ceil(lowest / tick), math.floor(highest / tick) + 1):
        at = y(n * tick)
        svg.append(f'<line x1="{LEFT}" x2="{LEFT + inner_width}" y1="{at:.1f}" y2="{at:.1f}" stroke="#e9ecef"/>')
        svg.append(text(LEFT - 8, at + 4, f"{n * tick:.{digits}f}", "end", 11, "#868e96"))
    tick = step(widest, 4)
    for n in range(math.floor(widest / tick) + 1):
        at = x(n * tick)
        svg.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{TOP + inner_height}" stroke="#e9ecef"/>')
        svg.append(text(at, TOP + inner_height + 16, f"{n * tick:g}", "middle", 11, "#868e96"))
    svg.append(
        f'<path d="M{LEFT} {TOP}V{TOP + inner_height}H{LEFT + inner_width}" fill="none" stroke="#868e96"/>'
    )
    svg.append(text(LEFT + inner_width / 2, PANEL_HEIGHT - 10, f"CPU seconds, {BASE} = 1", "middle", 11, "#495057"))
    middle = TOP + inner_height / 2
    turned = f' transform="rotate(-90 16 {middle:.1f})"'
    svg.append(text(16, middle, measure.upper(), "middle", 11, "#495057", extra=turned))
    labels = []
    for name, cpu, size, quality in sorted(found, key=lambda p: p[3], reverse=True):
        at, height, radius = x(cpu), y(quality), 6 * math.sqrt(size)
        svg.append(
            f'<circle cx="{at:.1f}" cy="{height:.1f}" r="{radius:.1f}" fill="{COLOURS[name]}" '
            'fill-opacity="0.75" stroke="#fff"/>'
        )
        label = f"{LABELS[name]} {size:.2f}"
        length = 6.6 * len(label)
        # Ours is the fastest: its label goes to the left, where nothing is. A label moves down from one that it hides.
        left = name == "bsc" and at - length > LEFT or at + radius + 4 + length > LEFT + inner_width
        anchor, label_x = ("end", at - radius - 4) if left else ("start", at + radius + 4)
        begin, label_y = label_x - length * left, height + 4
        while any(begin < b + n and b < begin + length and abs(label_y - other) < 13 for b, n, other in labels):
            label_y += 1
        labels.append((begin, length, label_y))
        svg.append(text(label_x, label_y, label, anchor, 11, COLOURS[name], "600"))
    return svg


def drawing(report):
    sources = [s for s in report["sources"] if any(p["name"] == BASE and "ssim" in p for p in s["peers"])]
    if not sources:
        sys.exit("bench: nothing to draw: no source with SSIM and ffmpeg veryfast")
    measure = "vmaf" if all("vmaf" in p for s in sources for p in s["peers"]) else "ssim"
    columns = min(2, len(sources))
    width = max(columns * PANEL_WIDTH, 560)
    height = HEADER + math.ceil(len(sources) / columns) * PANEL_HEIGHT
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="Helvetica, Arial, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        text(20, 26, "Speed and quality at 1080p: up and to the left is better", size=15, weight="600"),
    ]
    note = f"A panel for each source. Number and area of a point: bytes, {BASE} = 1."
    svg.append(text(20, 46, note, fill="#868e96"))
    for index, source in enumerate(sources):
        place = f"translate({index % columns * PANEL_WIDTH} {HEADER + index // columns * PANEL_HEIGHT})"
        svg += [f'<g transform="{place}">'] + panel(source, measure) + ["</g>"]
    return "\n".join(svg + ["</svg>"]) + "\n"
