"""Makes calls on the second of three clips fail.

`compress` retries a temporary error, and writes the same bytes. A permanent error ends with 74 after three attempts,
and only this clip is missing until the next run. `share` ends with 74 immediately; the same command or `resume` succeeds.
An encode whose source goes offline keeps its finished GOPs, and the next run continues with them. A full disk leaves no
file. No error is reported as damage.
"""

import os
import shutil
from errno import EIO, ENOSPC, ENOTCONN, ENXIO, ESTALE, errorcode

from faults import ending
from faults.encodes import Checkpoint
from harness import Home, digest, expect, run

NAMES, FOREVER = ["a.mp4", "b.mp4", "c.mp4"], 1 << 30
# The call, its error, and the calls that succeed first: they reach the digest, the boxes, libav, and the final check.
PASSING = [("read", EIO, 0), ("read", ESTALE, 8), ("read", EIO, 20), ("read", EIO, 40), ("read", ESTALE, 60),
           ("read", EIO, 120), ("read", EIO, 200), ("open", EIO, 0), ("open", ESTALE, 7), ("write", EIO, 0),
           ("write", EIO, 3)]
LASTING = [("read", EIO, 0), ("read", ENOTCONN, 0), ("read", EIO, 60), ("write", EIO, 0)]
SHARING = [("read", EIO, 0), ("read", EIO, 30), ("read", EIO, 60)]
# The calls that succeed first are counted.
OFFLINE = [("read", ENOTCONN, 0), ("read", ENXIO, 0)]
# A source whose encode stores several GOPs.
LONG = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=44", "-c:v", "libx264", "-pix_fmt", "yuv422p"]


class DiskErrors:
    jobs = 3

    def __init__(self, folder, bsc, library):
        self.bsc, self.library = bsc, library
        checks = ((self.passing, 1, PASSING), (self.lasting, FOREVER, LASTING), (self.offline, FOREVER, OFFLINE),
                  (self.share, 1, SHARING), (self.full, FOREVER, [("write", ENOSPC, 0)]))
        self.cases = [(check, count, *fault) for check, count, faults in checks for fault in faults]
        self.rounds, self.long_rounds = 7, len(self.cases)
        self.long = folder / "long.mp4"
        run("ffmpeg", "-v", "error", *LONG, self.long)
        with self.home(folder / "calm") as home:
            home.run("compress", "in", "-o", "out")
            self.wanted = self.clips(home)
        expect(sorted(self.wanted) == NAMES, f"an undisturbed run wrote {sorted(self.wanted)}")

    def home(self, folder):
        home = Home(folder, self.bsc)
        for padding, name in enumerate(NAMES):
            home.add_clip(f"in/{name}", padding)
        return home

    def play(self, seed, folder, notes):
        check, count, call, code, skipped = self.cases[seed]
        notes.append(f"{check.__name__}, {call} {errorcode[code]} after {skipped}")
        with self.home(folder) as home:
            check(home, {"LD_PRELOAD": self.library, "FAIL_FILE": "b.mp4", "FAIL_CALL": call, "FAIL_ERRNO": str(code),
                         "FAIL_SKIP": str(skipped), "FAIL_COUNT": str(count), "FAIL_LOG": str(folder / "log")})
            failures = (folder / "log").stat().st_size if (folder / "log").exists() else 0
            expect(failures >= (3 if check == self.lasting else 1), f"only {failures} calls failed")

    def clips(self, home):
        """The clips in the output folder, including temporary files."""
        return {path.name: digest(path) for path in (home.folder / "out").glob("*") if ".mp4" in path.name}

    def fail(self, home, fault, *command, reason=None):
        reason = reason or os.strerror(int(fault["FAIL_ERRNO"])).lower()
        text = home.run(*command, codes={74}, **fault).errors.lower()
        expect("b.mp4" in text and reason in text and "\nnext: " in text, f"the reason isn't shown: {text}")
        expect("damage" not in text, f"the error is reported as damage: {text}")

    def passing(self, home, fault):
        home.run("compress", "in", "-o", "out", **fault)
        expect(self.clips(home) == self.wanted, "the results have other bytes")

    def lasting(self, home, fault):
        self.fail(home, fault, "compress", "in", "-o", "out")
        others = {name: value for name, value in self.wanted.items() if name != "b.mp4"}
        expect(self.clips(home) == others, "the other clips are wrong or missing")
        statuses = sorted(record["status"] for record in home.run("compress", "in", "-o", "out", "--json").records())
        expect(statuses == ["done", "kept", "kept"], f"the next run reports {statuses}")
        expect(self.clips(home) == self.wanted, "the next run wrote other bytes")

    def share(self, home, fault):
        self.fail(home, fault, "share", "in/b.mp4")
        jobs = home.run("jobs", "list", "--json").records()
        shared = home.run(*(["resume"] if jobs else ["share", "in/b.mp4"]), "--json")
        ending.check(home, home.data, ending.highlights(shared))

    def offline(self, home, fault):
        """The source goes offline at the end of a new encode, and of one that continues."""
        shutil.copy(self.long, home.folder / "b.mp4")
        output, total, stored, kept = home.folder / "out.mp4", home.folder / "total", {}, 0
        command = ["compress", "b.mp4", "-o", "out.mp4"]
        for _ in range(2):
            # Count the calls of an undisturbed encode, and start it again.
            home.run(*command, **fault | {"FAIL_COUNT": "0", "FAIL_TOTAL": str(total)})
            output.unlink()
            for path, data in stored.items():
                path.write_bytes(data)
            last = str(int(total.read_text()) - 1)
            self.fail(home, fault | {"FAIL_SKIP": last}, *command)
            expect(not output.exists(), "an incomplete output has its final name")
            checkpoint = Checkpoint(home.folder)
            expect(checkpoint.count > 2 and checkpoint.seconds >= kept, f"only {checkpoint.seconds} s are stored")
            stored, kept = {checkpoint.path: checkpoint.path.read_bytes()}, checkpoint.seconds
        again = home.run(*command, "--json", "--progress", "json")
        events = [event["event"] for event in again.records(again.stderr)]
        expect("continued" in events, f"the encode started again: {events}")
        expect(Checkpoint(home.folder).path is None, "the stored GOPs are left")

    def full(self, home, fault):
        self.fail(home, fault, "compress", "in/b.mp4", "-o", "out/b.mp4", reason="disk full")
        expect(not self.clips(home), "a file is left")
