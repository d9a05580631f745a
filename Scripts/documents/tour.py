"""The tour of README.md: what is typed, in order, in a folder that holds nothing but Samples/."""

from dataclasses import dataclass

# The terminal of the recording. A command has to fit into one line of it: where a shell goes on below, terminals of
# other widths show something else.
COLUMNS, LINES = 100, 27
# Longer lines end here in README.md.
TEXT_COLUMNS = 132


@dataclass
class Step:
    name: str  # of its block in README.md
    command: str
    title: str = ""  # above the recording; a step without one is not in it
    code: int = 0
    kill_at: str = ""  # the process is killed (kill -9) when its output fits this


STEPS = [
    Step("share", 'bsc share Samples/rally-4k.mp4 --caption "Match point #spike"', "Share a clip"),
    Step("list", "bsc highlights list", "What was shared"),
    Step("audit", "bsc audit Samples/rally-4k.mp4", "What the source tells", code=4),
    Step("compress", "bsc compress Samples -o small", "A whole folder; a bad file stops none of the others", code=4),
    Step("proof", "bsc audit small", "What is left in the results: the date"),
    # Small chunks and a slow line, so that there is something to interrupt.
    Step("kill", 'bsc share Samples/rally-portrait.mp4 --caption Ace --limit-rate 250KB --chunk-size 256KiB',
         "kill -9 in the middle of an upload", code=137, kill_at=r"upload\b.*\b[5-9]\d ?%"),
    Step("jobs", "bsc jobs", "Nothing is lost"),
    Step("resume", "bsc resume", "It goes on where the server says it was"),
    Step("validate", "bsc validate Samples/too-short.mp4", code=4),
]
