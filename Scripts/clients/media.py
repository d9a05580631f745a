"""Playlists, clips, images and storyboards, read by m3u8, Pillow and ffprobe."""

import io
import re
import subprocess
import urllib.parse

import m3u8
from backend import want
from PIL import Image, ImageChops, ImageStat

from .people import FRAMES, HEIGHT, PLAYER, SECONDS, WIDTH, clip, example


def fetch(place, path, status=200, **headers):
    headers = PLAYER | {name.replace("_", "-"): value for name, value in headers.items()}
    answer = place.server.ask("GET", path, headers=headers)
    want(answer.status_code == status, f"{path} is {answer.status_code}: {answer.text[:200]}")
    return answer


def counted(data, kind):
    """The frames that ffprobe decodes without an error."""
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-select_streams", kind, "-show_entries", "stream=nb_read_frames",
         "-of", "csv=p=0", "-"], input=data, capture_output=True)
    want(done.returncode == 0 and not done.stderr, f"ffprobe: {done.stderr.decode()[:300]}")
    return int(done.stdout.split(b",")[0].split()[0])


def check_playlist(place):
    url = f"{place.server.base}/stream/{example(place)['mux_playback_id']}.m3u8?max_resolution=1080p"
    answer = fetch(place, url)
    want("mpegurl" in answer.headers["Content-Type"].lower(), f"the type is {answer.headers['Content-Type']}")
    variant, *_ = m3u8.loads(answer.text, uri=url).playlists
    want(variant.stream_info.bandwidth > 0 and variant.stream_info.codecs, f"{variant.stream_info}")
    want(variant.stream_info.resolution == (WIDTH, HEIGHT), f"{variant.stream_info}")
    found = m3u8.loads(fetch(place, variant.absolute_uri).text, uri=variant.absolute_uri)
    lengths = [segment.duration for segment in found.segments]
    want(found.is_endlist and found.playlist_type == "vod" and abs(sum(lengths) - SECONDS) < 0.2, f"{lengths}")
    want(found.target_duration >= max(round(length) for length in lengths), f"{found.target_duration} s at most")
    parts = [fetch(place, part.absolute_uri) for part in [*found.segment_map, *found.segments]]
    bodies = [part.content for part in parts]
    some = fetch(place, found.segments[0].absolute_uri, 206, Range="bytes=10-19")
    want(some.content == bodies[-len(lengths)][10:20], "a range of a segment differs")
    frames, audio = counted(b"".join(bodies), "v"), counted(b"".join(bodies), "a")
    want(frames == FRAMES and audio > 250, f"{frames} of {FRAMES} frames, {audio} of audio")
    first = counted(b"".join(bodies[:len(bodies) - len(lengths) + 1]), "v")
    want(abs(first / 30 - lengths[0]) < 0.1, f"the first segment lasts {lengths[0]} s and has {first} frames")
    return f"{len(lengths)} segments, {frames} frames"


def check_clip(place):
    for end in ".mp4", "/highest.mp4":
        path = f"/stream/{example(place)['mux_playback_id']}{end}"
        whole = fetch(place, path)
        want(whole.headers["Content-Type"] == "video/mp4" and whole.content == clip(place), f"{path} differs")
        size = len(whole.content)
        for asked, first, last in ("0-0", 0, 0), ("-5", size - 5, size - 1), (f"7-{size * 2}", 7, size - 1):
            part = fetch(place, path, 206, Range=f"bytes={asked}")
            want(part.content == whole.content[first:last + 1], f"{asked}: {len(part.content)} other bytes")
            want(part.headers["Content-Range"] == f"bytes {first}-{last}/{size}", part.headers["Content-Range"])
        fetch(place, path, 416, Range=f"bytes={size}-")
        fetch(place, path, 304, If_None_Match=whole.headers["ETag"])
        fetch(place, path, 200, Range="bytes=0-9", If_Range='"other"')
    return "complete, in ranges, and cached"


def image(place, path, kind, size=None):
    answer = fetch(place, path)
    found = Image.open(io.BytesIO(answer.content))
    found.load()
    want(found.format == kind and answer.headers["Content-Type"] == f"image/{kind.lower()}",
         f"{path} is {found.format}")
    # Encoders need even numbers where the size results from a ratio.
    want(size is None or all(abs(one - other) <= 1 for one, other in zip(found.size, size)), f"{path} is {found.size}")
    return found


def difference(one, other):
    """The mean difference of two images, from 0 to 255."""
    return ImageStat.Stat(ImageChops.difference(one.convert("L"), other.convert("L"))).mean[0]


