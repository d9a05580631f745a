"""`bsc serve` with 100,000 highlights: how long until it answers, how long a page takes, how much memory."""

import contextlib
import datetime
import http.client
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import uuid
from pathlib import Path

from benchmarks.clips import MADE
from benchmarks.common import machine, measure_parts
from benchmarks.validate import missed, table

AUTHORS, BATCH = 40, 200
START_WANTED, FEED_WANTED = 0.2, 0.01
WORDS = "ace spike dig block set serve rally libero cross line tip roll dive net sand indoor final derby friday".split()
PASSWORD = "a password of the benchmark"
# The author, and the poll with its options, as the app asks for them.
WHOLE = "select=*,author:profiles(*),poll:polls(*,options:poll_options(*))"


class Server:
    """`bsc serve` on a folder of the benchmark's, and one connection to it."""

    def __init__(self, bsc, folder):
        self.bsc, self.folder = bsc.absolute(), Path(folder)
        self.data = self.folder / "data/bsc/local"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = self.connection = None
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("BSC_", "XDG_"))}
        self.environment = clean | {"HOME": str(folder)} | {
            f"XDG_{kind}_HOME": str(self.folder / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE", "DATA")}

    def start(self):
        """Seconds until `/health` answers 200."""
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            [self.bsc, "serve", "--port", str(self.port), "--json"], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            with contextlib.suppress(OSError):
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
                if self.ask("GET", "/health")[0] == 200:
                    return time.perf_counter() - begin
            if self.process.poll() is not None or time.perf_counter() - begin > 60:
                sys.exit("bench: bsc serve does not start; is its port taken?")
            time.sleep(0.001)

    def stop(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait()

    def ask(self, method, path, body=None, headers=None):
        self.connection.request(method, path, body and json.dumps(body),
                                (headers or {}) | ({"Content-Type": "application/json"} if body else {}))
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def done(self, method, path, body=None, headers=None, statuses=(200, 201, 204)):
        status, answer = self.ask(method, path, body, headers)
        if status not in statuses:
            sys.exit(f"bench: {method} {path[:80]}: {status} {answer[:300].decode(errors='replace')}")
        return json.loads(answer) if answer else None

    def memory(self):
        """Resident bytes now and at most, and what of them is no file."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return {name: int(re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)[1]) * 1024
                for name in ("VmRSS", "VmHWM", "RssAnon")}


def highlight(number, author, when, chance):
    words = chance.sample(WORDS, 3)
    facts = {"duration": 3 + chance.random() * 50, "confidence": chance.random(), "quality": chance.random(),
             "detection_count": chance.randrange(500)}
    return {
        "id": str(uuid.UUID(int=chance.getrandbits(128), version=4)), "author_id": author,
        "mux_playback_id": f"playback{number}", "caption": f"Rally {number}: {' '.join(words)} #{words[0]}",
        "tags": words, "privacy_level": "private" if number % 19 == 7 else "public", "rally_metadata": facts,
        "location_name": "Halle Nord" if number % 9 == 0 else None, "local_rally_index": number % 40,
        "created_at": (when + datetime.timedelta(seconds=number * 40)).isoformat()}


def fill(server, count):
    """Accounts by the door that all take, rows with the service's key: so that their times differ, as real ones do."""
    chance = random.Random(100)
    key = {"apikey": json.loads((server.data / "keys.json").read_text())["secret_key"]}
    people = [server.done("POST", "/auth/v1/signup", {"email": f"p{number}@example.org", "password": PASSWORD})
              for number in range(AUTHORS)]
    ids = [person["user"]["id"] for person in people]
    quiet = key | {"Prefer": "return=minimal"}
    when = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=count * 40 + 3600)
    for start in range(0, count, BATCH):
        numbers = range(start, min(start + BATCH, count))
        rows = [highlight(number, ids[number % AUTHORS], when, chance) for number in numbers]
        server.done("POST", "/rest/v1/highlights", rows, quiet)
        # A poll for each fiftieth, and someone's like and comment for each tenth.
        polls = [{"id": str(uuid.UUID(int=chance.getrandbits(128), version=4)), "highlight_id": row["id"],
                  "question": "In or out?"} for row in rows[::50]]
        server.done("POST", "/rest/v1/polls", polls, quiet)
        server.done("POST", "/rest/v1/poll_options", [
            {"poll_id": poll["id"], "text": text, "sort_order": order} for poll in polls
            for order, text in enumerate(("In", "Out"))], quiet)
        server.done("POST", "/rest/v1/likes", [
            {"highlight_id": row["id"], "user_id": chance.choice(ids)} for row in rows[::10]], quiet)
        server.done("POST", "/rest/v1/comments", [
            {"highlight_id": row["id"], "author_id": chance.choice(ids), "text": "Nice"} for row in rows[::10]], quiet)
        if sys.stderr.isatty():
            print(f"\r{start + len(rows):,} of {count:,} highlights", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    server.done("POST", "/rest/v1/follows", [
        {"follower_id": ids[0], "following_id": other} for other in ids[1:]], quiet)
    return people[0]["access_token"], ids


@contextlib.contextmanager
def filled(arguments):
    """The server with all that, started again: what is measured found it on the disk."""
    MADE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=MADE) as folder:
        server = Server(arguments.bsc, folder)
        server.start()
        try:
            begin = time.perf_counter()
            server.token, server.ids = fill(server, arguments.rows)
            server.filled_seconds = time.perf_counter() - begin
            server.stop()
            server.start()
            yield server
        finally:
            server.stop()


def spread(seconds):
    """The least, the median and the 95th of 100, in ms."""
    ordered = sorted(seconds)
    return ordered[0] * 1e3, statistics.median(ordered) * 1e3, ordered[int(len(ordered) * 0.95)] * 1e3


# --- The start


def compare_start(arguments):
    server, starts, memory = arguments.server, [], []
    for _ in range(max(5, arguments.runs // 10)):
        server.stop()
        starts.append(server.start())
        memory.append(server.memory())
    return {"rows": arguments.rows, "database_bytes": (server.data / "backend.sqlite").stat().st_size,
            "fill_seconds": server.filled_seconds, "seconds": starts, "memory": memory}


def show_start(found):
    least, median, most = spread(found["seconds"])
    print(f"\n{found['rows']:,} highlights ({found['database_bytes'] / 1e6:.0f} MB, written in"
          f" {found['fill_seconds']:.0f} s through the API); {len(found['seconds'])} starts")
    memory = [statistics.median(each[name] for each in found["memory"]) / 1e6 for name in ("VmRSS", "RssAnon")]
    table(("until /health answers", "min ms", "median ms", "p95 ms", "resident MB", "anonymous MB", "wanted"),
          ("start", f"{least:.0f}", f"{median:.0f}", f"{most:.0f}", f"{memory[0]:.1f}", f"{memory[1]:.1f}",
           f"< {START_WANTED * 1e3:.0f} ms"))
    if median > START_WANTED * 1e3:
        missed(f"{median:.0f} ms until it answers, wanted {START_WANTED * 1e3:.0f}")


# --- Pages


def pages(server, count):
    """Name, who asks, path, how many rows the page must have; one path per run, so that no answer is the last one's."""
    anyone, me = {}, {"Authorization": f"Bearer {server.token}"}
    newest = f"/rest/v1/highlights?{WHOLE}&order=created_at.desc"
    search = "(caption.ilike.%25{0}%25,tags.cs.%7B{0}%7D,location_name.ilike.%25{0}%25)"
    others = urllib.parse.quote(",".join(server.ids[1:]), safe=",")
    return [
        ("feed", me, lambda run: f"{newest}&limit=20", 20),
        ("feed, not signed in", anyone, lambda run: f"{newest}&limit=20", 20),
        ("feed, page by page", me, lambda run: f"{newest}&limit=20&offset={run % 50 * 20}", 20),
        ("following", me, lambda run: f"{newest}&author_id=in.({others})&limit=20", 20),
        ("profile grid", me, lambda run: f"{newest}&author_id=eq.{server.ids[run % AUTHORS]}&limit=20", 20),
        ("search, common word", me, lambda run: f"{newest}&or={search.format(WORDS[run % len(WORDS)])}&limit=20", 20),
        ("search, found nowhere", me, lambda run: f"{newest}&or={search.format(f'nothing{run}')}&limit=20", 0),
        ("half of all skipped", me, lambda run: f"{newest}&limit=20&offset={count // 2 + run}", 20),
        ("rpc/feed", me, lambda run: f"/rest/v1/rpc/feed?{WHOLE}&order=created_at.desc&limit=20", 20),
        ("rpc/highlights_with_tag", me,
         lambda run: f"/rest/v1/rpc/highlights_with_tag?tag={WORDS[run % len(WORDS)]}", 20),
        ("rpc/discover_highlights", me, lambda run: "/rest/v1/rpc/discover_highlights", 20),
    ]


def compare_pages(arguments):
    server, found = arguments.server, []
    for name, headers, path, rows in pages(server, arguments.rows):
        seconds, length = [], 0
        for run in range(arguments.runs + 3):
            begin = time.perf_counter()
            status, body = server.ask("GET", path(run), headers=headers)
            seconds.append(time.perf_counter() - begin)
            length = len(body)
            if status != 200 or len(json.loads(body)) != rows:
                sys.exit(f"bench: {name}: {status}, {body[:300].decode(errors='replace')}")
        # The first ones warm up: pages of the file, statements that are prepared.
        found.append({"name": name, "seconds": seconds[3:], "bytes": length, "first_seconds": seconds[0]})
    return {"rows": arguments.rows, "pages": found, "memory": server.memory()}


def show_pages(found):
    runs = len(found["pages"][0]["seconds"])
    print(f"\nPages of 20 among {found['rows']:,} highlights, {runs} requests each on one connection")
    rows = [("page", "kB", "first ms", "min ms", "median ms", "p95 ms", "wanted")]
    for page in found["pages"]:
        figures = spread(page["seconds"])
        is_feed = page["name"] == "feed"
        rows.append((page["name"], f"{page['bytes'] / 1e3:.1f}", f"{page['first_seconds'] * 1e3:.1f}",
                     *(f"{figure:.2f}" for figure in figures), f"< {FEED_WANTED * 1e3:.0f} ms" if is_feed else ""))
        if is_feed and figures[1] > FEED_WANTED * 1e3:
            missed(f"{figures[1]:.1f} ms for a page of the feed, wanted {FEED_WANTED * 1e3:.0f}")
    table(*rows)
    memory = found["memory"]
    print(f"Afterwards the server has {memory['VmRSS'] / 1e6:.1f} MB, {memory['RssAnon'] / 1e6:.1f} of them its own;"
          f" at most it had {memory['VmHWM'] / 1e6:.1f}")


PARTS = {"start": (compare_start, show_start), "pages": (compare_pages, show_pages)}


def serve(arguments):
    """`bsc serve` with many highlights: until it answers, pages of feed, search and profile, memory."""
    described = machine(bsc=[str(arguments.bsc.absolute()), "--version"])
    with filled(arguments) as arguments.server:
        measure_parts(PARTS, described, arguments)
