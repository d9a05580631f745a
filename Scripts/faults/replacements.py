"""Kills `bsc compress --replace` and `bsc batch undo` at each call that changes a name on the disk.

After each kill, every source exists in its folder or in the trash. Repeats and undoes the command: all files are as before,
and no other files remain. Tests every third call also on file systems with fewer features: NFS and FAT.
"""

import shutil
import signal

from harness import Home, digest, expect, run

REPLACE = ["compress", "season", "--replace", "--height", "90", "-j", "1", "-q"]
UNDO = ["batch", "undo", "season", "-q"]


def tree(folder, ledger=False):
    """Digests by name, of the folder or of its .bsc."""
    names = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: digest(path) for name, path in names.items() if name.startswith(".bsc/") == ledger}


class Replacements:
    rounds, long_rounds, jobs = 8, 240, 1

    def __init__(self, folder, bsc, library):
        self.bsc, self.library, self.template, self.cases = bsc, library, folder / "template", []
        (self.template / "deep").mkdir(parents=True)
        # The result of the .mov gets another name, that of the .mp4 the same one.
        for name, codec in (("deep/a.mov", "mpeg4"), ("b.mp4", "libx264")):
            run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=15:duration=1", "-c:v", codec,
                "-pix_fmt", "yuv420p", self.template / name)
        (self.template / "deep/a.json").write_text("{}")
        self.sources = tree(self.template)
        for lack, step in (("ALL", 1), ("NO_EXCLUSIVE", 3), ("NO_LINKS", 3)):
            home = self.home(folder / lack, lack)
            for command in (REPLACE, UNDO):
                home.run(*command, COUNT_FILE=str(folder / "count"))
                calls = int((folder / "count").read_text())
                self.cases += [(lack, command, number) for number in range(1, calls + 1, step)]

    def home(self, folder, lack):
        home = Home(folder, self.bsc, LD_PRELOAD=self.library, **{lack: "1"})
        shutil.copytree(self.template, folder / "season")
        return home

    def play(self, seed, folder, notes):
        lack, command, number = self.cases[seed]
        notes.append(f"{' '.join(command[:2])} {lack} killed at call {number}")
        with self.home(folder, lack) as home:
            season = folder / "season"
            if command is UNDO:
                home.run(*REPLACE)
            for environment in ({"KILL_AT": str(number)}, {}):
                home.run(*command, codes={0, -signal.SIGKILL} if environment else {0}, **environment)
                there = tree(season) | tree(season, ledger=True)
                expect(set(self.sources.values()) <= set(there.values()), f"a source is lost; left are {sorted(there)}")
            if command is REPLACE:
                expect(set(tree(season)) == {"b.mp4", "deep/a.json", "deep/a.mp4"}, f"repeated: {sorted(tree(season))}")
                home.run(*UNDO)
            expect(tree(season) == self.sources, f"undone, the files are {sorted(tree(season))}, or have other bytes")
            left = [name for name in tree(season, ledger=True) if name.endswith((".mov", ".mp4", ".tmp"))]
            expect(not left and not (season / ".bsc/trash").exists(), f"left in .bsc: {left}")
