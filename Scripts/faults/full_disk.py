"""Shares a clip on disks that are too small for the journal, the clip (state) or the server (data), or that a file
fills during the share, also with a kill afterward.

The run ends with 74 (6: the server's disk; 0: the clip did fit) and reports a full disk. Databases are intact, no
incomplete file has its final name, and the journal contains every reported step. With space, one `bsc resume` finishes.
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
from harness import SAMPLE, SIGNAL_ENDS, Failure, Home, digest, expect, run

KINDS = "journal state state-fill state-kill data data-served data-fill data-kill both-fill".split()
PAGE, ROOMY = 4096, 96 << 20
# Pages that `share` requires before it writes a clip.
REQUIRED = (SAMPLE.stat().st_size + (64 << 20)) // PAGE
STAGES = ["queued", "probed", "planned", "processed", "uploading", "uploaded", "registered"]
SHARE = ["share", "clip.mp4", "--limit-rate", "1MB", "--json", "--progress", "json"]


def run_in_namespace(script, scratch):
    """Runs a script with private mounts; returns its exit code."""
    unshare = ["unshare", "--mount", "--propagation", "private"] + ["--map-root-user"] * (os.geteuid() != 0)
    try:
        run(*unshare, "sh", "-c", 'mount -t tmpfs -o size=64k x "$0" && mount -o remount,size=1m "$0"', scratch)
    except (Failure, FileNotFoundError):
        raise NotImplementedError("this machine doesn't allow mounts; run it as root") from None
    environment = os.environ | {"CHAOS_NAMESPACE": "1", "TMPDIR": str(scratch)}
    return subprocess.run([*unshare, sys.executable, *script], env=environment).returncode


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
        disk, _, how = self.kind.partition("-")
        near = {"journal": range(1, 40), "state": range(REQUIRED - 60, REQUIRED + 100), "data": range(1, 440)}
        self.sizes = {"state": ROOMY, "data": ROOMY}
        if how in ("", "served") and disk in near:
            self.sizes["data" if disk == "data" else "state"] = PAGE * rng.choice(near[disk])
        # What stays free: nothing, the next pages of the journal, or a part of the clip.
        self.fills = {name: PAGE * rng.choice([0, rng.randrange(30), rng.randrange(430)])
                      for name in ("state", "data") if how in ("fill", "kill") and disk in (name, "both")}
        # Seconds after the end of a step, or after the start.
        longest = {None: 0.6, "plan": 0.15, "process": 1.4, "upload": 0.2}
        self.step = rng.choices(list(longest), [1, 3, 4, 1])[0]
        self.delay, self.pause = rng.uniform(0, longest[self.step]), rng.uniform(0, 1)
        self.signal = signal.SIGKILL if how == "kill" else None
        self.is_served = how == "served" or (bool(self.fills) and rng.random() < 0.4)
        self.codes = {0, 74} | ({6} if "data" in self.fills or disk == "data" else set())


class FullDisk:
    rounds, long_rounds, jobs = 3, 27, 3

    def __init__(self, folder, bsc, _):
        self.bsc = bsc
        self.digest, _ = ending.undisturbed(folder, bsc)

    def play(self, seed, folder, notes):
        plan = Plan(seed)
        notes += [plan.kind, *(f"{name} {size >> 10}k" for name, size in plan.sizes.items() if size != ROOMY),
                  *(f"{name} filled to {room >> 10}k" for name, room in plan.fills.items())]
        with Home(folder, self.bsc, BSC_UPLOAD_CHUNK_SIZE="256KiB", BSC_UPLOAD_RETRY_SECONDS="2") as home:
            home.add_clip()
            for name, size in plan.sizes.items():
                (folder / name).mkdir(exist_ok=True)
                run("mount", "-t", "tmpfs", "-o", f"size={size}", "chaos", folder / name)
            server = home.start_server(XDG_STATE_HOME=str(folder / "server-state")) if plan.is_served else None
            first = self.share(home, plan)
            notes.append(first.code)
            self.check(home, first)
            for name in plan.sizes:
                (folder / name / "filler").unlink(missing_ok=True)
                run("mount", "-o", f"remount,size={ROOMY}", folder / name)
            last = home.run("resume", "--json")
            if first.code != 0 and not last.records():
                last = home.run(*SHARE)  # There was no job yet.
            self.check(home, last)
            ending.check(home, home.data, ending.highlights(first) | ending.highlights(last), self.digest)
            expect(digest(folder / "clip.mp4") == digest(SAMPLE), "the source was changed")
            if server and server.code != 74:  # It had no space for its tables.
                server.stop()

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
        share.wait(plan.codes.union(*(SIGNAL_ENDS[number] for number in share.signals)))
        if share.code in (6, 74):
            error = next(record["error"] for record in share.records() if "error" in record)
            is_clear = re.search("full|no space", error["why"], re.I) and re.search("space|full disk", error["next"])
            expect(is_clear, f"the error doesn't report a full disk: {error}")
        return share

    def stages(self, home):
        """Of the jobs in a copy of the journal: reading it needs space, and would repair it before bsc does."""
        with tempfile.TemporaryDirectory() as copy:
            for path in [*home.state.glob("journal.sqlite*"), *home.data.glob("backend.sqlite*")]:
                shutil.copy(path, copy)
            ending.rows(f"{copy}/backend.sqlite", "SELECT 1")
            return [stage for stage, in ending.rows(f"{copy}/journal.sqlite", "SELECT stage FROM job")]

    def check(self, home, share):
        stages = self.stages(home)
        ended = [event["detail"] for event in share.records(share.stderr) if event.get("event") == "ended"]
        reported = max((STAGES.index(stage) for stage in ended if stage in STAGES), default=-1)
        expect(len(stages) == 1 and STAGES.index(stages[0]) >= reported or not stages and reported < 0,
               f"the last reported step is {ended[-1:]}, but the journal has {stages}")
        for path in [*home.state.rglob("*"), *home.data.rglob("*")]:
            is_picture = path.parent.name == "made" and path.suffix == ".jpg" and path.is_file()
            if path.name in ("clip.mp4", "clip-poster.jpg") or is_picture:
                # The last marker of a JPEG.
                is_whole = path.read_bytes().endswith(b"\xff\xd9") or digest(path) == self.digest
                expect(is_whole, f"{path.relative_to(home.folder)} is incomplete")
