"""Fills small file systems while a clip is shared.

  journal, state, data  the disk is too small: for the journal, the clip, the local backend (-served: `bsc serve`)
  …-fill, …-kill        a file fills it during `bsc share`; then bsc is killed
  list                  the disk of an interrupted job is full, and `bsc jobs list` still works

The run ends with 74 (6: the server's disk; 0: the clip did fit) and reports a full disk. Databases are intact, no
incomplete file has its final name, and the journal contains every reported step. With space, one `bsc resume` finishes:
one highlight, the bytes of an undisturbed share, no leftover files.
"""

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from faults import ending
from harness import SAMPLE, SIGNAL_ENDS, Failure, Home, Skipped, digest, expect, run

KINDS = ["journal", "state", "state-fill", "state-kill", "data", "data-served", "data-fill", "data-kill", "both-fill",
         "list"]
PAGE = 4096
# The free space that `share` requires before it writes a clip, and enough for everything.
REQUIRED, ROOMY = SAMPLE.stat().st_size + (64 << 20), 96 << 20
STAGES = ["queued", "probed", "planned", "processed", "uploading", "uploaded", "registered"]
SHARE = ["share", "clip.mp4", "--limit-rate", "1MB", "--json", "--progress", "json"]


def run_in_namespace(script, scratch):
    """Runs a script with private mounts; returns its exit code."""
    unshare = ["unshare", "--mount", "--propagation", "private"] + ["--map-root-user"] * (os.geteuid() != 0)
    try:
        run(*unshare, "sh", "-c", 'mount -t tmpfs -o size=64k x "$0" && mount -o remount,size=1m "$0"', scratch)
    except (Failure, FileNotFoundError):
        raise Skipped("this machine doesn't allow mounts; run it as root") from None
    environment = os.environ | {"CHAOS_NAMESPACE": "1", "TMPDIR": str(scratch)}
    return subprocess.run([*unshare, sys.executable, *script], env=environment).returncode


def mount(path, size):
    path.mkdir(exist_ok=True)
    run("mount", "-t", "tmpfs", "-o", f"size={size}", "chaos", path)


def make_room(path):
    (path / "filler").unlink(missing_ok=True)
    run("mount", "-o", f"remount,size={ROOMY}", path)


def fill(path, room):
    """Leaves this many bytes free, even while bsc writes."""
    with (path / "filler").open("wb") as filler:
        while (size := (disk := os.statvfs(path)).f_bavail * disk.f_frsize - room) >= PAGE:
            with contextlib.suppress(OSError):
                os.posix_fallocate(filler.fileno(), os.fstat(filler.fileno()).st_size, size)


class Plan:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.kind = KINDS[seed % len(KINDS)]
        what, _, how = self.kind.partition("-")
        # The size is near what is needed, or below.
        self.sizes = {"state": ROOMY, "data": ROOMY} | {
            "journal": {"state": PAGE * rng.randrange(1, 40)},
            "state": {"state": rng.choice([REQUIRED + PAGE * rng.randrange(-60, 100), int(PAGE * 40 * 430 ** rng.random())])},
            "data": {"data": PAGE * rng.choice([rng.randrange(395, 440), rng.randrange(50 if how else 1, 440)])},
        }.get(self.kind.removesuffix("-served"), {})
        # What stays free: nothing, the next pages of the journal, or a part of the clip.
        self.fills = {name: PAGE * rng.choice([0, rng.randrange(30), rng.randrange(430)])
                      for name in ("state", "data") if how in ("fill", "kill") and what in (name, "both")}
        # Seconds after the end of a step, or after the start.
        longest = {None: 0.6, "plan": 0.15, "process": 1.4, "upload": 0.2}
        self.step = "process" if what == "list" else rng.choices(list(longest), [1, 3, 4, 1])[0]
        self.delay, self.pause = rng.uniform(0, longest[self.step]), rng.uniform(0, 1)
        self.signal = {"kill": signal.SIGKILL, "": signal.SIGINT if what == "list" else None}.get(how)
        self.is_served = how == "served" or (bool(self.fills) and rng.random() < 0.4)
        self.codes = {0, 74} | ({6} if "data" in self.fills or self.sizes["data"] != ROOMY else set())


