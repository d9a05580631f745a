"""Kills `bsc compress TREE -o OUT -j 2` at random moments, eight times, finishes it, and runs it again.

Every clip has a different number of frames. Most are copied, some transcoded; names have spaces, line feeds, emoji, and
bytes that aren't UTF-8. Outputs have to be those of an undisturbed run, and sources unchanged. A kill costs at most the
two clips in progress, no finished clip is compressed again, and the last run has nothing to do.
"""

import os
import random
import shutil
import signal
import time

from harness import SAMPLE, SIGNAL_ENDS, Home, digest, expect, json_lines, run

CLIPS, KILLS, JOBS = 24, 8, 2
FOLDERS = [b"", b"Week 1", "Week 1/court 🏐".encode(), b"line\nfeed", b"caf\xe9 (Latin-1)", b"%41 $HOME 'n' \"q\""]
NAMES = [b"rally %d", b"rally\n%d", "🏐 %d 🇩🇪".encode(), b"Gen\xe8ve %d", b"-o %d", b"back\\slash\t%d", "日本 %d".encode(),
         b"*?[%d]", b"dots..%d.", b"n" * 230 + b" %d"]


def files(folder):
    """By relative path: what changes when a file is written or replaced."""
    paths = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    return {os.path.relpath(path, folder): (digest(path), os.stat(path)[:2], os.stat(path).st_mtime_ns) for path in paths}


def outputs(folder):
    return {name: state[0] for name, state in files(folder).items() if not name.startswith(".bsc/")}


class Ledger:
    def __init__(self, output):
        path = output / ".bsc/ledger.jsonl"
        data = path.read_bytes() if path.exists() else b""
        entries = json_lines(data)
        done = [entry for entry in entries if entry["event"] == "done"]
        self.results = {entry["output"]: entry["result"]["sha256"] for entry in done}
        self.torn, self.twice = len(data.splitlines()) - len(entries), len(done) - len(self.results)
        self.wasted = sum(entry["event"] == "began" for entry in entries) - len(done)


class Batches:
    rounds, long_rounds, jobs = 1, 12, 1

    def __init__(self, folder, bsc, _):
        self.bsc, self.tree, self.names = bsc, os.fsencode(folder / "tree"), {}
        for number in range(CLIPS):
            self.add(number)
        (folder / "tree/._rally.mp4").write_text("AppleDouble")
        (folder / "tree/Week 1/loop").symlink_to("..")
        self.before = files(self.tree)
        with Home(folder / "undisturbed", bsc) as home:
            begin = time.monotonic()
            self.start(home).wait({0})
            self.seconds, self.wanted = time.monotonic() - begin, outputs(home.folder / "out")
        expect(set(self.wanted) == set(self.names), f"an undisturbed run wrote {sorted(self.wanted)}")

    def add(self, number):
        name = os.path.join(FOLDERS[number * 7 // 3 % len(FOLDERS)], NAMES[number % len(NAMES)] % number)
        path, is_old = os.path.join(self.tree, name), number % 6 == 5
        os.makedirs(os.path.dirname(path), exist_ok=True)
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=480x270:rate=15", "-frames:v", str(48 + number),
            "-pix_fmt", "yuv420p", *(["-c:v", "mpeg4"] if is_old else ["-c:v", "libx264", "-preset", "ultrafast"]),
            b"file:" + path + (b".mov" if is_old else b".mp4"))
        # bsc writes bytes that aren't UTF-8 as %XX; Python decodes them as surrogates.
        text = name.decode("utf-8", "surrogateescape").translate({0xDC00 + byte: f"%{byte:02X}" for byte in range(256)})
        self.names[text + ".mp4"] = 48 + number if is_old else None
        if number % 7 == 3:
            self.names[text + ".json"] = None
            shutil.copy(os.fsencode(SAMPLE.with_suffix(".json")), path + b".json")

    def start(self, home, *arguments):
        return home.start("compress", os.fsdecode(self.tree), "-o", "out", "-j", JOBS, "--progress", "none", *arguments)

    def play(self, seed, folder, notes):
        rng, output, kills = random.Random(seed), folder / "out", 0
        with Home(folder, self.bsc) as home:
            for _ in range(5 * KILLS):
                if kills < KILLS:
                    kills += self.kill(home, rng, KILLS - kills)
            expect(kills == KILLS, f"only {kills} of {KILLS} kills were in time")
            self.start(home).wait({0})
            ledger = Ledger(output)
            notes.append(f"{kills} kills, {ledger.wasted} clips started in vain, {ledger.torn} incomplete lines")
            self.check(ledger, output)
            before = files(output)
            again = self.start(home, "--json")
            again.wait({0})
            expect([record["status"] for record in again.records()] == ["kept"] * CLIPS, "the last run had work to do")
            changed = {name for name, state in files(output).items() if before.get(name) != state}
            expect(changed <= {".bsc/ledger.lock"}, f"a run with nothing to do changed {sorted(changed)}")
            expect(files(self.tree) == self.before, "sources were changed")

    def kill(self, home, rng, count):
        """One run with a kill, spread over the rest of the work, or before it starts; returns whether it was in time."""
        output, number = home.folder / "out", rng.choice([signal.SIGKILL] * 3 + [signal.SIGINT, signal.SIGTERM])
        before, old = Ledger(output), set(outputs(output))
        rest, program = CLIPS - len(before.results), self.start(home)
        # Some kills come before the first clip, which starts after about 0.3 s.
        if not program.has_ended(0.5 * rng.random() + rng.random() * 2 * self.seconds / CLIPS * rest / count):
            program.send(number)
        program.wait(SIGNAL_ENDS[number] | {0})
        wasted = Ledger(output).wasted - before.wasted
        expect(wasted <= JOBS, f"{number.name} cost {wasted} clips, with {JOBS} in progress")
        left = [name for name in set(outputs(output)) - old if name.endswith(".tmp")]
        expect(not left or number == signal.SIGKILL, f"{number.name} left {left}")
        return program.code != 0

    def check(self, ledger, output):
        found = outputs(output)
        expect(set(found) == set(self.wanted), f"missing or left over: {sorted(set(found) ^ set(self.wanted))}")
        # The clip of an incomplete line may be compressed again.
        expect(ledger.twice <= ledger.torn, f"{ledger.twice} finished clips were compressed again")
        for name, value in found.items():
            if frames := self.names[name]:
                # Transcoded: the bytes depend on the number of threads.
                count = run("ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of",
                            "csv=p=0", "file:" + str(output / name))
                expect(int(count) == frames, f"{name} has {int(count)} frames, not {frames}")
            else:
                expect(value == self.wanted[name], f"{name} has other bytes than without kills")
            expect(value == ledger.results.get(name, value), f"{name} isn't what the ledger says")
        names = set(os.listdir(output / ".bsc"))
        expect(names == {"ledger.jsonl", "ledger.lock"}, f".bsc contains {sorted(names)}")
