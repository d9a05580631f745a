"""A server with clips, accounts and comments, and a Chromium that records errors and requests to other servers."""

import contextlib
import os
import shutil
import time
import uuid
from datetime import datetime, timedelta, timezone
from urllib.parse import urlsplit

from backend import PASSWORD, PATIENCE, ROOT, Account, Place, ffmpeg, want
from playwright.sync_api import sync_playwright
from stories.platforms import Platforms

KEPT = ROOT / ".build/browser-test"
# The host of links to highlights, which the checks don't open.
PUBLIC_BASE = "https://highlights.example.org"
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
        self.platforms = Platforms(x={}, instagram={})

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
        """A highlight with a poll and comments."""
        def make():
            question = {"highlight_id": self.ids[3], "question": "In or out? " * 9 + "W" + "o" * 120 + "w"}
            poll = self.owner.insert("polls", question)["id"]
            for number, text in enumerate(("In", "O" + "u" * 90 + "t")):
                self.owner.insert("poll_options", {"poll_id": poll, "text": text, "sort_order": number})
            for text in "Was für ein Ballwechsel!", "最后一球太精彩了 🏐🔥", "كانت مباراة رائعة", "W" + "o" * 120 + "w":
                self.owner.insert("comments", {"highlight_id": self.ids[3], "author_id": self.owner.id, "text": text})
            return self.ids[3]
        return self.keep("talk", make)

    @property
    def ann(self):
        return self.keep("ann", lambda: Account(self.server, "ann", {"full_name": "Ann 排球 Möller"}))

    @property
    def own(self):
        """A highlight of Ann."""
        return self.keep("own", lambda: self.ann.upload(self.tall.read_bytes(), caption="My own #spike")["id"])

    def fresh(self, *flags, **options):
        environment = {"BSC_SHARE_BASE_URL": PUBLIC_BASE} | self.platforms.settings | options.pop("environment", {})
        return super().fresh(*flags, environment=environment, **options)

    @property
    def family(self):
        """A family of the owner, who is the athlete, and Ann, who is a parent, with one of everything."""
        return self.keep("family", lambda: Family(self))

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
        self.platforms.close()


class Family:
    """The rows of a family, as the API inserts them. Texts are long, hostile, and in several scripts."""

    def __init__(self, site):
        self.owner, self.ann = site.owner, site.ann
        self.id = self.call(self.ann, "create_family", name="Möller & Söhne", role="parent")
        code = self.call(self.ann, "create_family_invite", family=self.id, role="athlete")[0]["code"]
        self.call(self.owner, "accept_family_invite", code=code)
        self.call(self.ann, "create_family_invite", family=self.id, role="parent")
        self.school = self.insert("schools", name="University of Donaudampfschifffahrt " * 4, twitter_handle="school")
        self.coach = self.insert("coaches", first_name="محمد", last_name="Garcia-Lopez", role="head_coach",
                                 school_id=self.school, twitter_handle="coach", instagram_handle="coach.official")
        self.insert("coaches", first_name="Lee", last_name="W" + "o" * 80 + "w")
        self.interaction = self.insert("interactions", type="in_person_visit", direction="outbound", coach_id=self.coach,
                                       subject="Besuch <b>am Campus</b> " * 8, content="Zeile\n" * 40,
                                       school_id=self.school, sentiment="very_positive", occurred_at=ago(2))
        for number, kind in enumerate(("email", "phone_call", "text", "virtual_meeting", "camp", "showcase", "tweet",
                                       "dm")):
            self.insert("interactions", type=kind, direction="inbound", subject=None, occurred_at=ago(number * 9))
        moods = "very_positive", "positive", "neutral", "negative", None
        texts = "Come to our camp! 🏐", "A " + "long " * 90 + "post", "<script>alert(1)</script>", "排球训练营 " * 30, "x" * 300
        self.call(self.owner, "ingest_posts", family=self.id, posts=[self.post(
            number, texts[number % 5], moods[number % 5], ago(number * number / 40)) for number in range(60)])
        key = uuid.uuid4().hex
        self.link = f"/s/{key}"
        self.call(self.owner, "send_highlight", id=str(uuid.uuid4()), token=key, family=self.id, highlight=site.ids[0],
                  coach=self.coach, channel="email", message="A link")

    def insert(self, table, **values):
        return self.owner.insert(table, {"family_unit_id": self.id} | values)["id"]

    @staticmethod
    def call(account, function, **arguments):
        answer = account.ask("POST", f"/rest/v1/rpc/{function}", arguments)
        want(answer.status_code in (200, 204), f"{function}: {answer.status_code} {answer.text[:300]}")
        return answer.json()

    @staticmethod
    def post(number, text, mood, date):
        is_tweet = number % 3 > 0
        return {"platform": "twitter" if is_tweet else "instagram", "post_content": f"{text} {number}",
                "post_url": f"https://x.com/coach/status/{number}" if is_tweet else f"https://instagram.com/p/P{number}",
                "post_date": date, "author_handle": "coach" if is_tweet else "coach.official",
                "author_name": "Coach محمد Garcia", "is_recruiting_related": number % 4 == 0, "sentiment": mood}


def ago(days):
    return (datetime.now(timezone.utc) - timedelta(days=days)).isoformat()


def until(page, expression, what, seconds=PATIENCE):
    """Waits until an expression of the page is true, and returns its value."""
    end = time.monotonic() + seconds
    while not (value := page.evaluate(expression)):
        want(time.monotonic() < end, f"{what}: not within {seconds} s")
        page.wait_for_timeout(50)
    return value
