"""Makes calls on the second of three clips fail.

`compress` retries a temporary error, and writes the same bytes. A permanent error ends with 74 after three attempts,
and only this clip is missing until the next run. `share` ends with 74 immediately; the same command or `resume` succeeds.
A full disk leaves no file. No error is reported as damage.
"""

from errno import EIO, ENOSPC, ESTALE, errorcode

from faults import ending
from harness import Home, digest, expect

NAMES, FOREVER = ["a.mp4", "b.mp4", "c.mp4"], 1 << 30
# The call, its error, and the calls that succeed first: they reach the digest, the boxes, libav, and the final check.
PASSING = [("read", EIO, 0), ("read", ESTALE, 8), ("read", EIO, 20), ("read", EIO, 40), ("read", ESTALE, 60),
           ("read", EIO, 120), ("read", EIO, 200), ("open", EIO, 0), ("open", ESTALE, 7), ("write", EIO, 0),
           ("write", EIO, 3)]
LASTING = [("read", EIO, 0), ("read", EIO, 60), ("write", EIO, 0)]
SHARING = [("read", EIO, 0), ("read", EIO, 30), ("read", EIO, 60)]


class DiskErrors:
    jobs = 3

    def __init__(self, folder, bsc, library):
        self.bsc, self.library = bsc, library
        checks = ((self.passing, 1, PASSING), (self.lasting, FOREVER, LASTING), (self.share, 1, SHARING),
                  (self.full, FOREVER, [("write", ENOSPC, 0)]))
        self.cases = [(check, count, *fault) for check, count, faults in checks for fault in faults]
        self.rounds, self.long_rounds = 6, len(self.cases)
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

    def fail(self, home, fault, *command, reason="input/output error"):
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

    def full(self, home, fault):
        self.fail(home, fault, "compress", "in/b.mp4", "-o", "out/b.mp4", reason="disk full")
        expect(not self.clips(home), "a file is left")
