"""A `bsc serve` of our own, with a home of its own."""

import http.client
import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlsplit

# For a loaded machine; an idle one needs a fraction.
START_SECONDS = 180
STOP_SECONDS = 60
ANSWER_SECONDS = 180


class NoAnswer(Exception):
    """The server did not answer: it does not start, has ended, or broke the connection."""


class LocalServer:
    """Started and ended as often as one likes; each time with nothing in it."""

    def __init__(self, program):
        self.program, self.process = program, None

    def start(self):
        self.folder = tempfile.TemporaryDirectory(prefix="conformance-", dir="/tmp")
        home = Path(self.folder.name)
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "NO_COLOR": "1"}
        environment |= {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "STATE", "CACHE")}
        self.log = open(home / "log", "wb")
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", "0", "--json", "--password-rounds", "64"], env=environment, cwd=home,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log)
        # What hangs is ended, and has said nothing then.
        limit = threading.Timer(START_SECONDS, self.process.kill)
        limit.start()
        line = self.process.stdout.readline()
        limit.cancel()
        try:
            self.base = urlsplit(json.loads(line)["baseURL"])
            self.keys = json.loads((home / "data/bsc/local/keys.json").read_text())
        except (ValueError, KeyError, OSError) as error:
            self.log.flush()
            said = (home / "log").read_text(errors="replace")[-2000:]
            self.stop()
            raise NoAnswer(f"bsc serve does not start: {error!r}\n{said}") from None
        self.connection = http.client.HTTPConnection(self.base.hostname, self.base.port, timeout=ANSWER_SECONDS)

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            self.log.close()
            self.folder.cleanup()
            self.process = None

    def send(self, method, path, headers, body=None):
        """The answer's status, headers and body. Once more when an idle connection was closed meanwhile."""
        for last in False, True:
            try:
                self.connection.request(method, path, body=body, headers=headers)
                answer = self.connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except (OSError, http.client.HTTPException) as error:
                self.connection.close()
                closed = isinstance(error, (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError))
                if last or not closed:
                    raise NoAnswer(f"no answer to {method} {path[:200]}: {error!r}") from None
