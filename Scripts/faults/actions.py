"""Likes, comments and follows with `bsc social`, while connections, clients and servers break.

Actions that can't be sent wait in the queue. At the end, `bsc resume` sends them: no comment is missing or doubled, likes and
follows are as the last action left them, and counters agree with their rows. A killed client may have done its action or not.
"""

import asyncio
import contextlib
import dataclasses
import http.client
import json
import random
import signal
import threading
import uuid

from faults import ending
from faults.proxy import Fault
from faults.shares import CALM_RUNS, Round
from harness import OVERDUE, SIGNAL_ENDS, Failure, Home, expect, wait_for

ACTIONS = 10
# Seconds that an action takes.
SECONDS = 0.6
# Requests and answers are short.
LARGEST = 2000
COUNTERS = """SELECT h.id FROM highlights AS h WHERE
  h.likes_count <> (SELECT count(*) FROM likes AS l WHERE l.highlight_id = h.id) OR
  h.comments_count <> (SELECT count(*) FROM comments AS c WHERE c.highlight_id = h.id)"""


class Actions:
    """A round has ten actions."""

    rounds, long_rounds, jobs = 2, 100, 2
    seconds = SECONDS

    def __init__(self, folder, bsc, library):
        self.bsc, self.library, self.loop = bsc, library, asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def play(self, seed, folder, notes):
        with Home(folder, self.bsc) as home:
            Play(self, home, random.Random(seed), notes).play()


class Play(Round):
    def play(self):
        # Per like, follow and comment: what may be stored.
        self.states, self.comments = {}, {}
        with contextlib.ExitStack() as stack:
            stack.callback(self.server.stop)
            self.fill()
            if self.is_proxied:
                stack.enter_context(self.proxied())
                faults = [Fault.draw(self.rng) for _ in range(self.rng.randrange(3, 12))]
                # A stalled request of a killed client would arrive after the next action.
                self.proxy.faults = [dataclasses.replace(
                    fault, kind="reset" if fault.kind == "stall" else fault.kind, after=fault.after % LARGEST)
                    for fault in faults]
            with contextlib.ExitStack() as timers:
                for _ in range(self.rng.choice([0, 1, 2])):
                    timer = threading.Timer(self.rng.uniform(0, ACTIONS * SECONDS), self.server.kill)
                    timers.callback(timer.cancel)
                    timer.start()
                for number in range(ACTIONS):
                    self.act(number)
            self.send_waiting()
        self.check()

    def ask(self, path, body, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.info["port"], timeout=OVERDUE)
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"} | headers)
        answer = connection.getresponse()
        data = answer.read()
        expect(answer.status < 300, f"{path}: {answer.status} {data[:200]}")
        return json.loads(data or "null")

    def fill(self):
        """An account with two highlights."""
        self.person = self.ask("/auth/v1/signup", {"email": "ann@example.org", "password": "a password"})["user"]["id"]
        self.ids = [str(uuid.UUID(int=self.rng.getrandbits(128), version=4)) for _ in range(2)]
        key = json.loads((self.server.data / "keys.json").read_text())["secret_key"]
        self.ask("/rest/v1/highlights", [
            {"id": each, "author_id": self.person, "mux_playback_id": "x", "privacy_level": "public", "is_ready": True,
             "rally_metadata": {"duration": 9, "confidence": 1, "quality": 1, "detection_count": 1}} for each in self.ids],
            apikey=key, Prefer="return=minimal")

    def act(self, number):
        """One action; some with a signal or a last call."""
        rng, highlight = self.rng, self.rng.choice(self.ids)
        kind = rng.choice(["comment", "like", "unlike", "like", "unlike", "follow", "unfollow"])
        if kind == "comment":
            command, text = ["comment", "add", highlight], f"Comment {number} 🏐"
            command.append(text)
        else:
            command = [kind, self.person if "follow" in kind else highlight]
        number = rng.choice([None] * 4 + [signal.SIGKILL] * 5 + [signal.SIGTERM])
        environment = {}
        if rng.random() < 0.2:
            environment = {"LD_PRELOAD": self.shares.library, "KILL_AT": str(int(20 ** rng.random()))}
        self.client = client = self.home.start("social", *command, "--json", **environment)
        if number and not client.has_ended(rng.uniform(0, 1.2) * SECONDS):
            client.send(number)
        client.has_ended(OVERDUE)
        # Without a proxy, a client may serve, and end with the server.
        ends = [SIGNAL_ENDS[sent] for sent in client.signals] + [{-signal.SIGKILL}] * (
            bool(environment) or not self.is_proxied)
        client.wait({0}.union(*ends))
        self.notes.append(f"{kind} {client.code}")
        is_done = client.code == 0
        if kind == "comment":
            self.comments[text] = {1} if is_done else {0, 1}
        else:
            state = not kind.startswith("un")
            key = kind.removeprefix("un"), command[1]
            self.states[key] = {state} if is_done else self.states.get(key, {False}) | {state}

    def send_waiting(self):
        if self.proxy:
            self.proxy.faults.clear()
            wait_for("the server", lambda: self.server.is_up and self.proxy.listener.is_serving())
        for _ in range(CALM_RUNS):
            run = self.home.run("resume", "--json")
            if not any(record.get("waiting") for record in run.records()):
                return
        raise Failure(f"{CALM_RUNS} undisturbed runs of resume didn't send all actions")

    def check(self):
        database = self.server.data / "backend.sqlite"
        stored = [text for text, in ending.rows(database, "SELECT text FROM comments")]
        for text, counts in self.comments.items():
            expect(stored.count(text) in counts, f"{text} exists {stored.count(text)} times, not {counts}")
        expect(set(stored) <= set(self.comments), f"other comments: {stored}")
        rows = {("like", each) for each, in ending.rows(database, "SELECT highlight_id FROM likes")}
        rows |= {("follow", each) for each, in ending.rows(database, "SELECT following_id FROM follows")}
        for key, states in self.states.items():
            expect((key in rows) in states, f"{key} is {key in rows}, not {states}")
        expect(not ending.rows(database, COUNTERS), "a counter is wrong")
