"""Playlists, pictures and storyboards, read by m3u8, Pillow and ffprobe."""

import io
import re
import subprocess
import urllib.parse

import m3u8
from oracles.ground import program
from PIL import Image

from .backend import want

SECONDS, WIDTH, HEIGHT, FRAMES = 6, 640, 360, 180


def fetch(place, path, status=200, **headers):
    answer = place.backend.raw("GET", path, headers=headers)
    want(answer.status_code == status, f"{path} is {answer.status_code}: {answer.text[:200]}")
    return answer


def playback(place):
    return place.example["mux_playback_id"]


def stream(place, query=""):
    """The media playlist with its absolute path; by way of a master playlist, if there is one."""
    path = f"/stream/{playback(place)}.m3u8{query}"
    for _ in range(2):
        answer = fetch(place, path)
        want(answer.headers["Content-Type"].split(";")[0] in ("application/vnd.apple.mpegurl", "application/x-mpegurl"),
             f"a playlist comes as {answer.headers['Content-Type']}")
        found = m3u8.loads(answer.text, uri=place.backend.base + path)
        if not found.is_variant:
            return found, path
        (first, *_) = found.playlists
        want(first.stream_info.bandwidth > 0 and first.stream_info.codecs, f"a variant: {first.stream_info}")
        want(first.stream_info.resolution in ((WIDTH, HEIGHT), None), f"a variant: {first.stream_info.resolution}")
        path = urllib.parse.urlsplit(first.absolute_uri)._replace(scheme="", netloc="").geturl()
    want(False, "a master playlist within a master playlist")


def counted(data, kind="v"):
    """Frames that ffprobe decodes, and what it complains about."""
    done = subprocess.run(
        [program("ffprobe", "ffmpeg"), "-v", "error", "-count_frames", "-select_streams", kind, "-show_entries",
         "stream=nb_read_frames", "-of", "csv=p=0", "-"], input=data, capture_output=True)
    want(done.returncode == 0 and not done.stderr, f"ffprobe: {done.stderr.decode()[:300]}")
    return int(done.stdout.split(b",")[0].split()[0])


def check_playlist(place):
    found, path = stream(place)
    want(found.is_endlist and found.playlist_type == "vod", f"it is {found.playlist_type}, ended: {found.is_endlist}")
    lengths = [segment.duration for segment in found.segments]
    want(abs(sum(lengths) - SECONDS) < 0.2, f"{lengths} s make {sum(lengths)}")
    want(found.target_duration >= max(round(length) for length in lengths), f"{found.target_duration} s at most")
    base, pieces = f"{place.backend.base}{path}", []
    if found.segment_map:
        pieces.append(urllib.parse.urljoin(base, found.segment_map[0].uri))
    pieces += [urllib.parse.urljoin(base, segment.uri) for segment in found.segments]
    bodies = []
    for url in pieces:
        want(url.startswith(place.backend.base), f"a piece lies elsewhere: {url}")
        path = url[len(place.backend.base):]
        answer = fetch(place, path)
        part = fetch(place, path, 206, Range="bytes=0-")
        want(part.content == answer.content, "a range from the first byte is not the whole")
        want(part.headers["Content-Range"] == f"bytes 0-{len(answer.content) - 1}/{len(answer.content)}",
             f"{part.headers['Content-Range']}")
        some = fetch(place, path, 206, Range="bytes=10-19")
        want(some.content == answer.content[10:20], "ten bytes are others")
        bodies.append(answer.content)
    frames, sound = counted(b"".join(bodies)), counted(b"".join(bodies), "a")
    want(frames == FRAMES, f"{frames} frames in all segments, {FRAMES} were sent")
    want(sound > 250, f"{sound} frames of sound")
    first = counted(bodies[0] + bodies[1] if found.segment_map else bodies[0])
    want(abs(first / 30 - lengths[0]) < 0.1, f"the first segment says {lengths[0]} s and has {first} frames")
    # The longest side that is asked for is below what there is; nothing else is there to give.
    want(stream(place, "?max_resolution=1080p")[0].segments, "with max_resolution")
    fetch(place, f"/stream/{playback(place)}0.m3u8", 404)
    return f"{len(found.segments)} segments, {frames} frames, ranges"


