"""What the checks look at: a server with clips, people and comments, and a Chromium that reports what it should not do."""

import contextlib
import http.client
import json
import os
import shutil
import subprocess
import time
import uuid
from urllib.parse import urlsplit

from oracles.ground import PATIENCE, Ground, Server, program, wait_for, want
from playwright.sync_api import sync_playwright

LOCAL_USER = "10ca1000-0000-4000-8000-000000000001"
PASSWORD = "correct horse 9 battery"
# What captions and names are like: long words, both directions, letters of all kinds.
CAPTIONS = [
    "Match point! Nobody thought that this ball would come back #spike #beach",
    "排球比赛的决定性一分,全场沸腾 🏐🔥 #排球 — der Ball war drin",
    "نقطة المباراة في الشوط الأخير #كرة_الطائرة مع الأصدقاء",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 3,
    None,
]


class Site(Ground):
    def __init__(self, bsc, folder, root, place):
        super().__init__(bsc, folder)
        self.root, self.pictures, self.clips = root, place / "pictures", place / "clips"
        self.problems, self.outside = [], []
        self.browser = self.playwright = None

    # The server

    @property
    def server(self):
        return self.keep("server", lambda: Server(self, "server"))

    @property
    def base(self):
        return self.server.base

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {self.owner_token}"} | (headers or {})
        if isinstance(body, dict):
            body, headers = json.dumps(body).encode(), headers | {"Content-Type": "application/json"}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        want(answer.status < 400, f"{method} {path.split('?')[0]}: {answer.status} {text[:200]}")
        return json.loads(text) if text[:1] in (b"{", b"[") else text

    @property
    def owner_token(self):
        return json.loads((self.data / "server.json").read_text())["ownerToken"]

    @property
    def data(self):
        return self.folder / "server/data/bsc/local"

    # Clips: of the project's own rally, small enough to be made on the way

    def clip(self, name, source, size, seconds):
        """Made once, and kept for the next time."""
        def make():
            path = self.clips / f"{name}.mp4"
            if path.exists():
                return path
            self.clips.mkdir(parents=True, exist_ok=True)
            done = subprocess.run(
                [program("ffmpeg", "ffmpeg"), "-v", "error", "-t", str(seconds), "-i", self.root / "Samples" / source,
                 "-vf", f"scale={size}", "-c:v", "libx264", "-preset", "ultrafast", "-g", "30", "-pix_fmt", "yuv420p",
                 "-c:a", "aac", "-movflags", "+faststart", "-f", "mp4", path.with_suffix(".part")], capture_output=True, text=True)
            want(done.returncode == 0, f"ffmpeg makes no clip: {done.stderr}")
            path.with_suffix(".part").replace(path)
            return path
        return self.keep(f"clip {name}", make)

    @property
    def wide(self):
        return self.clip("wide", "rally-4k.mp4", "1280:720", 6)

    @property
    def tall(self):
        return self.clip("tall", "rally-portrait.mp4", "540:960", 4.5)

    def share(self, *clips, **fields):
        """A highlight of these clips; gives its id."""
        draft = {"highlight_id": str(uuid.uuid4()), "caption": None, "tags": [], "privacy_level": "public",
                 "hide_likes": False, "local_video_id": str(uuid.uuid4()), "local_rally_index": 3, "duration": 6.0,
                 "confidence": 0.9, "quality": 0.8, "detection_count": 42} | fields
        tickets = []
        for part, clip in enumerate(clips):
            body = draft | ({"part": part, "part_count": len(clips)} if len(clips) > 1 else {})
            ticket = self.ask("POST", "/uploads", body, {"Idempotency-Key": str(uuid.uuid4())})
            self.ask("PUT", ticket["url"], clip.read_bytes())
            tickets.append(ticket["id"])
        wait_for(lambda: all(self.ask("GET", f"/uploads/{one}")["status"] == "ready" for one in tickets),
                 "the upload is not ready")
        return draft["highlight_id"]

    @property
    def ids(self):
        """Of the highlights, newest first: the last one is of three clips."""
        def make():
            made = [self.share(self.wide if place % 2 == 0 else self.tall, caption=caption, tags=["spike"])
                    for place, caption in enumerate(CAPTIONS + CAPTIONS[:3])]
            made.append(self.share(self.wide, self.tall, self.wide, caption="Three in a row #series", tags=["series"]))
            return made[::-1]
        return self.keep("ids", make)

    @property
    def talk(self):
        """The id of a highlight that people talk about."""
        def make():
            for text in "Was für ein Ballwechsel!", "最后一球太精彩了 🏐🔥", "كانت مباراة رائعة", "W" + "o" * 120 + "w":
                self.ask("POST", "/rest/v1/comments", {"highlight_id": self.ids[3], "author_id": LOCAL_USER, "text": text})
            return self.ids[3]
        return self.keep("talk", make)

    @property
    def ann(self):
        """The address of somebody with an account."""
        def make():
            email = "ann@example.org"
            self.ask("POST", "/auth/v1/signup", {"email": email, "password": PASSWORD,
                                                 "data": {"full_name": "Ann 排球 Möller"}})
            return email
        return self.keep("ann", make)

    # The browser

    def chromium(self):
        if self.browser is None:
            flags = ["--disable-background-networking", "--no-proxy-server"]
            # A container's root has no sandbox of its own to give.
            if os.geteuid() == 0:
                flags.append("--no-sandbox")
            self.playwright = sync_playwright().start()
            self.browser = self.playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        return self.browser

    @contextlib.contextmanager
    def page(self, path="/", width=1280, height=800, entered=False, opens=True, **options):
        """A page in a browser of its own; `entered`: the owner's."""
        if entered:
            options["storage_state"] = self.keep("owner", self.enter)
        context = self.chromium().new_context(viewport={"width": width, "height": height}, **options)
        try:
            context.set_default_timeout(PATIENCE * 1000)
            page = context.new_page()
            page.requested = []
            page.expected = ()
            page.on("request", lambda request: self.note(page, request))
            page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
            page.on("console", lambda line: self.hear(page, line))
            if opens:
                page.goto(self.base + path)
            yield page
        finally:
            context.close()

    def enter(self):
        """Cookies of a browser that the address of --open was opened in."""
        with self.page(opens=False) as page:
            page.goto(self.entrance("/"))
            page.wait_for_selector("#menu")
            want(page.url == f"{self.base}/" or page.url.startswith(f"{self.base}/#"), f"it leads to {page.url}")
            return page.context.storage_state()

    def note(self, page, request):
        page.requested.append(request.url)
        if urlsplit(request.url).netloc not in ("", f"127.0.0.1:{self.server.port}"):
            self.outside.append(request.url)

    def hear(self, page, line):
        # A warning of a policy is one, too.
        if line.type == "error" or "Content Security Policy" in line.text:
            if not any(word in line.text for word in page.expected):
                self.problems.append(f"console: {line.text}")

    def entrance(self, path):
        """The address that `bsc serve --open` opens; there is no browser of the system here."""
        done = subprocess.run([self.bsc, "serve", "--open", "--json"], env=self.server.home | {"PATH": "/nowhere"},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        want(done.returncode == 0, f"serve --open: {done.stderr}")
        return json.loads(done.stdout)["entranceURL"]

    def want_clean(self):
        problems, outside = self.problems, self.outside
        self.forget()
        want(not outside, f"it asked other servers: {outside[:3]}")
        want(not problems, f"the console says: {problems[:3]}")

    def forget(self):
        self.problems, self.outside = [], []

    def close(self):
        if self.browser is not None:
            self.browser.close()
            self.playwright.stop()
        # What is kept holds no processes but the server, which the ground ends.
        super().close()


def until(page, expression, what, seconds=PATIENCE):
    """Waits until an expression of the page is true."""
    end = time.monotonic() + seconds
    while not (value := page.evaluate(expression)):
        want(time.monotonic() < end, f"{what}: not within {seconds} s")
        page.wait_for_timeout(50)
    return value
