"""A server with clips, accounts and comments, and a Chromium that records errors and requests to other servers."""

import contextlib
import os
import shutil
import time
from urllib.parse import urlsplit

from backend import PASSWORD, PATIENCE, ROOT, Account, Place, ffmpeg, want
from playwright.sync_api import sync_playwright

KEPT = ROOT / ".build/browser-test"
# Long words, both writing directions, and several scripts.
CAPTIONS = [
    "Match point! What a comeback in the last set, and what a dig #spike #beach",
    "排球比赛的决定性一分,全场沸腾 🏐🔥 #排球 — der Ball war drin",
    "نقطة المباراة في الشوط الأخير #كرة_الطائرة مع الأصدقاء",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 3,
    None,
]


class Site(Place):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.problems, self.browser = [], None

    @property
    def base(self):
        return self.server.base

    def clip(self, name, source, size, seconds):
        """A small clip from one of the samples; it is kept for the next run."""
        path = KEPT / f"{name}.mp4"
        if not path.exists():
            KEPT.mkdir(parents=True, exist_ok=True)
            ffmpeg(KEPT / "part.mp4", "-t", str(seconds), "-i", ROOT / "Samples" / source, "-vf", f"scale={size}", "-g",
                   "30").replace(path)
        return path

    @property
    def tall(self):
        return self.clip("tall", "rally-portrait.mp4", "540:960", 4.5)

    @property
    def owner(self):
        return Account(self.server, is_owner=True)

    @property
    def ids(self):
        """Highlights, the newest first; it has three clips."""
        def make():
            wide, tall = self.clip("wide", "rally-4k.mp4", "1280:720", 6).read_bytes(), self.tall.read_bytes()
            made = [self.owner.upload(tall if number % 2 else wide, caption=caption, tags=["spike"])
                    for number, caption in enumerate(CAPTIONS + CAPTIONS[:3])]
            made.append(self.owner.upload(wide, tall, wide, caption="Three in a row #series", tags=["series"]))
            return [row["id"] for row in reversed(made)]
        return self.keep("ids", make)

    @property
    def talk(self):
        """A highlight with comments."""
        def make():
            for text in "Was für ein Ballwechsel!", "最后一球太精彩了 🏐🔥", "كانت مباراة رائعة", "W" + "o" * 120 + "w":
                self.owner.insert("comments", {"highlight_id": self.ids[3], "author_id": self.owner.id, "text": text})
            return self.ids[3]
        return self.keep("talk", make)

    @property
    def ann(self):
        return self.keep("ann", lambda: Account(self.server, "ann", {"full_name": "Ann 排球 Möller"}))

    @contextlib.contextmanager
    def page(self, path="/", width=1280, height=800, user=None, opens=True, expected=(), **options):
        """A page of a new browser session; `user` is "owner" or "ann", `expected` are parts of console messages."""
        if user is not None:
            options["storage_state"] = self.keep(f"session {user}", lambda: self.session(user))
        if self.browser is None:
            # Chromium's sandbox does not work as root.
            flags = ["--disable-background-networking", "--no-proxy-server"]
            flags += ["--no-sandbox"] if os.geteuid() == 0 else []
            self.playwright = sync_playwright().start()
            self.browser = self.playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        try:
            context.set_default_timeout(PATIENCE * 1000)
            page = context.new_page()
            page.requested = []
            page.on("request", lambda request: self.record(page, request.url))
            page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
            page.on("console", lambda line: self.record_line(line, expected))
            if opens:
                page.goto(self.base + path)
            yield page
        finally:
            context.close()

    def session(self, user):
        """The cookies of a signed-in browser."""
        with self.page(opens=False) as page:
            if user == "owner":
                page.goto(self.server.entrance())
                page.wait_for_selector("#menu")
            else:
                self.sign_in(page)
            return page.context.storage_state()

    def sign_in(self, page, path="/"):
        page.goto(f"{self.base}/sign-in?next={path}")
        page.get_by_label("Email").fill(self.ann.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_selector("#menu")

    def record(self, page, url):
        page.requested.append(url)
        if urlsplit(url).netloc not in ("", f"127.0.0.1:{self.server.port}"):
            self.problems.append(f"a request to another server: {url}")

    def record_line(self, line, expected):
        # Chromium reports violations of the policy as warnings.
        if line.type == "error" or "Content Security Policy" in line.text:
            if not any(word in line.text for word in expected):
                self.problems.append(f"console: {line.text}")

    def want_clean(self):
        problems, self.problems = self.problems, []
        want(not problems, f"{problems[:3]}")

    def close(self):
        if self.browser is not None:
            self.browser.close()
            self.playwright.stop()
        super().close()


def until(page, expression, what, seconds=PATIENCE):
    """Waits until an expression of the page is true, and returns its value."""
    end = time.monotonic() + seconds
    while not (value := page.evaluate(expression)):
        want(time.monotonic() < end, f"{what}: not within {seconds} s")
        page.wait_for_timeout(50)
    return value
