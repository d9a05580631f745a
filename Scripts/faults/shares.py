"""Shares a clip while connections, clients and servers break, then runs `bsc resume` until no job is left.

In three of four rounds the client reaches the server only through a proxy. Otherwise they use the same data folder, and
a client that finds no server starts one. Both are killed at random moments, clients also at calls that change names.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import random
import signal
import socket
import threading
import time

from faults import ending
from faults.proxy import Fault, Proxy
from harness import OVERDUE, SIGNAL_ENDS, Failure, Home, Program, expect, wait_for

SHARE = ["share", "clip.mp4", "--caption", "Chaos #ace"]
FAULTY_RUNS, FAULTY_SECONDS, CALM_RUNS = 6, 20, 5
# Restarts the server after each kill. 7: a client serves the folder.
LOOP = """until [[ -e stop ]]; do "$0" serve --json; code=$?
[[ $code == 137 || $1 == beside && ($code == 0 || $code == 7) ]] || exit $code; sleep "$2"; done"""


class Shares:
    rounds, long_rounds, jobs = 2, 24, 2
    command = SHARE
    # Of all programs in a round.
    settings = {}

    def __init__(self, folder, bsc, library):
        self.bsc, self.library, self.loop = bsc, library, asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.digest, self.seconds = ending.undisturbed(folder, bsc, self.add_clip, self.command)

    def add_clip(self, home):
        home.add_clip()

    def check(self, home, clip):
        """Checks the stored clip."""

    def play(self, seed, folder, notes):
        rng = random.Random(seed)
        retry_seconds = str(rng.choice([0, 2, 5, 600, 600]))
        with Home(folder, self.bsc, BSC_UPLOAD_CHUNK_SIZE="256KiB", BSC_UPLOAD_RETRY_SECONDS=retry_seconds,
                  **self.settings) as home:
            self.add_clip(home)
            Round(self, home, rng, notes).play()


class Server:
    def __init__(self, home, is_proxied, pause):
        # Its folders are the client's unless there is a proxy between them.
        root = home.folder / "server" if is_proxied else home.folder
        own = {"XDG_DATA_HOME": str(root / "data"), "XDG_STATE_HOME": str(home.folder / "server/state")}
        self.data, self.stopped = root / "data/bsc/local", home.folder / "stop"
        command = ["bash", "-c", LOOP, home.bsc, "apart" if is_proxied else "beside", str(pause)]
        self.loop = Program(command, home.environment | own, home.folder, home.logs / "server")
        wait_for("the server", lambda: self.is_up)

    @property
    def info(self):
        with contextlib.suppress(OSError, ValueError):
            return json.loads((self.data / "server.json").read_text())
        return {"port": 1}

    @property
    def is_up(self):
        expect(self.loop.code is None, f"the server ended with {self.loop.code}: {self.loop.errors[-300:]}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.info["port"])):
            return True

    def kill(self, number=signal.SIGKILL):
        with contextlib.suppress(KeyError, ProcessLookupError):
            os.kill(self.info["pid"], number)

    def stop(self):
        self.stopped.touch()
        wait_for("the end of the server", lambda: self.loop.has_ended(1) or self.kill(signal.SIGTERM))
        self.loop.wait({0, 143})


class Round:
    def __init__(self, shares, home, rng, notes):
        self.shares, self.home, self.rng, self.notes = shares, home, rng, notes
        self.client, self.highlights, self.proxy = None, set(), None
        self.is_proxied = rng.random() < 0.75
        self.server = Server(home, self.is_proxied, rng.choice([0, rng.uniform(0, 1.5)]))

    def play(self):
        with contextlib.ExitStack() as stack:
            stack.callback(self.server.stop)
            if self.is_proxied:
                stack.enter_context(self.proxied())
            with contextlib.ExitStack() as timers:
                for _ in range(self.rng.choice([0, 0, 1, 2, 3])):
                    timer = threading.Timer(self.rng.uniform(0, 3) * self.shares.seconds, self.server.kill)
                    timers.callback(timer.cancel)
                    timer.start()
                self.disturbed()
            self.calm()
            clip = ending.check(self.home, self.server.data, self.highlights, self.shares.digest)
            self.shares.check(self.home, clip)
        ending.rows(self.home.state / "journal.sqlite", "SELECT 1")
        tokens = ending.rows(self.server.data / "backend.sqlite", "SELECT token FROM uploads")
        expect(tokens, "the server has no upload")
        expect(not (self.server.data / "server.json").exists(), "server.json is left over")
        self.expect_no_secrets([b"token=", *(token.encode() for token, in tokens)])

    @contextlib.contextmanager
    def proxied(self):
        """In the client's data folder the proxy looks like the running server."""
        kills = {"client": lambda: self.client.send(signal.SIGKILL), "server": self.server.kill}
        faults = [Fault.draw(self.rng) for _ in range(self.rng.randrange(1, 7))]
        self.proxy = Proxy(faults, lambda: self.server.info["port"], kills)
        asyncio.run_coroutine_threadsafe(self.proxy.open(), self.shares.loop).result(OVERDUE)
        self.home.data.mkdir(parents=True)
        with (self.home.data / "server.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            own = {"pid": os.getpid(), "port": self.proxy.port}
            (self.home.data / "server.json").write_text(json.dumps(self.server.info | own))
            yield
            self.notes += self.proxy.done
            self.shares.loop.call_soon_threadsafe(self.proxy.listener.close)

    def disturbed(self):
        """Runs share, then resume or share, until there is a highlight; some with a signal, some with a last call."""
        begin, command, rng = time.monotonic(), self.shares.command, self.rng
        kills = rng.randrange(3) if self.is_proxied else rng.randrange(1, 6)
        for index in range(FAULTY_RUNS):
            number = rng.choice([signal.SIGKILL] * 8 + [signal.SIGINT, signal.SIGTERM]) if index < kills else None
            had_job = self.run_client(command, number, rng.uniform(0, 1.2), LD_PRELOAD=self.shares.library,
                                      KILL_AT=str(int(80 ** rng.random())) if rng.random() < 0.3 else "0")
            if self.highlights or time.monotonic() - begin > FAULTY_SECONDS:
                return
            # Killed before there was a job, or as users do who don't know `resume`.
            command = ["resume"] if had_job and rng.random() < 0.7 else self.shares.command
            time.sleep(rng.uniform(0, 0.5))

    def calm(self):
        if self.proxy:
            self.proxy.faults.clear()
            wait_for("the server", lambda: self.server.is_up and self.proxy.listener.is_serving())
        for _ in range(CALM_RUNS):
            if not self.run_client(["resume"]):
                if self.highlights:
                    return
                self.run_client(self.shares.command)
        raise Failure(f"{CALM_RUNS} undisturbed runs of resume didn't finish")

    def run_client(self, command, number=None, after=0, **environment):
        """Runs share or resume; returns whether there was a job."""
        self.client = client = self.home.start(*command, "--json", "--progress", "plain", **environment)
        if number and not client.has_ended(after * self.shares.seconds):
            client.send(number)
        client.has_ended(OVERDUE)
        # 6: the server can't be reached, and the job is saved. Without a signal, it was the last call.
        ends = [SIGNAL_ENDS[sent] for sent in client.signals] + [{-signal.SIGKILL}] * bool(environment)
        client.wait({0, 6}.union(*ends))
        self.notes.append(f"{command[0]} {client.code}")
        expect(client.code != 6 or "\nnext: " in client.errors, f"no next step: {client.errors}")
        found = ending.highlights(client)
        is_share = command == self.shares.command
        expect(found or client.code or not is_share, f"{client.output.stem} ended with 0 and without a highlight")
        self.highlights |= found
        self.expect_no_secrets([b"token="])
        return client.code != 0 or bool(client.records())

    def expect_no_secrets(self, secrets):
        for path in self.home.folder.rglob("*"):
            # The backend's database needs the tokens, but no URL.
            wanted = secrets[:1] if path.name.startswith("backend.sqlite") else secrets
            if path.suffix != ".mp4" and path.parent.name != "secrets":
                with contextlib.suppress(OSError):
                    data = path.read_bytes()
                    expect(not any(secret in data for secret in wanted), f"{path.name} contains an upload URL or token")
