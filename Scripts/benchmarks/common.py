"""What every benchmark shares: where things are, one measured run of a command, ratios of pairs."""

import os
import re
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

    def __init__(self, command, shell=False, watch_anonymous=False):
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            start = time.perf_counter()
            process = subprocess.Popen(
                command, shell=shell, stdin=subprocess.DEVNULL, stdout=output, stderr=errors
            )
            self.anonymous_bytes = 0
            if watch_anonymous:
                watcher = threading.Thread(target=self._watch, args=(process.pid,))
                watcher.start()
            # wait4, because RUSAGE_CHILDREN tells the peak of all children so far, not of this one.
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            if watch_anonymous:
                watcher.join()
            output.seek(0)
            errors.seek(0)
            self.output, self.errors = output.read(), errors.read().decode(errors="replace")
        self.cpu = usage.ru_utime + usage.ru_stime
        # A child starts as a copy of this script, so that nothing below the script's own 20 MB is seen.
        self.peak_bytes = usage.ru_maxrss * 1024
        if process.returncode != 0:
            sys.exit(f"bench: {command}: exit {process.returncode}: {self.errors[-500:]}")

    def _watch(self, pid):
        while True:
            try:
                status = Path(f"/proc/{pid}/status").read_text()
            except OSError:
                return
            # A process that has ended and waits for its parent has no memory.
            found = re.search(r"^RssAnon:\s+(\d+)", status, re.MULTILINE)
            if found is None:
                return
            self.anonymous_bytes = max(self.anonymous_bytes, int(found[1]) * 1024)
            time.sleep(0.005)


def median(values):
    return statistics.median(values)


def ratio(ours, theirs, digits=2):
    """The median of the ratios of pairs, with the smallest and largest."""
    ratios = [f"{f(a / b for a, b in zip(ours, theirs)):.{digits}f}" for f in (median, min, max)]
    return "{} ({} to {})".format(*ratios)