class FullDisk:
    rounds, long_rounds, jobs = 10, 50, 3

    def __init__(self, folder, bsc, _):
        self.bsc = bsc
        with Home(folder / "undisturbed", bsc) as home:
            home.add_clip()
            home.run("share", "clip.mp4")
            self.digest = digest(next(home.data.glob("assets/*/clip.mp4")))

    def play(self, seed, folder, notes):
        plan = Plan(seed)
        notes += [plan.kind, *(f"{name} {size >> 10}k" for name, size in plan.sizes.items() if size != ROOMY),
                  *(f"{name} filled to {room >> 10}k" for name, room in plan.fills.items())]
        with Home(folder, self.bsc, BSC_UPLOAD_CHUNK_SIZE="256KiB", BSC_UPLOAD_RETRY_SECONDS="2") as home:
            home.add_clip()
            for name, size in plan.sizes.items():
                mount(folder / name, size)
            server = home.start_server(XDG_STATE_HOME=str(folder / "server-state")) if plan.is_served else None
            first = self.share(home, plan)
            notes.append(first.code)
            if plan.kind == "list":
                fill(folder / "state", 0)
                listed = [job["state"] for job in home.run("jobs", "list", "--all", "--json").records()]
                expect(listed == self.stages(home), f"jobs list shows {listed}")
            self.check(home, first)
            for name in plan.sizes:
                make_room(folder / name)
            last = home.run("resume", "--json")
            if first.code != 0 and not last.records():
                last = home.run(*SHARE)  # There was no job yet.
            reported = ending.highlights(first) | ending.highlights(last)
            self.check(home, last)
            ending.check(home, home.data, reported, self.digest)
            expect(digest(folder / "clip.mp4") == digest(SAMPLE), "the source was changed")
            if server is not None:
                server.send(signal.SIGTERM)
                # 74: it had no space for its tables.
                server.wait(SIGNAL_ENDS[signal.SIGTERM] | {0, 74})

    def share(self, home, plan):
        share = home.start(*SHARE)
        while share.code is None and plan.step and not any(
                event.get("stage") == plan.step and event["event"] == "ended" for event in share.records(share.stderr)):
            time.sleep(0.003)
        if (plan.fills or plan.signal) and not share.has_ended(plan.delay):
            for name, room in plan.fills.items():
                fill(home.folder / name, room)
            if plan.signal and not share.has_ended(plan.pause):
                share.send(plan.signal)
        share.has_ended(300)
        share.wait(plan.codes.union(*(SIGNAL_ENDS[number] for number in share.signals)))
        if share.code in (6, 74):
            error = next(record["error"] for record in share.records() if "error" in record)
            is_clear = re.search("full|no space", error["why"], re.I) and "space" in error["next"]
            expect(is_clear, f"the error doesn't report a full disk: {error}")
        return share

    def rows(self, path, query):
        """From a copy: reading the database needs space, and would repair it before bsc does."""
        with tempfile.TemporaryDirectory() as copy:
            for part in path.parent.glob(path.name + "*"):
                shutil.copy(part, copy)
            return ending.rows(f"{copy}/{path.name}", query)

    def stages(self, home):
        return [stage for stage, in self.rows(home.state / "journal.sqlite", "SELECT stage FROM job")]

    def check(self, home, share):
        stages = self.stages(home)
        self.rows(home.data / "backend.sqlite", "SELECT 1")
        ended = [event["detail"] for event in share.records(share.stderr) if event.get("event") == "ended"]
        reported = max((STAGES.index(stage) for stage in ended if stage in STAGES), default=-1)
        expect(len(stages) == 1 and STAGES.index(stages[0]) >= reported or not stages and reported < 0,
               f"the last reported step is {ended[-1:]}, but the journal has {stages}")
        for path in [*home.state.rglob("*"), *home.data.rglob("*")]:
            data = path.read_bytes() if path.is_file() and path.name != "filler" else b""
            is_whole = {
                "clip.mp4": lambda: digest(path) == self.digest,
                "clip-poster.jpg": lambda: data[:2] + data[-2:] == b"\xff\xd8\xff\xd9",
                "thumbnail.jpg": lambda: data[:2] + data[-2:] == b"\xff\xd8\xff\xd9",
                "upload-url": lambda: re.search(rb"token=[\w-]{16,}$", data),
            }.get("upload-url" if path.name.startswith("upload-url-") else path.name, lambda: True)
            expect(is_whole(), f"{path.relative_to(home.folder)} is incomplete ({len(data)} bytes)")
