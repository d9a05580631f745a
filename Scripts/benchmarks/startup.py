"""Benchmark of the program's start, with the smallest Swift programs as its lower limit."""

import re
import shutil
import statistics
import subprocess

from .paired import ROOT, Run, spread

# What almost every Swift program does: it reads a file's attributes and prints a line.
FLOORS = {
    "Swift": 'print("0.1.0")\n',
    "FoundationEssentials": 'import FoundationEssentials\nprint(FileManager.default.currentDirectoryPath.count)\n',
    "Foundation": 'import Foundation\nprint(FileManager.default.currentDirectoryPath.count)\n',
}


def floor(bench, name, source):
    """Builds a program the way Scripts/bsc builds bsc."""
    # A file named like a module would replace the module.
    path = bench.folder / f"with{name}.swift"
    path.write_text(source)
    program = path.with_suffix("")
    subprocess.run(["swiftc", "-O", "-static-stdlib", path, "-o", program], check=True)
    return [program]


def library_count(bench, command):
    """The shared libraries that a run loads, also during the run."""
    log = bench.folder / "linker"
    Run(command, environment=bench.environment() | {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(log)})
    logs = list(bench.folder.glob("linker.*"))
    text = "".join(each.read_text(errors="replace") for each in logs)
    for each in logs:
        each.unlink()
    return len(set(re.findall(r"calling init: (\S+)", text)))


def startup(bench):
    clip = bench.folder / "clip.mp4"
    shutil.copyfile(ROOT / "Samples/rally-portrait.mp4", clip)
    goals = {"--version": 20, "--help": None, "jobs": None, "config show": None,
             "validate clip.mp4 --allow-no-metadata": 30, "probe clip.mp4": None}
    commands = {f"bsc {name}": [bench.bsc, *(str(clip) if word == "clip.mp4" else word for word in name.split())]
                for name in goals}
    for name, source in FLOORS.items():
        commands[f"a program with {name}"] = floor(bench, name, source)
    commands = {name: command for name, command in commands.items() if bench.wants(name)}
    runs = {name: [] for name in commands}
    for _ in range(1 + bench.runs(40)):
        for name, command in commands.items():
            runs[name].append(Run(command, environment=bench.environment()))
    print(f"{'':44}{'wall ms':>24}{'CPU ms':>24}{'libraries':>12}")
    for name, command in commands.items():
        measured = runs[name][1:]
        wall, cpu = ([getattr(run, kind) * 1000 for run in measured] for kind in ("wall", "cpu"))
        count = library_count(bench, command)
        print(f"{name:44}{spread(wall, 1):>24}{spread(cpu, 1):>24}{count:>12}", flush=True)
        bench.add(name, wall=wall, cpu=cpu, libraries=count)
        if goal := goals.get(name.removeprefix("bsc ")):
            bench.limit(name, statistics.median(wall), goal, "ms")
