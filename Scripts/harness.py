"""Starts bsc and servers for other scripts, in separate homes and without the user's settings. A module to import.

    with Home(folder, program()) as home, home.serve() as server:
        print(server.url, home.run("highlights", "list", "--json").records())
"""

import contextlib
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "Samples/rally-portrait.mp4"
# Longer than anything takes on a loaded machine: it only ends what hangs.
OVERDUE = 300
# Exit codes by signal. A process that has no handler yet ends with the negative number.
SIGNAL_ENDS = {number: {-number, 128 + number} for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)}


class Failure(Exception):
    """The test has failed."""


def expect(condition, text):
    if not condition:
        raise Failure(text)


def wait_for(what, condition, seconds=OVERDUE, pause=0.02):
    """Returns the first result of `condition` that is true."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        expect(time.monotonic() < deadline, f"{what}: not within {seconds} s")
        time.sleep(pause)
    return result


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def json_lines(data):
    """The objects in JSON Lines. A killed process may leave half a line."""
    found = []
    for line in data.splitlines():
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def program(path=None):
    """The absolute path of bsc: this one, or the one that is built here."""
    found = Path(path or ROOT / ".build/debug/bsc").resolve()
    return str(found) if found.exists() else sys.exit(f"{found} does not exist; run swift build, or pass --bsc")


def run(*command, **options):
    """The output of a program that has to succeed."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, **options)
    expect(done.returncode == 0, f"{command[0]} ended with {done.returncode}: {os.fsdecode(done.stderr)[-600:]}")
    return done.stdout


class Program:
    """A running bsc that writes its output to files."""

    url = None

    def __init__(self, command, environment, folder, log):
        self.output, self.stderr, self.signals = Path(f"{log}.out"), Path(f"{log}.err"), set()
        with self.output.open("wb") as output, self.stderr.open("wb") as errors:
            self.process = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                                            stdout=output, stderr=errors)

    @property
    def code(self):
        return self.process.poll()

    @property
    def errors(self):
        return self.stderr.read_text(errors="replace").strip()

    def records(self, path=None):
        """The JSON objects in its output."""
        return json_lines((path or self.output).read_bytes())

    def send(self, number):
        if self.code is None:
            self.signals.add(number)
            self.process.send_signal(number)

    def has_ended(self, seconds):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.code is not None

    def wait(self, codes):
        """Waits for one of these exit codes."""
        if not self.has_ended(OVERDUE):
            self.process.kill()
            raise Failure(f"{self.output.stem} was still running after {OVERDUE} s: {self.errors[-300:]}")
        expect(self.code in codes, f"{self.output.stem} ended with {self.code}: {self.errors[-600:]}")

    def stop(self):
        self.send(signal.SIGTERM)
        self.wait(SIGNAL_ENDS[signal.SIGTERM] | {0})


class Home:
    """A folder with separate state, data and settings, in which bsc runs. Its end is the end of every process."""

    def __init__(self, folder, bsc, **environment):
        self.folder, self.bsc, self.programs = Path(folder), bsc, []
        self.state, self.data, self.logs = (self.folder / name for name in ("state/bsc", "data/bsc/local", "logs"))
        self.logs.mkdir(parents=True)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("BSC_", "XDG_"))} | {
            f"XDG_{name.upper()}_HOME": str(self.folder / name) for name in ("config", "state", "cache", "data")} | {
            "HOME": str(folder), "BSC_LOCAL_PORT": str(free_port())} | environment

    def add_clip(self, name="clip.mp4", padding=0):
        """A sample with its metadata; `padding` boxes that players skip give it other bytes."""
        (clip := self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        clip.write_bytes(SAMPLE.read_bytes() + b"\0\0\0\x08free" * padding)
        shutil.copy(SAMPLE.with_suffix(".json"), clip.with_suffix(".json"))
        return clip

    def start(self, *arguments, **environment):
        command, log = [self.bsc, *map(str, arguments)], self.logs / f"{len(self.programs) + 1}-{arguments[0]}"
        self.programs.append(Program(command, self.environment | environment, self.folder, log))
        return self.programs[-1]

    def run(self, *arguments, codes=(0,), **environment):
        """Runs bsc to its end."""
        started = self.start(*arguments, **environment)
        started.wait(codes)
        return started

    def start_server(self, *arguments, **environment):
        """`bsc serve`. Its `url` is None if it ended instead of serving."""
        server = self.start("serve", "--json", *arguments, **environment)
        wait_for("the server", lambda: server.code is not None or server.output.read_bytes().endswith(b"\n"))
        server.url = next((record["baseURL"] for record in server.records() if "baseURL" in record), None)
        return server

    @contextlib.contextmanager
    def serve(self, *arguments, **environment):
        server = self.start_server(*arguments, **environment)
        expect(server.url, f"the server didn't start: {server.errors}")
        yield server
        server.stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for started in self.programs:
            started.process.kill()
            started.process.wait()
