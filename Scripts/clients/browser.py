"""Debian's Chromium plays what the backend serves."""

import contextlib
import os
import shutil

from playwright.sync_api import sync_playwright

from .backend import Skipped, want
from .media import SECONDS, playback

# What happened to a <video>, told by itself. Plays, seeks, and waits for the end.
WATCH = """async ([source, seconds]) => {
  const video = document.querySelector('video');
  const wait = (name, limit) => new Promise((done) => {
    video.addEventListener(name, () => done(name), { once: true });
    video.addEventListener('error', () => done(`error ${video.error.code}: ${video.error.message}`), { once: true });
    setTimeout(() => done(`no ${name}`), limit);
  });
  const frames = () => video.getVideoPlaybackQuality().totalVideoFrames;
  const said = { hls: video.canPlayType('application/vnd.apple.mpegurl') };
  video.muted = true;
  const ready = wait('loadedmetadata', 15000);
  video.src = source;
  said.ready = await ready;
  if (said.ready !== 'loadedmetadata') return said;
  said.duration = video.duration;
  said.size = [video.videoWidth, video.videoHeight];
  await video.play().catch((error) => { said.play = `${error}`; });
  for (let turn = 0; turn < 50 && video.currentTime < 0.5; turn += 1) {
    await new Promise((done) => setTimeout(done, 100));
  }
  said.played = [video.currentTime, frames()];
  video.pause();
  for (const [name, time] of [['back', 0.5], ['on', seconds - 1]]) {
    const seeked = wait('seeked', 8000);
    video.currentTime = time;
    said[name] = [await seeked, video.currentTime];
  }
  const before = frames(), ended = wait('ended', 15000);
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
            yield chromium.new_page()
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
    want(0.5 <= time < 3 and frames >= 8, f"{what}: after a while it is at {time} s, {frames} frames shown")
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
        want_played(opened.evaluate(WATCH, [source, SECONDS]), "HLS")
    return "plays, seeks both ways, ends"


def check_clip(place):
    with page(place) as opened:
        on_own_page(place, opened)
        for source in f"/stream/{playback(place)}.mp4", f"/stream/{playback(place)}/highest.mp4":
            want_played(opened.evaluate(WATCH, [source, SECONDS]), source[-12:])
    return "the MP4 plays, seeks both ways, ends"


def check_pages(place):
    """The server's own pages, under their own security headers."""
    with page(place) as opened:
        problems = []
        opened.on("pageerror", lambda error: problems.append(str(error)))
        opened.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
        opened.goto(f"{place.backend.base}/h/{place.example['id']}")
        found = opened.evaluate("""async () => {
          const video = document.querySelector('video');
          video.muted = true;
          await video.play();
          for (let turn = 0; turn < 50 && video.currentTime < 0.5; turn += 1) {
            await new Promise((done) => setTimeout(done, 100));
          }
          return [video.currentTime, video.getVideoPlaybackQuality().totalVideoFrames, video.currentSrc, video.poster];
        }""")
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


CHECKS = {"browser hls": check_hls, "browser mp4": check_clip, "browser pages": check_pages}
