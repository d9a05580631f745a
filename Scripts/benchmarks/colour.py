"""How far our tone mapping is from libplacebo's BT.2390, in CIE ΔE2000."""

import math
import subprocess
import tempfile
from pathlib import Path

from benchmarks.common import MEDIA, median

# Both look at pictures of this size, scaled the same way, so that only colour differs.
WIDTH, HEIGHT = 480, 270
# The colours of areas of 4x4 pixels are compared: an encoder's noise and the dither leave them alone.
AREA = 4
# Every so many areas one is looked at.
STRIDE = 1

# BT.2390 as it is written (its knee), no look at other pictures, no Dolby Vision, no dither.
LIBPLACEBO = (
    "hwupload,libplacebo=tonemapping=bt.2390:tonemapping_param=0.5:peak_detect=0:apply_dolbyvision=0:dithering=none:"
    "colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv:format=yuv420p,hwdownload,format=yuv420p"
)
AREAS = f"zscale=f=bicubic,format=yuv444p16le,scale={WIDTH // AREA}:{HEIGHT // AREA}:flags=area"


def colour(arguments):
    """`bsc compress` against libplacebo's BT.2390 at 1000 cd/m², on HLG clips (libplacebo on software Vulkan)."""
    sources = arguments.clips or [
        MEDIA / "bench/phone-4k-hevc-hlg10-26mbps-8s.mp4",
        MEDIA / "iphone-dovi84-hlg-1080p-rot90-editlist.mp4",
    ]
    print(f"{'clip':44} {'at':>5} {'mean ΔE2000':>12} {'95 %':>6}")
    means = []
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            ours = Path(folder) / "ours.mp4"
            # The best quality in a small picture, so that the encoder adds next to nothing.
            run([arguments.bsc, "compress", source, "-o", ours, "-f", "-q", "--quality", "1", "--height", str(HEIGHT)])
            for seconds in arguments.at:
                # Both with half the colours' detail, as video has it.
                theirs = pixels(source, seconds, f"zscale=w={WIDTH}:h={HEIGHT}:f=bicubic,format=yuv420p10le,{LIBPLACEBO},{AREAS}")
                mine = pixels(ours, seconds, AREAS)
                distances = sorted(delta_e(lab(a), lab(b)) for a, b in zip(mine, theirs))
                if not distances:
                    continue
                mean = sum(distances) / len(distances)
                means.append(mean)
                print(f"{source.name:44} {seconds:5.1f} {mean:12.2f} {distances[len(distances) * 95 // 100]:6.2f}")
    if not means:
        return
    worst = max(means)
    print(f"worst mean {worst:.2f}, median {median(means):.2f}; wanted: at most 2{'' if worst <= 2 else ' — MISSED'}")


def run(command):
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout


def pixels(path, seconds, filters):
    """Linear BT.709 light of some areas of a frame, as a display of 1000 to 1 shows it."""
    data = run(
        ["ffmpeg", "-v", "error", "-nostdin", "-noautorotate", "-init_hw_device", "vulkan=vk:0", "-ss", str(seconds)]
        + ["-i", path, "-frames:v", "1", "-vf", filters, "-f", "rawvideo", "-pix_fmt", "yuv444p16le", "-"]
    )
    planes = memoryview(data).cast("H")
    count = (WIDTH // AREA) * (HEIGHT // AREA)
    return [
        linear(planes[i] / 256, planes[count + i] / 256, planes[2 * count + i] / 256)
        for i in range(0, count if len(planes) == 3 * count else 0, STRIDE)
    ]


def linear(y, cb, cr):
    y, cb, cr = (y - 16) / 219, (cb - 128) / 224, (cr - 128) / 224
    red, blue = y + 1.5748 * cr, y + 1.8556 * cb
    green = (y - 0.2126 * red - 0.0722 * blue) / 0.7152
    return tuple(min(max(v, 0), 1) ** 2.4 for v in (red, green, blue))


def lab(rgb):
    r, g, b = rgb
    xyz = (
        (0.4123908 * r + 0.3575843 * g + 0.1804808 * b) / 0.9504559,
        0.2126390 * r + 0.7151687 * g + 0.0721923 * b,
        (0.0193308 * r + 0.1191948 * g + 0.9505322 * b) / 1.0890578,
    )
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def delta_e(one, two):
    """CIE ΔE2000 (ISO/CIE 11664-6)."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    dh = 0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + h2) / 2 if abs(h1 - h2) <= 180 else ((h1 + h2) / 2 + 180) % 360
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    cosine = lambda degrees: math.cos(math.radians(degrees))
    t = 1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6) - 0.2 * cosine(4 * hue - 63)
    sl = 1 + 0.015 * (l - 50) ** 2 / math.sqrt(20 + (l - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    rc = 2 * math.sqrt(c**7 / (c**7 + 25**7))
    rt = -math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))) * rc
    dl, dc = (l2 - l1) / sl, (c2 - c1) / sc
    dhue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh) / 2) / sh
    return math.sqrt(max(dl * dl + dc * dc + dhue * dhue + rt * dc * dhue, 0))
