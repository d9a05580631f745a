"""Chromium plays HLS, and a page with a different origin uploads and plays only if the upload allows that origin.

Scripts/browser-test checks the server's own pages.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys

from backend import PATIENCE, Skipped, free_port, wait_for, want
from playwright.sync_api import sync_playwright

from .mux import Mux
from .people import SECONDS, clip, example

PAGE = "<video playsinline muted></video>"
# Plays, seeks in both directions, and waits for the end.
WATCH = """async ([source, seconds]) => {
  const video = document.querySelector('video');
  const event = (name) => new Promise((done, failed) => {
    video.addEventListener(name, done, { once: true });
    video.addEventListener('error', () => failed(video.error.message), { once: true });
  });
  const loaded = event('loadedmetadata');
  video.src = source;
  await loaded;
  const times = [video.duration];
  for (const time of [seconds - 1, 0.5, seconds - 1]) {
    const seeked = event('seeked');
    video.currentTime = time;
    await seeked;
    times.push(video.currentTime);
  }
  const ended = event('ended');
  await video.play();
  await ended;
  return [...times, video.currentTime, video.getVideoPlaybackQuality().totalVideoFrames];
}"""
# Sends a clip in chunks, and reads the offset from each response.
UPLOAD = """async ([upload, chunk]) => {
  const bytes = new Uint8Array(await (await fetch('/clip.mp4')).arrayBuffer()), offsets = [];
  for (let start = 0; start < bytes.length; start += chunk) {
    const end = Math.min(start + chunk, bytes.length);
    const answer = await fetch(upload, {
      method: 'PUT', body: bytes.slice(start, end),
      headers: { 'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}`, 'Content-Type': 'video/mp4' },
    });
    offsets.push([answer.status, answer.headers.get('range')]);
  }
  return offsets;
}"""
# Plays HLS through MediaSource, as players do, and loads an image that a canvas can read.
PLAY = """async ([base, playback]) => {
  const text = async (path) => (await fetch(`${base}/stream/${playback}${path}`)).text();
  const codecs = /CODECS="([^"]+)"/.exec(await text('.m3u8'))[1], index = await text('/index.m3u8');
  const parts = [/URI="([^"]+)"/.exec(index)[1], ...index.split('\\n').filter((line) => line && line[0] !== '#')];
  const video = document.querySelector('video'), source = new MediaSource();
  video.src = URL.createObjectURL(source);
  await new Promise((done) => source.addEventListener('sourceopen', done, { once: true }));
  const buffer = source.addSourceBuffer(`video/mp4; codecs="${codecs}"`);
  for (const part of parts) {
    buffer.appendBuffer(await (await fetch(`${base}/stream/${playback}/${part}`)).arrayBuffer());
    await new Promise((done) => buffer.addEventListener('updateend', done, { once: true }));
  }
  source.endOfStream();
  await video.play();
  while (video.currentTime < 0.5) await new Promise((done) => setTimeout(done, 50));
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = `${base}/image/${playback}/thumbnail.jpg?time=2`;
  await image.decode();
  return [parts.length, video.getVideoPlaybackQuality().totalVideoFrames, image.naturalWidth];
}"""
# The requests that the browser allows this page.
OPEN = """async ([upload, ...addresses]) => {
  const requests = [[upload, { method: 'PUT', body: 'x' }], ...addresses.map((one) => [one])];
  const found = await Promise.allSettled(requests.map((one) => fetch(...one)));
  return requests.filter((_, index) => found[index].status === 'fulfilled').map((one) => one[0]);
}"""


@contextlib.contextmanager
def page(**options):
    if shutil.which("chromium") is None:
        raise Skipped("chromium is missing: apt-get install --no-install-recommends chromium")
    flags = ["--autoplay-policy=no-user-gesture-required", "--disable-background-networking", "--no-proxy-server"]
    # Chromium's sandbox does not work as root.
    flags += ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        opened = chromium.new_page(**options)
        opened.set_default_timeout(PATIENCE * 1000)
        yield opened
        chromium.close()


def check_hls(place):
    with page() as opened:
        # A page of the server's origin that contains only a <video>.
        address = f"{place.server.base}/a-page-of-the-check"
        opened.route(address, lambda route: route.fulfill(content_type="text/html", body=PAGE))
        opened.goto(address)
        if not opened.evaluate("document.querySelector('video').canPlayType('application/vnd.apple.mpegurl')"):
            raise Skipped("this Chromium plays HLS only through MediaSource")
        *times, frames = opened.evaluate(WATCH, [f"/stream/{example(place)['mux_playback_id']}.m3u8", SECONDS])
        wanted = SECONDS, SECONDS - 1, 0.5, SECONDS - 1, SECONDS
        want(all(abs(one - other) < 0.2 for one, other in zip(times, wanted)) and frames >= 8,
             f"{times}, {frames} frames")
    return "plays, seeks in both directions, ends"


def site(place, data):
    """Another server, with a page that contains only a <video>, and a clip."""
    port = free_port()
    folder = place.folder / f"site-{port}"
    folder.mkdir()
    (folder / "index.html").write_text(PAGE)
    (folder / "clip.mp4").write_bytes(data)
    place.processes.append(subprocess.Popen([sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"],
                                            cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    with socket.socket() as probe:
        wait_for(lambda: probe.connect_ex(("127.0.0.1", port)) == 0, "the page's server starts")
    return f"http://127.0.0.1:{port}"


def check_origins(place):
    mux, base, data, chunk = Mux(place.server), place.server.base, clip(place), 256 << 10
    app, other = site(place, data), site(place, data)
    with page() as opened:
        for allowed in app, "*":
            upload = mux.create(cors_origin=allowed)
            opened.goto(app)
            offsets = opened.evaluate(UPLOAD, [upload.url, chunk])
            wanted = [[308, f"bytes=0-{end - 1}"] for end in range(chunk, len(data), chunk)]
            want(offsets[:-1] == wanted and offsets[-1][0] == 200, f"the page with {allowed} sent: {offsets}")
            playback = mux.ready_asset(upload.id).playback_ids[0].id
            parts, frames, width = opened.evaluate(PLAY, [base, playback])
            want(parts > 1 and frames >= 6 and width == 640,
                 f"with {allowed}: {parts} parts, {frames} frames, {width} px")
            waiting = mux.create(cors_origin=allowed).url
            media = [f"{base}/stream/{playback}.m3u8", f"{base}/stream/{playback}.mp4"]
            opened.goto(other)
            found = opened.evaluate(OPEN, [waiting, *media, f"{base}/health", f"{base}/rest/v1/highlights"])
            want(found == ([] if allowed == app else [waiting, *media]),
                 f"with {allowed}, another origin opens {found}")
    return "the allowed origin uploads in chunks and plays HLS; another one can do neither"
