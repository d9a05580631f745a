"""Kills `bsc compress TREE -o OUT -j 2` at random moments, eight times, finishes it, and runs it again.

Every clip has a different number of frames. Most are copied, some transcoded. The outputs must be those of an
uninterrupted run, and the sources must be unchanged. A kill affects at most the two clips in progress, bsc compresses no
finished clip again, and the last run has nothing to do.
"""

import random
import shutil
import signal
import time

from harness import SAMPLE, SIGNAL_ENDS, Home, digest, expect, json_lines, run

CLIPS, KILLS, JOBS = 24, 8, 2


def files(folder):
    """By relative path: what changes when a file is written or replaced."""
    return {str(path.relative_to(folder)): (digest(path), path.stat().st_ino, path.stat().st_mtime_ns)
            for path in folder.rglob("*") if path.is_file()}


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
    rounds, long_rounds, jobs = 1, 6, 1

    def __init__(self, folder, bsc, _):
        self.bsc, self.tree, self.transcoded = bsc, folder / "tree", {}
        for number in range(CLIPS):
            (path := self.tree / f"Week {number % 4}/rally 🏐\n{number}.mp4").parent.mkdir(parents=True, exist_ok=True)
            frames, encoder = 48 + number, ["libx264", "-preset", "ultrafast"]
            if number % 6 == 5:
                self.transcoded[str(path.relative_to(self.tree))] = frames
                path, encoder = path.with_suffix(".mov"), ["mpeg4"]
            run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=480x270", "-frames:v", str(frames),
                "-pix_fmt", "yuv420p", "-c:v", *encoder, path)
            if number % 7 == 3:
                shutil.copy(SAMPLE.with_suffix(".json"), path.with_suffix(".json"))
        self.before = files(self.tree)
        with Home(folder / "undisturbed", bsc) as home:
            begin = time.monotonic()
            self.start(home).wait({0})
            self.seconds, self.wanted = time.monotonic() - begin, outputs(home.folder / "out")
        names = {str((self.tree / name).with_suffix(".mp4").relative_to(self.tree)) for name in self.before}
        expect({name for name in self.wanted if name.endswith(".mp4")} == names, f"undisturbed: {sorted(self.wanted)}")

    def start(self, home, *arguments):
        return home.start("compress", self.tree, "-o", "out", "-j", JOBS, "--progress", "none", *arguments)

    def play(self, seed, folder, notes):
        rng, output, kills = random.Random(seed), folder / "out", 0
        with Home(folder, self.bsc) as home:
            for _ in range(5 * KILLS):
                if kills < KILLS:
                    kills += self.kill(home, rng, KILLS - kills)
            expect(kills == KILLS, f"only {kills} of {KILLS} kills were in time")
            self.start(home).wait({0})
            ledger, before = Ledger(output), files(output)
            notes.append(f"{kills} kills, {ledger.wasted} clips started in vain, {ledger.torn} incomplete lines")
            self.check(ledger, output)
            again = self.start(home, "--json")
            again.wait({0})
            expect([record["status"] for record in again.records()] == ["kept"] * CLIPS, "the last run had work to do")
            changed = {name for name, state in files(output).items() if before.get(name) != state}
            expect(changed <= {".bsc/ledger.lock"}, f"a run with nothing to do changed {sorted(changed)}")
            expect(files(self.tree) == self.before, "sources were changed")

    def kill(self, home, rng, count):
        """One run with a kill, spread over the rest of the work; returns whether it was in time."""
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
            if frames := self.transcoded.get(name):
                # The bytes depend on the number of threads.
                count = run("ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of",
                            "csv=p=0", output / name)
                expect(int(count) == frames, f"{name} has {int(count)} frames, not {frames}")
            else:
                expect(value == self.wanted[name], f"{name} has other bytes than without kills")
            expect(value == ledger.results.get(name, value), f"{name} isn't what the ledger says")
        names = {path.name for path in (output / ".bsc").iterdir()}
        expect(names == {"ledger.jsonl", "ledger.lock"}, f".bsc contains {sorted(names)}")