def check_clip(place):
    name = f"/stream/{playback(place)}"
    for path in f"{name}.mp4", f"{name}/highest.mp4":
        whole = fetch(place, path)
        want(whole.headers["Content-Type"] == "video/mp4" and whole.headers["Accept-Ranges"] == "bytes", path)
        want(whole.content == place.clip, f"{path} is not what was sent")
        size, tag = len(whole.content), whole.headers["ETag"]
        for asked, first, last in ("bytes=0-0", 0, 0), ("bytes=-5", size - 5, size - 1), \
                (f"bytes=7-{size * 2}", 7, size - 1), (f"bytes={size - 1}-", size - 1, size - 1):
            part = fetch(place, path, 206, Range=asked)
            want(part.content == whole.content[first:last + 1], f"{asked}: {len(part.content)} other bytes")
            want(part.headers["Content-Range"] == f"bytes {first}-{last}/{size}", part.headers["Content-Range"])
        past = fetch(place, path, 416, Range=f"bytes={size}-")
        want(past.headers["Content-Range"] == f"bytes */{size}", past.headers["Content-Range"])
        fetch(place, path, 304, **{"If-None-Match": tag})
        want(fetch(place, path, 200, **{"Range": "bytes=0-9", "If-Range": '"other"'}).content == whole.content,
             "a part of another file")
        head = place.backend.raw("HEAD", path)
        want(head.headers["Content-Length"] == str(size) and not head.content, f"HEAD: {head.headers}")
    fetch(place, f"{name}/lowest.mp4", 404)
    return "whole, in ranges, and known already"


def picture(place, path, kind, size=None):
    answer = fetch(place, path)
    found = Image.open(io.BytesIO(answer.content))
    found.load()
    want(found.format == kind and answer.headers["Content-Type"] == f"image/{kind.lower()}",
         f"{path} is {found.format}, called {answer.headers['Content-Type']}")
    # Where a size comes from a ratio, encoders want even numbers.
    is_near = size is None or max(abs(one - other) for one, other in zip(found.size, size)) <= 1
    want(is_near, f"{path} is {found.size}, not {size}")
    return found


def check_thumbnails(place):
    name = f"/image/{playback(place)}/thumbnail"
    for end, kind in ("jpg", "JPEG"), ("png", "PNG"), ("webp", "WEBP"):
        picture(place, f"{name}.{end}", kind, (WIDTH, HEIGHT))
    for query, size in (
            ("width=320", (320, 180)), ("height=90", (160, 90)), ("width=300&height=300&fit_mode=crop", (300, 300)),
            ("width=300&height=300&fit_mode=pad", (300, 300)), ("width=300&height=100&fit_mode=stretch", (300, 100)),
            ("width=300&height=300", (300, 169)), ("rotate=90", (HEIGHT, WIDTH)), ("time=2", (WIDTH, HEIGHT)),
            ("width=320&rotate=180&flip_v=true", (320, 180))):
        picture(place, f"{name}.jpg?{query}", "JPEG", size)
    # The counter in the picture moves: another time is another picture, the same one the same.
    times = [picture(place, f"{name}.png?time={time}&width=320", "PNG").tobytes() for time in (1, 4, 1.0)]
    want(times[0] != times[1] and times[0] == times[2], "the time is not heeded")
    middle = picture(place, f"{name}.png?width=320", "PNG").tobytes()
    want(middle == picture(place, f"{name}.png?width=320&time=3", "PNG").tobytes(), "the default is not the middle")
    flipped = picture(place, f"{name}.png?time=1&width=320&flip_h=true", "PNG")
    straight = Image.frombytes(flipped.mode, flipped.size, times[0])
    mirrored = straight.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    want(difference(flipped, mirrored) < 8 < difference(flipped, straight), "flip_h does not mirror")
    for query in "time=-1", "time=x", "width=0", "width=99999", "rotate=45", "fit_mode=odd", "latest=true", \
            "fit_mode=crop&width=100":
        fetch(place, f"{name}.jpg?{query}", 400)
    fetch(place, f"{name}.bmp", 404)
    fetch(place, f"/image/{playback(place)}0/thumbnail.jpg", 404)
    return "formats, sizes, times; what makes no sense is refused"


