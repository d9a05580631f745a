"""`bsc serve` with 100,000 highlights and a family's 10,000 posts: time until it responds, time per request, and memory.

`pages` measures its web pages with 10,000 highlights and 500,000 likes.
"""

import contextlib
import datetime
import http.client
import json
import random
import re
import socket
import statistics
import subprocess
import sys
import time
import urllib.parse
import uuid
from pathlib import Path

AUTHORS, BATCH, POSTS = 40, 200, 10_000
# Of each highlight, for the pages.
LIKES, LIKERS = 50, 60
WORDS = "ace spike dig block set serve rally libero cross line tip roll dive net sand indoor final derby friday".split()
# Milliseconds.
PAGE_GOAL = 100
GOALS = {"feed": 10, "rpc/social_analytics": 50, "rpc/social_analytics, year": 50}
# The author, and the poll with its options, as the app requests them.
WHOLE = "select=*,author:profiles(*),poll:polls(*,options:poll_options(*))"


class Server:
    """`bsc serve` with a home in the benchmark's folder, and a connection."""

    def __init__(self, bench):
        self.bench, self.environment = bench, bench.environment("server")
        self.data = Path(self.environment["XDG_DATA_HOME"]) / "bsc/local"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def start(self):
        """Returns the seconds until `/health` answers 200."""
        begin = time.perf_counter()
        # Signing up 40 people would take most of the time; it is not measured.
        command = [self.bench.bsc, "serve", "--port", str(self.port), "--json", "--password-rounds", "64"]
        self.process = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.process.poll() is None and time.perf_counter() - begin < 60:
            with contextlib.suppress(OSError):
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
                self.request("GET", "/health")
                return time.perf_counter() - begin
            time.sleep(0.001)
        sys.exit("bench: bsc serve does not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def request(self, method, path, body=None, headers=None):
        headers = {"Content-Type": "application/json"} | (headers or {})
        self.connection.request(method, path, body and json.dumps(body), headers)
        response = self.connection.getresponse()
        answer = response.read()
        if response.status not in (200, 201, 204):
            sys.exit(f"bench: {method} {path[:80]}: {response.status} {answer[:300].decode(errors='replace')}")
        return answer

    def memory(self):
        """Resident and anonymous MB."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return [int(re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)[1]) / 1e3 for name in ("VmRSS", "RssAnon")]


def fill(server, count, authors=AUTHORS, likes=0):
    """Accounts through sign-up; rows with the service key, which may set their times. Returns a token, accounts, and a family.

    Each highlight gets `likes` likes; with 0, every tenth gets one.
    """
    chance = random.Random(100)
    people = [json.loads(server.request("POST", "/auth/v1/signup", {
        "email": f"p{number}@example.org", "password": "a password of the benchmark"})) for number in range(authors)]
    ids = [person["user"]["id"] for person in people]
    key = json.loads((server.data / "keys.json").read_text())["secret_key"]

    def insert(table, rows):
        server.request("POST", f"/rest/v1/{table}", rows, {"apikey": key, "Prefer": "return=minimal"})

    def identifier():
        return str(uuid.UUID(int=chance.getrandbits(128), version=4))

    start = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=count * 40 + 3600)
    for first in range(0, count, BATCH):
        rows = []
        for number in range(first, min(first + BATCH, count)):
            words = chance.sample(WORDS, 3)
            rows.append({
                "id": identifier(), "author_id": ids[number % authors], "mux_playback_id": f"playback{number}",
                "caption": f"Rally {number}: {' '.join(words)} #{words[0]}", "tags": words,
                "privacy_level": "private" if number % 19 == 7 else "public",
                "rally_metadata": {"duration": 3 + chance.random() * 50, "confidence": chance.random(),
                                   "quality": chance.random(), "detection_count": chance.randrange(500)},
                "location_name": "Halle Nord" if number % 9 == 0 else None, "local_rally_index": number % 40,
                "created_at": (start + datetime.timedelta(seconds=number * 40)).isoformat()})
        insert("highlights", rows)
        polls = [{"id": identifier(), "highlight_id": row["id"], "question": "In or out?"} for row in rows[::50]]
        insert("polls", polls)
        insert("poll_options", [{"poll_id": poll["id"], "text": text, "sort_order": order} for poll in polls
                                for order, text in enumerate(("In", "Out"))])
        for row in rows if likes else rows[::10]:
            insert("likes", [{"highlight_id": row["id"], "user_id": each} for each in chance.sample(ids, likes or 1)])
        insert("comments", [{"highlight_id": row["id"], "author_id": chance.choice(ids), "text": "Nice"}
                            for row in rows[::10]])
    insert("follows", [{"follower_id": ids[0], "following_id": other} for other in ids[1:]])

    family = identifier()
    insert("family_units", [{"id": family, "name": "Silva"}])
    insert("family_members", [{"family_unit_id": family, "user_id": ids[0], "role": "athlete"}])
    schools = [{"id": identifier(), "family_unit_id": family, "name": f"School {number}"} for number in range(40)]
    insert("schools", schools)
    now = datetime.datetime.now(datetime.UTC)
    for first in range(0, POSTS, BATCH):
        insert("social_media_posts", [{
            "id": identifier(), "family_unit_id": family, "school_id": chance.choice(schools)["id"], "platform": "twitter",
            "post_url": f"https://twitter.com/coach/status/{number}", "post_content": "Proud of this group. " * 5,
            "post_date": (now - datetime.timedelta(minutes=chance.randrange(50, 120 * 1440))).isoformat(),
            "author_handle": "coach", "author_name": "Coach", "is_recruiting_related": number % 4 == 0,
            "sentiment": chance.choice(("very_positive", "positive", "neutral", "negative", None))}
            for number in range(first, first + BATCH)])
    return people[0]["access_token"], ids, family


def requests(ids, family, count):
    """(name, whether it is signed in, path by number of the request, expected rows); paths differ between requests."""
    newest, search = f"/rest/v1/highlights?{WHOLE}&order=created_at.desc&limit=20", "&or=(caption.ilike.%25{0}%25,"
    search += "tags.cs.%7B{0}%7D,location_name.ilike.%25{0}%25)"
    others = urllib.parse.quote(",".join(ids[1:]), safe=",")
    return [
        ("feed", True, lambda run: newest, 20),
        ("feed, not signed in", False, lambda run: newest, 20),
        ("feed, page by page", True, lambda run: f"{newest}&offset={run % 50 * 20}", 20),
        ("feed, following", True, lambda run: f"{newest}&author_id=in.({others})", 20),
        ("profile grid", True, lambda run: f"{newest}&author_id=eq.{ids[run % AUTHORS]}", 20),
        ("search, a common word", True, lambda run: newest + search.format(WORDS[run % len(WORDS)]), 20),
        ("search, no result", True, lambda run: newest + search.format(f"nothing{run}"), 0),
        ("half of all skipped", True, lambda run: f"{newest}&offset={count // 2 + run}", 20),
        ("rpc/feed", True, lambda run: f"/rest/v1/rpc/feed?{WHOLE}&order=created_at.desc&limit=20", 20),
        ("rpc/highlights_with_tag", True,
         lambda run: f"/rest/v1/rpc/highlights_with_tag?tag={WORDS[run % len(WORDS)]}", 20),
        ("rpc/discover_highlights", True, lambda run: "/rest/v1/rpc/discover_highlights", 20),
        ("rpc/social_analytics", True, lambda run: f"/rest/v1/rpc/social_analytics?family={family}&days=90", 12),
        ("rpc/social_analytics, year", True, lambda run: f"/rest/v1/rpc/social_analytics?family={family}&days=366", 12),
    ]


def show(bench, name, seconds, goal=None, note=""):
    """Prints the minimum, the median and the 95th percentile in milliseconds."""
    ordered = [each * 1e3 for each in sorted(seconds)]
    median = statistics.median(ordered)
    print(f"{name:26}{ordered[0]:9.2f}{median:9.2f}{ordered[int(len(ordered) * 0.95)]:9.2f}  {note}", flush=True)
    bench.add(name, seconds=seconds)
    if goal:
        bench.limit(name, median, goal, "ms")


def measure(server, path, headers, count):
    """Seconds and answers. The first requests, which read pages of the file and prepare statements, don't count."""
    seconds, answers = [], []
    for run in range(count + 3):
        begin = time.perf_counter()
        answers.append(server.request("GET", path(run), headers=headers))
        seconds.append(time.perf_counter() - begin)
    return seconds[3:], answers


def serve(bench):
    count, server = bench.options.count or 100_000, Server(bench)
    server.start()
    try:
        token, ids, family = fill(server, count)
        server.stop()
        server.start()
        size = (server.data / "backend.sqlite").stat().st_size / 1e6
        print(f"{count:,} highlights, {size:.0f} MB\n{'':26}{'min ms':>9}{'median':>9}{'p95':>9}")
        starts = []
        for _ in range(max(5, bench.runs(200) // 10)):
            server.stop()
            starts.append(server.start())
        show(bench, "start", starts, 200, "until /health answers")
        for name, is_signed_in, path, rows in requests(ids, family, count):
            if not bench.wants(name):
                continue
            headers = {"Authorization": f"Bearer {token}"} if is_signed_in else {}
            seconds, answers = measure(server, path, headers, bench.runs(200))
            counts = {len(json.loads(answer)) for answer in answers}
            if counts != {rows}:
                sys.exit(f"bench: {name}: {counts} rows instead of {rows}")
            show(bench, name, seconds, GOALS.get(name))
        print("memory: {:.1f} MB, {:.1f} anonymous".format(*server.memory()))
    finally:
        server.stop()


def pages(bench):
    count, server = bench.options.count or 10_000, Server(bench)
    server.start()
    try:
        token, ids, _ = fill(server, count, LIKERS, LIKES)
        headers = {"Authorization": f"Bearer {token}"}
        shown, people = (json.loads(server.request("GET", f"/rest/v1/{query}", headers=headers)) for query in (
            "highlights?select=id&privacy_level=eq.public&limit=1000", "profiles?select=username"))
        names = [each["username"] for each in people]
        headers["Accept"] = "text/html"
        size = (server.data / "backend.sqlite").stat().st_size / 1e6
        print(f"{count:,} highlights, {count * LIKES:,} likes, {size:.0f} MB\n{'':26}{'min ms':>9}{'median':>9}{'p95':>9}")
        for name, path in [
                ("latest", lambda run: "/latest"), ("following", lambda run: "/following"),
                ("discover", lambda run: "/discover"), ("for you", lambda run: "/for-you"),
                ("highlight", lambda run: f"/h/{shown[run % len(shown)]['id']}"),
                ("profile", lambda run: f"/u/{names[run % len(names)]}"),
                ("highlights of a profile", lambda run: f"/u/{names[run % len(names)]}/highlights"),
                ("tag", lambda run: f"/tags/{WORDS[run % len(WORDS)]}"),
                ("search", lambda run: f"/search?q={WORDS[run % len(WORDS)]}"),
                ("search with a typo", lambda run: f"/search?q={WORDS[run % len(WORDS)]}x"),
                ("notifications", lambda run: "/notifications"), ("analytics", lambda run: "/analytics")]:
            if not bench.wants(name):
                continue
            show(bench, name, measure(server, path, headers, bench.runs(100))[0], PAGE_GOAL)
    finally:
        server.stop()
