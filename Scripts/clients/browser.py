"""Debian's Chromium plays what the backend serves."""

import contextlib
import http.server
import os
import shutil
import threading

from playwright.sync_api import sync_playwright

from .backend import PATIENCE, Skipped, want
from .media import SECONDS, playback
from .mux import Mux

# What happened to a <video>, told by itself. Plays, seeks, and waits for the end.
WATCH = """async ([source, seconds, patience]) => {
  const video = document.querySelector('video');
  const wait = (name, limit) => new Promise((done) => {
    video.addEventListener(name, () => done(name), { once: true });
    video.addEventListener('error', () => done(`error ${video.error.code}: ${video.error.message}`), { once: true });
    setTimeout(() => done(`no ${name}`), limit);
  });
  const frames = () => video.getVideoPlaybackQuality().totalVideoFrames;
  const said = { hls: video.canPlayType('application/vnd.apple.mpegurl') };
  video.muted = true;
  const ready = wait('loadedmetadata', patience);
  video.src = source;
  said.ready = await ready;
  if (said.ready !== 'loadedmetadata') return said;
  said.duration = video.duration;
  said.size = [video.videoWidth, video.videoHeight];
  await video.play().catch((error) => { said.play = `${error}`; });
  for (let turn = 0; turn < patience / 50 && video.currentTime < 0.5; turn += 1) {
    await new Promise((done) => setTimeout(done, 50));
  }
  said.played = [video.currentTime, frames()];
  video.pause();
  for (const [name, time] of [['back', 0.5], ['on', seconds - 1]]) {
    const seeked = wait('seeked', patience);
    video.currentTime = time;
    said[name] = [await seeked, video.currentTime];
  }
  const before = frames(), ended = wait('ended', patience);
  await video.play().catch((error) => { said.play = `${error}`; });
  said.ended = await ended;
  said.last = [video.currentTime, frames() - before];
  return said;
}"""


@contextlib.contextmanager
def page(place):
    """A page in a browser of its own; skipped loudly without Chromium."""
    program = shutil.which("chromium")
    if program is None:
        raise Skipped("there is no chromium: apt-get install --no-install-recommends chromium")
    flags = ["--autoplay-policy=no-user-gesture-required", "--disable-background-networking", "--no-proxy-server"]
    # A container's root has no sandbox of its own to give.
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=flags)
        try:
            opened = chromium.new_page()
            opened.set_default_timeout(PATIENCE * 1000)
            yield opened
        finally:
            chromium.close()


def on_own_page(place, opened):
    """A page with nothing but a <video>, of the server's origin, which the server itself knows nothing of."""
    address = f"{place.backend.base}/a-page-of-the-check"
    opened.route(address, lambda route: route.fulfill(content_type="text/html", body="<video playsinline></video>"))
    opened.goto(address)


def want_played(said, what):
    want(said["ready"] == "loadedmetadata", f"{what}: {said['ready']}")
    want("play" not in said, f"{what}: {said.get('play')}")
    want(abs(said["duration"] - SECONDS) < 0.2 and said["size"] == [640, 360], f"{what}: {said}")
    time, frames = said["played"]
    want(0.5 <= time < SECONDS and frames >= 8, f"{what}: after a while it is at {time} s, {frames} frames shown")
    for name, wanted in ("back", 0.5), ("on", SECONDS - 1):
        want(said[name][0] == "seeked" and abs(said[name][1] - wanted) < 0.2, f"{what}: {wanted} s: {said[name]}")
    want(said["ended"] == "ended" and abs(said["last"][0] - SECONDS) < 0.2, f"{what}: {said['ended']} {said['last']}")
    want(said["last"][1] >= 8, f"{what}: {said['last'][1]} frames in the last second")


def check_hls(place):
    source = f"/stream/{playback(place)}.m3u8"
    with page(place) as opened:
        on_own_page(place, opened)
        if not opened.evaluate("document.querySelector('video').canPlayType('application/vnd.apple.mpegurl')"):
            raise Skipped("this Chromium does not play HLS by itself; the MP4 is checked")
        want_played(opened.evaluate(WATCH, [source, SECONDS, PATIENCE * 1000]), "HLS")
    return "plays, seeks both ways, ends"


def check_clip(place):
    with page(place) as opened:
        on_own_page(place, opened)
        for source in f"/stream/{playback(place)}.mp4", f"/stream/{playback(place)}/highest.mp4":
            want_played(opened.evaluate(WATCH, [source, SECONDS, PATIENCE * 1000]), source[-12:])
    return "the MP4 plays, seeks both ways, ends"


def check_pages(place):
    """The server's own pages, under their own security headers."""
    with page(place) as opened:
        problems = []
        opened.on("pageerror", lambda error: problems.append(str(error)))
        opened.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
        opened.goto(f"{place.backend.base}/h/{place.example['id']}")
        found = opened.evaluate("""async (patience) => {
          const video = document.querySelector('video');
          video.muted = true;
          await video.play();
          for (let turn = 0; turn < patience / 50 && video.currentTime < 0.5; turn += 1) {
            await new Promise((done) => setTimeout(done, 50));
          }
          return [video.currentTime, video.getVideoPlaybackQuality().totalVideoFrames, video.currentSrc, video.poster];
        }""", PATIENCE * 1000)
        want(found[0] >= 0.5 and found[1] >= 6, f"the page's video: {found}")
        want(not problems, f"the console: {problems}")
        opened.goto(place.backend.base)
        # Rows of other checks name clips that never were: their pictures are hidden, and no ruin is shown.
        opened.wait_for_load_state("networkidle")
        broken = opened.evaluate(
            "[...document.images].filter((one) => !one.hidden && one.complete && !one.naturalWidth).map((one) => one.src)")
        want(not broken, f"pictures of the first page are broken: {broken}")
        # Rows of other checks name videos that nobody has.
        problems = [line for line in problems if "404" not in line]
        want(not problems, f"the console of the first page: {problems}")
    return "the page's own video plays; no picture is broken, nothing is blocked"


