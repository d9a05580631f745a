"""Runs both commands in turn, and prints a row with medians, ratios and targets."""

import dataclasses
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parent.parent.parent
MEDIA = Path(os.environ.get("BSC_SHARED_MEDIA", ROOT / "../shared/media"))
CORES = len(os.sched_getaffinity(0))
MIB = 1 << 20


class Run:
    """A finished command: wall and CPU seconds, peak memory, output, and (time, line) of each line on stderr."""

    def __init__(self, command, statuses=(0,), environment=None, is_on_one_core=False):
        cores, self.lines, self.anonymous = os.sched_getaffinity(0), [], 0
        if is_on_one_core:
            os.sched_setaffinity(0, {max(cores)})
        with tempfile.TemporaryFile() as output:
            begin = time.perf_counter()
            process = subprocess.Popen(command, shell=isinstance(command, str), stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.PIPE, env=environment)
            os.sched_setaffinity(0, cores)
            watcher = threading.Thread(target=self.watch, args=(process.pid,))
            watcher.start()
            for line in process.stderr:
                self.lines.append((time.perf_counter() - begin, line.decode(errors="replace")))
            # wait4 has the peak of this child; RUSAGE_CHILDREN has the largest of all children.
            _, status, usage = os.wait4(process.pid, 0)
            self.wall, self.cpu = time.perf_counter() - begin, usage.ru_utime + usage.ru_stime
            process.returncode = os.waitstatus_to_exitcode(status)
            watcher.join()
            output.seek(0)
            self.output = output.read()
        # The memory of this script before exec counts too, about 30 MB.
        self.peak = usage.ru_maxrss * 1024
        if process.returncode not in statuses:
            sys.exit(f"bench: {command}: exit code {process.returncode}: {self.errors[-500:]}")

    def watch(self, pid):
        """Records the largest amount of anonymous memory."""
        try:
            while found := re.search(r"^RssAnon:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE):
                self.anonymous = max(self.anonymous, int(found[1]) * 1024)
                time.sleep(0.01)
        except OSError:
            pass

    @property
    def errors(self):
        return "".join(line for _, line in self.lines)

    @property
    def document(self):
        return json.loads(self.output.splitlines()[-1])

    @property
    def figures(self):
        return {"wall": self.wall, "cpu": self.cpu, "peak": self.peak, "anonymous": self.anonymous}


@dataclasses.dataclass
class Row:
    """A comparison. A command is a list, or a string for the shell, or a function that returns one.

    `goal` is ("cpu" or "wall", "<=", most of bsc / theirs) or (..., ">=", least of theirs / bsc). `units` are how many
    units of work each side does, `prepare` gets the side that runs next, `wall` returns the seconds to compare, `note`
    returns what is printed next to the row.
    """

    name: str
    ours: list | str | Callable
    theirs: list | str | Callable
    goal: tuple | None = None
    units: tuple = (1, 1)
    prepare: Callable = lambda side: None
    wall: Callable = lambda run: run.wall
    note: Callable = lambda ours, theirs: ""
    share: float = 1
    limit: float | None = None
    statuses: tuple = (0,)
    is_on_one_core: bool = False


def spread(values, digits=2):
    values = list(values)
    return "{} ({} to {})".format(*(f"{f(values):.{digits}f}" for f in (statistics.median, min, max)))


class Bench:
    def __init__(self, options):
        self.options, self.bsc, self.report = options, options.bsc, {"load": os.getloadavg()[0], "rows": []}
        self.temporary = tempfile.TemporaryDirectory(dir=options.folder)
        self.folder, self.is_started = Path(self.temporary.name), False

    def __enter__(self):
        self.written = self.bsc.stat().st_mtime_ns
        version = subprocess.check_output([self.bsc, "--version"], text=True).strip()
        print(f"bsc {version}, {CORES} cores, load {self.report['load']:.1f}")
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def runs(self, default):
        return self.options.runs or default

    def wants(self, name):
        return not self.options.only or any(
            name.startswith(each) or each.startswith(f"{name}:") for each in self.options.only)

    def environment(self, name="home"):
        """A home without the user's settings."""
        folder = self.folder / name
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("BSC_", "XDG_"))}
        return clean | {"HOME": str(folder)} | {
            f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "STATE", "CACHE", "DATA")}

    def add(self, name, **figures):
        """Records figures; after each row, so that a stopped run keeps what it has."""
        self.report["rows"].append({"name": name} | figures)
        if self.options.json:
            self.options.json.write_text(json.dumps(self.report, indent=1, default=str) + "\n")
        if self.bsc.stat().st_mtime_ns != self.written:
            sys.exit("bench: bsc was built again during the run")

    def missed(self, text):
        print(f"  MISSED: {text}", flush=True)

    def limit(self, name, value, most, unit):
        if value > most:
            self.missed(f"{name}: {value:.4g} {unit}, the goal is at most {most:.4g}")

    def compare(self, row, default_runs=5):
        """Runs a row: a warm-up, then pairs; every second pair begins with the other command."""
        if not self.wants(row.name):
            return None
        found = {"ours": [], "theirs": []}
        for number in range(1 + max(1, round(self.runs(default_runs) * row.share))):
            for side in list(found)[::1 if number % 2 else -1]:
                row.prepare(side)
                command = getattr(row, side)
                found[side].append(Run(command() if callable(command) else command, row.statuses, self.environment(),
                                       row.is_on_one_core))
        ours, theirs = (runs[1:] for runs in found.values())
        values = {"wall": [(row.wall(a) / row.units[0], b.wall / row.units[1]) for a, b in zip(ours, theirs)],
                  "cpu": [(a.cpu / row.units[0], b.cpu / row.units[1]) for a, b in zip(ours, theirs)]}
        if not self.is_started:
            self.is_started = True
            print(f"{'':44}{'wall s, bsc and theirs':>24}{'CPU s':>20}{'peak MB':>12}   wall, CPU; "
                  "goal (<=: bsc / theirs, >=: theirs / bsc)")
        is_speedup = row.goal and row.goal[1] == ">="
        ratios = {key: [b / a if is_speedup else a / b for a, b in pairs] for key, pairs in values.items()}
        cells = [" ".join(f"{statistics.median(side):.4g}" for side in zip(*values[key])) for key in ("wall", "cpu")]
        peaks = " ".join(f"{max(run.peak for run in runs) / 1e6:.0f}" for runs in (ours, theirs))
        goal = "; {} {} {}".format(*row.goal) if row.goal else ""
        note = row.note(ours[-1], theirs[-1])
        print(f"{row.name:44}{cells[0]:>24}{cells[1]:>20}{peaks:>12}   {spread(ratios['wall'])}, "
              f"{spread(ratios['cpu'])}{goal}" + f"\n    {note}" * bool(note), flush=True)
        if row.goal:
            middle = statistics.median(ratios[row.goal[0]])
            if middle < row.goal[2] if is_speedup else middle > row.goal[2]:
                self.missed(f"{row.goal[0]} {middle:.2f}, the goal is {row.goal[1]} {row.goal[2]}")
        if row.limit:
            self.limit("peak memory", max(run.peak for run in ours) / 1e6, row.limit, "MB")
        self.add(row.name, ours=[run.figures for run in ours], theirs=[run.figures for run in theirs], note=note)
        return found


def ffmpeg(*arguments):
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def media(name):
    path = MEDIA / name
    if not path.exists():
        sys.exit(f"bench: {name} is not in {MEDIA}; BSC_SHARED_MEDIA names the folder")
    return path