def difference(one, other):
    """The mean of what the pictures differ by, 0 to 255."""
    pairs = zip(one.convert("L").tobytes(), other.convert("L").tobytes())
    return sum(abs(a - b) for a, b in pairs) / (one.width * one.height)


def check_animations(place):
    name = f"/image/{playback(place)}/animated"
    for end, kind in ("gif", "GIF"), ("webp", "WEBP"):
        found = picture(place, f"{name}.{end}", kind, (320, 180))
        lengths = []
        for number in range(found.n_frames):
            found.seek(number)
            found.load()
            lengths.append(found.info.get("duration", 0))
        want(found.n_frames > 60 and abs(sum(lengths) / 1000 - 5) < 0.3,
             f"{end}: {found.n_frames} frames, {sum(lengths) / 1000} s")
    short = picture(place, f"{name}.gif?start=1&end=2&fps=10&width=160", "GIF", (160, 90))
    want(9 <= short.n_frames <= 11, f"a second of 10 a second has {short.n_frames} frames")
    for query in "start=1&end=1.1", "end=20", "width=641", "fps=31", "start=x", "start=9":
        fetch(place, f"{name}.gif?{query}", 400)
    return "both formats, the asked part, size and rate; limits"


def check_storyboard(place):
    name = f"/image/{playback(place)}/storyboard"
    document = fetch(place, f"{name}.json").json()
    width, height, tiles = document["tile_width"], document["tile_height"], document["tiles"]
    want(abs(document["duration"] - SECONDS) < 0.2 and 1 < len(tiles) <= 50, f"{len(tiles)} tiles: {document}")
    pictures = {}
    for end, kind in ("jpg", "JPEG"), ("png", "PNG"), ("webp", "WEBP"):
        pictures[end] = picture(place, f"{name}.{end}", kind)
    board = pictures["jpg"]
    want(all(other.size == board.size for other in pictures.values()), "the storyboards have different sizes")
    starts = [tile["start"] for tile in tiles]
    want(starts == sorted(starts) and starts[0] == 0 and starts[-1] < SECONDS, f"the tiles start at {starts}")
    places = {(tile["x"], tile["y"]) for tile in tiles}
    want(len(places) == len(tiles) and all(x % width == 0 and y % height == 0 and x + width <= board.width
         and y + height <= board.height for x, y in places), f"{board.size} holds no tiles at {places}")
    url = urllib.parse.urlsplit(document["url"])
    want(picture(place, url.path, "JPEG").size == board.size, "the document names another picture")
    cues = re.findall(r"(\d+):(\d\d):(\d\d\.\d{3}) --> (\d+):(\d\d):(\d\d\.\d{3})\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)",
                      fetch(place, f"{name}.vtt").text)
    want(fetch(place, f"{name}.vtt").text.startswith("WEBVTT\n") and len(cues) == len(tiles), f"{len(cues)} cues")
    for tile, cue in zip(tiles, cues):
        begin = int(cue[0]) * 3600 + int(cue[1]) * 60 + float(cue[2])
        want(abs(begin - tile["start"]) < 0.002, f"a cue begins at {begin}, its tile at {tile['start']}")
        want(tuple(map(int, cue[7:11])) == (tile["x"], tile["y"], width, height), f"a cue is at {cue[7:11]}")
    # A tile shows its time: it looks like that picture of the clip, and unlike another.
    tile = tiles[len(tiles) // 2]
    cut = board.crop((tile["x"], tile["y"], tile["x"] + width, tile["y"] + height))
    single = f"/image/{playback(place)}/thumbnail.png"
    near, far = (picture(place, f"{single}?time={time:.3f}", "PNG").resize((width, height))
                 for time in (tile["start"], (tile["start"] + 2.5) % SECONDS))
    want(difference(cut, near) < difference(cut, far), "a tile does not show its time")
    webp = fetch(place, f"{name}.json?format=webp").json()["url"]
    want("storyboard.webp" in webp, f"format=webp names {webp}")
    return f"{len(tiles)} tiles; json, vtt and the pictures tell the same"


CHECKS = {
    "media playlist": check_playlist, "media clip": check_clip, "media thumbnails": check_thumbnails,
    "media animations": check_animations, "media storyboard": check_storyboard,
}
