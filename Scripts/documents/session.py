"""A session of bash in a terminal of its own: types commands, and keeps what appears and when."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from dataclasses import dataclass, field
from pathlib import Path

from .screen import Terminal

# bash writes this before each prompt, with the code of the command before; nobody sees it.
MARK = re.compile(rb"\x1b\]133;D;(\d+)\x07")
HALF_MARK = re.compile(rb"\x1b(\](1(3(3(;(D(;\d*)?)?)?)?)?)?)?\Z")
PROMPT = "$ "
# What is typed is bold, until the command begins (PS0).
PS1 = r"\[\e[1;32m\]$\[\e[39m\] "
# What the folder is called in the documents.
FOLDER = "/home/ada/bsc"
# A command that says nothing for so long hangs.
PATIENCE = 120
# Lines of messages are not broken here: the text of a command is what a wide terminal shows.
WIDE = 400


@dataclass
class Played:
    """A command, and what came of it."""
    step: object
    code: int = 0
    text: list = field(default_factory=list)
    # (kind, seconds since the one before, frame); kind is "typed" or "shown".
    frames: list = field(default_factory=list)


class Session:
    """`home` is all that the session has: settings, journal and highlights go there; the work happens in `folder`."""

    def __init__(self, home, folder, columns, lines):
        (home / "inputrc").write_text("set enable-bracketed-paste off\nset bell-style none\n")
        shell = {"INPUTRC": str(home / "inputrc"), "HISTFILE": "", "PS1": PS1, "PS0": r"\e[0m",
                 "PROMPT_COMMAND": r"printf '\033]133;D;%d\007' $?"}
        self.narrow, self.wide = Terminal(columns, lines), Terminal(WIDE, lines)
        self.pending, self.mark = b"", None
        self.folder = str(folder).encode()
        # Not its first character alone: the shell echoes what is typed one by one.
        beginnings = (re.escape(self.folder[:length]) for length in range(len(self.folder) - 1, 1, -1))
        self.half_folder = re.compile(b"(" + b"|".join(beginnings) + rb")\Z")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve("/bin/bash", ["bash", "--noprofile", "--norc", "-i"], surroundings(home) | shell)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("4H", lines, columns, 0, 0))
        self.until_prompt(lambda: None)

    def close(self):
        os.close(self.terminal)
        try:
            os.kill(self.pid, signal.SIGKILL)
        finally:
            os.waitpid(self.pid, 0)

    def take(self, seconds):
        """Shows what arrives within this time; whether something did."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            self.pending += os.read(self.terminal, 1 << 16)
        except OSError as error:
            raise SystemExit("make-docs: the shell has ended") from error
        data = self.pending
        # What may be half of something waits for the rest: a mark, the folder's name, a character.
        for half in (HALF_MARK, self.half_folder):
            data = half.sub(b"", data)
        while data and is_cut(data):
            data = data[:-1]
        self.pending = self.pending[len(data):]
        for match in MARK.finditer(data):
            self.mark = int(match[1])
        self.show(MARK.sub(b"", data).replace(self.folder, FOLDER.encode()).decode(errors="replace"))
        return True

    def show(self, text):
        self.narrow.feed(text)
        self.wide.feed(text)

    def until_prompt(self, shown):
        """Waits for the prompt, and calls `shown` whenever the screen has changed."""
        said = time.monotonic()
        self.mark = None
        while self.mark is None or self.wide.text(self.wide.row) != PROMPT.rstrip():
            if self.take(0.25):
                said = time.monotonic()
                shown()
            elif time.monotonic() - said > PATIENCE:
                raise SystemExit(f"make-docs: nothing more came for {PATIENCE} s; the screen:\n{self.screen_text()}")

    def screen_text(self):
        last = self.wide.row
        return "\n".join(self.wide.text(number) for number in range(max(0, last - 30), last + 1))

    def play(self, step):
        played = Played(step)
        if len(PROMPT + step.command) >= self.narrow.columns:
            raise SystemExit(f"make-docs: longer than a line of {self.narrow.columns} columns: {step.command}")
        begun, killed = self.wide.row, not step.kill_at
        for character in step.command:
            os.write(self.terminal, character.encode())
            deadline = time.monotonic() + PATIENCE
            while not self.wide.text(self.wide.row).endswith(character.strip()):
                self.take(1)
                if time.monotonic() > deadline:
                    raise SystemExit("make-docs: the shell does not show what is typed; the screen:\n"
                                     f"{self.screen_text()}")
            # The echo may come in parts.
            while self.take(0.002):
                pass
            played.frames.append(("typed", 0, self.narrow.frame()))
        os.write(self.terminal, b"\n")
        before = time.monotonic()

        def shown():
            nonlocal before, killed
            now = time.monotonic()
            played.frames.append(("shown", now - before, self.narrow.frame()))
            before = now
            if not killed and re.search(step.kill_at, "\n".join(self.texts(begun + 1))):
                killed = True
                # What the shell says of it gets a line of its own.
                self.show("\r\n")
                for child in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(child), signal.SIGKILL)

        self.until_prompt(shown)
        played.code, played.text = self.mark, self.texts(begun + 1)[:-1]
        if not killed:
            raise SystemExit(f"make-docs: {step.command}: ended before it could be killed:\n{self.screen_text()}")
        if played.code != step.code:
            raise SystemExit(f"make-docs: {step.command}: exit {played.code}, not {step.code}:\n{self.screen_text()}")
        return played

    def texts(self, begin):
        return [self.wide.text(number) for number in range(begin, self.wide.row + 1)]


def is_cut(data):
    """Whether the last character is not whole."""
    try:
        data[-4:].decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False


def surroundings(home):
    """The environment of everything that runs: it finds nothing of whoever runs this script."""
    return {
        "PATH": f"{home / 'bin'}:/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC",
        "TERM": "xterm-256color", "TMPDIR": str(home / "tmp"),
        **{f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "STATE", "DATA", "CACHE")},
    }


def make_home(home, bsc):
    (home / "bin").mkdir(parents=True)
    (home / "tmp").mkdir()
    (home / "bin/bsc").symlink_to(bsc)


def play(steps, home, folder, columns, lines):
    """Plays all steps; prints what they are, and how long each took."""
    session = Session(home, folder, columns, lines)
    try:
        out = []
        for step in steps:
            begun = time.monotonic()
            out.append(session.play(step))
            print(f"{time.monotonic() - begun:6.1f} s  {step.command}", file=sys.stderr)
        return out
    finally:
        session.close()