# A page of another origin: it sends a clip in chunks, reads the offset of each answer, and plays what comes of it.
FOREIGN = """async ([upload, size, chunk]) => {
  const bytes = new Uint8Array(await (await fetch('/clip.mp4')).arrayBuffer());
  const said = { size: bytes.length === size, offsets: [] };
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(start + chunk, bytes.length);
    const answer = await fetch(upload, {
      method: 'PUT', body: bytes.slice(start, end),
      headers: { 'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}`, 'Content-Type': 'video/mp4' },
    });
    said.offsets.push([answer.status, answer.headers.get('range')]);
    if (answer.status !== 308) break;
    start = Number(answer.headers.get('range').split('-')[1]) + 1;
  }
  return said;
}"""

# HLS by MediaSource, as players do it, and the picture where a canvas may read it.
PLAY = """async ([base, playback]) => {
  const text = async (path) => (await fetch(`${base}${path}`)).text();
  const master = await text(`/stream/${playback}.m3u8`);
  const codecs = /CODECS="([^"]+)"/.exec(master)[1];
  const index = await text(`/stream/${playback}/index.m3u8`);
  const pieces = [/URI="([^"]+)"/.exec(index)[1], ...index.split('\\n').filter((line) => line && line[0] !== '#')];
  const video = document.querySelector('video'), source = new MediaSource();
  video.muted = true;
  video.src = URL.createObjectURL(source);
  await new Promise((done) => source.addEventListener('sourceopen', done, { once: true }));
  const buffer = source.addSourceBuffer(`video/mp4; codecs="${codecs}"`);
  for (const piece of pieces) {
    buffer.appendBuffer(await (await fetch(`${base}/stream/${playback}/${piece}`)).arrayBuffer());
    await new Promise((done) => buffer.addEventListener('updateend', done, { once: true }));
  }
  source.endOfStream();
  await video.play();
  for (let turn = 0; turn < 100 && video.currentTime < 0.5; turn += 1) {
    await new Promise((done) => setTimeout(done, 100));
  }
  const seen = (make, event, address, crossOrigin) => new Promise((done) => {
    const element = make();
    if (crossOrigin) element.crossOrigin = crossOrigin;
    element.addEventListener(event, () => done(true), { once: true });
    element.addEventListener('error', () => done(false), { once: true });
    element.src = `${base}${address}`;
  });
  const picture = `/image/${playback}/thumbnail.jpg?time=2`;
  return {
    time: video.currentTime, frames: video.getVideoPlaybackQuality().totalVideoFrames, pieces: pieces.length,
    image: await seen(() => new Image(), 'load', picture),
    readableImage: await seen(() => new Image(), 'load', `${picture}&width=320`, 'anonymous'),
    clip: await seen(() => document.createElement('video'), 'loadedmetadata', `/stream/${playback}.mp4`),
  };
}"""

# Whether a page may send to an address, and read another.
CLOSED = """async ([upload, ...addresses]) => {
  const open = [];
  try { await fetch(upload, { method: 'PUT', body: 'x' }); open.push('PUT'); } catch { /* It is closed. */ }
  for (const address of addresses) {
    try { await fetch(address); open.push(address); } catch { /* It is closed. */ }
  }
  return open;
}"""


@contextlib.contextmanager
def origin(clip):
    """A site of another origin, with a page that has a <video>, and the clip."""
    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body, kind = (clip, "video/mp4") if self.path == "/clip.mp4" else (b"<video playsinline></video>", "text/html")
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def check_origins(place):
    """`cors_origin`: a page of the named origin uploads and plays; a page of another one does neither."""
    mux = Mux(place.backend)
    base, chunk = place.backend.base, 256 << 10
    with origin(place.clip) as app, origin(place.clip) as other, page(place) as opened:
        for named in app, "*":
            upload = mux.create(cors_origin=named)
            opened.goto(app)
            said = opened.evaluate(FOREIGN, [upload.url, len(place.clip), chunk])
            wanted = [[308, f"bytes=0-{end - 1}"] for end in range(chunk, len(place.clip), chunk)]
            want(said["size"] and said["offsets"][:-1] == wanted and said["offsets"][-1][0] == 200,
                 f"the page with {named} sent: {said}")
            asset = mux.ready_asset(upload.id)
            playback = asset.playback_ids[0].id
            played = opened.evaluate(PLAY, [base, playback])
            want(played["time"] >= 0.5 and played["frames"] >= 6 and played["pieces"] > 1, f"played with {named}: {played}")
            want(played["image"] and played["readableImage"] and played["clip"], f"shown with {named}: {played}")
            waiting = mux.create(cors_origin=named).url
            media = [f"{base}/stream/{playback}.m3u8", f"{base}/stream/{playback}.mp4", f"{base}/health",
                     f"{base}/rest/v1/highlights"]
            opened.goto(other)
            found = opened.evaluate(CLOSED, [waiting, *media])
            want(found == ([] if named == app else ["PUT", *media[:2]]), f"with {named} another origin opens {found}")
    return "the named origin uploads in chunks and plays; another one can do neither"


CHECKS = {"browser origins": check_origins, "browser hls": check_hls, "browser mp4": check_clip, "browser pages": check_pages}