def check_thumbnails(place):
    name = f"/image/{example(place)['mux_playback_id']}/thumbnail"
    for end, kind in ("jpg", "JPEG"), ("png", "PNG"), ("webp", "WEBP"):
        image(place, f"{name}.{end}", kind, (WIDTH, HEIGHT))
    for query, size in (
            ("width=320", (320, 180)), ("height=90", (160, 90)), ("width=300&height=300&fit_mode=crop", (300, 300)),
            ("width=300&height=300&fit_mode=pad", (300, 300)), ("width=300&height=100&fit_mode=stretch", (300, 100)),
            ("width=300&height=300", (300, 169)), ("rotate=90", (HEIGHT, WIDTH)),
            ("rotate=180&flip_v=true", (WIDTH, HEIGHT))):
        image(place, f"{name}.jpg?{query}", "JPEG", size)
    # The counter in the video changes: another time is another image.
    early, late, again, middle, default, flipped = (
        image(place, f"{name}.png?width=320{query}", "PNG")
        for query in ("&time=1", "&time=4", "&time=1.0", "&time=3", "", "&time=1&flip_h=true"))
    want(early.tobytes() == again.tobytes() != late.tobytes() and middle.tobytes() == default.tobytes(), "another time")
    mirrored = early.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    want(difference(flipped, mirrored) < 8 < difference(flipped, early), "flip_h does not mirror")
    for query in "time=-1", "time=x", "width=0", "width=99999", "rotate=45", "fit_mode=odd", "latest=true":
        fetch(place, f"{name}.jpg?{query}", 400)
    return "formats, sizes and times; invalid values are rejected"


def check_animations(place):
    name = f"/image/{example(place)['mux_playback_id']}/animated"
    for end, kind in ("gif", "GIF"), ("webp", "WEBP"):
        found, length = image(place, f"{name}.{end}", kind, (320, 180)), 0
        for number in range(found.n_frames):
            found.seek(number)
            found.load()
            length += found.info.get("duration", 0) / 1000
        want(found.n_frames > 60 and abs(length - 5) < 0.3, f"{end}: {found.n_frames} frames, {length} s")
    short = image(place, f"{name}.gif?start=1&end=2&fps=10&width=160", "GIF", (160, 90))
    want(9 <= short.n_frames <= 11, f"a second at 10 frames per second has {short.n_frames} frames")
    for query in "start=1&end=1.1", "end=20", "width=641", "fps=31", "start=x", "start=9":
        fetch(place, f"{name}.gif?{query}", 400)
    return "both formats, parts, sizes and rates; limits"


def check_storyboard(place):
    name = f"/image/{example(place)['mux_playback_id']}/storyboard"
    document = fetch(place, f"{name}.json").json()
    width, height, tiles = document["tile_width"], document["tile_height"], document["tiles"]
    board, *others = (image(place, f"{name}.{end}", kind)
                      for end, kind in (("jpg", "JPEG"), ("png", "PNG"), ("webp", "WEBP")))
    want(all(other.size == board.size for other in others), "the storyboards have different sizes")
    starts = [tile["start"] for tile in tiles]
    want(1 < len(tiles) <= 50 and starts == sorted(starts) and starts[0] == 0, f"the tiles start at {starts}")
    corners = {(tile["x"], tile["y"]) for tile in tiles}
    want(len(corners) == len(tiles)
         and all(x + width <= board.width and y + height <= board.height for x, y in corners),
         f"an image of {board.size} cannot contain the tiles at {corners}")
    image(place, urllib.parse.urlsplit(document["url"]).path, "JPEG", board.size)
    text = fetch(place, f"{name}.vtt").text
    cues = re.findall(r"(\d+):(\d\d):(\d\d\.\d{3}) --> .*\n\S+#xywh=(\d+),(\d+),(\d+),(\d+)", text)
    want(text.startswith("WEBVTT\n") and len(cues) == len(tiles), f"{len(cues)} cues")
    for tile, (hours, minutes, seconds, *box) in zip(tiles, cues):
        want(abs(int(hours) * 3600 + int(minutes) * 60 + float(seconds) - tile["start"]) < 0.002, f"{tile}, {seconds}")
        want(list(map(int, box)) == [tile["x"], tile["y"], width, height], f"{tile}, {box}")
    # A tile looks like the image at its time, and unlike another one.
    tile = tiles[len(tiles) // 2]
    cut = board.crop((tile["x"], tile["y"], tile["x"] + width, tile["y"] + height))
    near, far = (image(place, f"{name.replace('storyboard', 'thumbnail')}.png?time={time:.3f}",
                       "PNG").resize((width, height))
                 for time in (tile["start"], (tile["start"] + 2.5) % SECONDS))
    want(difference(cut, near) < difference(cut, far), "a tile shows another time")
    return f"{len(tiles)} tiles; JSON, WebVTT and the images agree"
