"""What every benchmark shares: where things are, one measured run of a command, ratios of pairs."""

import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BSC = ROOT / ".build/release/bsc"
CORES = len(os.sched_getaffinity(0))
MEDIA = Path(os.environ.get("BSC_SHARED_MEDIA", ROOT / "../shared/media"))


class Run:
    """One run of a command: wall clock and CPU seconds, and the most memory it had."""

    def __init__(self, command, shell=False, watch_memory=False, statuses=(0,)):
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            start = time.perf_counter()
            process = subprocess.Popen(
                command, shell=shell, stdin=subprocess.DEVNULL, stdout=output, stderr=errors
            )
            self.anonymous_bytes = self.resident_bytes = 0
            if watch_memory:
                watcher = threading.Thread(target=self._watch, args=(process.pid,))
                watcher.start()
            # What it read can be told once it has ended, and until it is waited for.
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            self.seconds = time.perf_counter() - start
            self.read_bytes = self._read_bytes(process.pid)
            # wait4, because RUSAGE_CHILDREN tells the peak of all children so far, not of this one.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if watch_memory:
                watcher.join()
            output.seek(0)
            errors.seek(0)
            self.output, self.errors = output.read(), errors.read().decode(errors="replace")
        self.cpu = usage.ru_utime + usage.ru_stime
        # A child starts as a copy of this script, so that nothing below the script's own 20 MB is seen.
        self.peak_bytes = usage.ru_maxrss * 1024
        if process.returncode not in statuses:
            sys.exit(f"bench: {command}: exit {process.returncode}: {self.errors[-500:]}")

    @staticmethod
    def _read_bytes(pid):
        """By system calls, from the page cache or not; what is mapped is not counted. `None` where nothing counts."""
        try:
            return int(re.search(r"^rchar: (\d+)", Path(f"/proc/{pid}/io").read_text(), re.MULTILINE)[1])
        except OSError:
            return None

    def _watch(self, pid):
        """The most anonymous memory, and the most of all: without this script's own that is in `peak_bytes`."""
        while True:
            try:
                status = Path(f"/proc/{pid}/status").read_text()
            except OSError:
                return
            found = dict(re.findall(r"^(RssAnon|VmHWM):\s+(\d+)", status, re.MULTILINE))
            # A process that has ended and waits for its parent has no memory.
            if not found:
                return
            self.anonymous_bytes = max(self.anonymous_bytes, int(found["RssAnon"]) * 1024)
            self.resident_bytes = max(self.resident_bytes, int(found["VmHWM"]) * 1024)
            time.sleep(0.005)


def median(values):
    return statistics.median(values)


def ratio(ours, theirs, digits=2):
    """The median of the ratios of pairs, with the smallest and largest."""
    ratios = [f"{f(a / b for a, b in zip(ours, theirs)):.{digits}f}" for f in (median, min, max)]
    return "{} ({} to {})".format(*ratios)


def machine(**versions):
    """What was measured on, and the line with its version that each command prints; `None` without the program."""

    def version(command):
        if shutil.which(command[0]) is None:
            return None
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()
        named = re.compile(rf"\d|.*{re.escape(command[0])}.*\d", re.IGNORECASE)
        return next((line for line in text.splitlines() if named.match(line)), None)

    cpu = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return {"cores": CORES, "cpu": cpu[1] if cpu else platform.machine()} | {
        name: version(command) for name, command in versions.items()
    }


def measure_parts(parts, described, arguments):
    """Measures the wanted parts in turn, shows each, and keeps the figures of all."""
    described["load"] = round(os.getloadavg()[0], 2)
    report = {"runs": arguments.runs, "machine": described}
    print(", ".join(f"{name}: {value}" for name, value in described.items() if value is not None))
    written = arguments.bsc.stat().st_mtime_ns
    for name, (compare, show) in parts.items():
        if name in (arguments.only or parts):
            report[name] = compare(arguments)
            if arguments.bsc.stat().st_mtime_ns != written:
                sys.exit("bench: bsc was built again in the meantime: some figures are of the one, some of the other")
            show(report[name])
            sys.stdout.flush()
            if arguments.json:  # after each part: a long run that is stopped has something to show
                arguments.json.write_text(json.dumps(report, indent=1) + "\n")
