"""What is attacked: the server, raw connections to it, people with accounts, and what must never be told."""

import http.client
import itertools
import json
import os
import re
import socket
import sqlite3
import subprocess
import uuid
from pathlib import Path

from oracles.ground import PATIENCE, Ground, Server, program, want


class Skipped(str):
    """What a check says that cannot be made here."""


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode(errors="replace")

    @property
    def json(self):
        return json.loads(self.body)


class Target(Server):
    """`bsc serve` with a home of its own."""

    timeout = PATIENCE

    @property
    def data(self):
        return self.ground.folder / self.name / "data/bsc/local"

    @property
    def keys(self):
        return json.loads((self.data / "keys.json").read_text())

    def ask(self, method, path, body=None, headers=None, timeout=None):
        """One request on a connection of its own, whatever the path has in it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout or self.timeout)
        # The library would refuse what we want to send.
        connection._validate_path = lambda path: None
        headers = dict(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body.encode() if isinstance(body, str) else body, headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def connect(self, timeout=10):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def raw(self, data, seconds=PATIENCE, enough=None):
        """Sends bytes as they are; gives all that came back, and whether the server closed.

        Waits until the server closes, or for `enough` final answers, or for `seconds` of silence.
        """
        with self.connect() as connection:
            try:
                connection.sendall(data)
            except OSError:
                pass
            return received(connection, seconds, enough)

    def status(self, name):
        """A figure of /proc in bytes: VmRSS, VmHWM."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)[1]) * 1024

    @property
    def cpu_seconds(self):
        """Processor time so far: unlike the clock, the same on a loaded machine."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def want_alive(self, what="after that"):
        want(self.process.poll() is None, f"{what} the server has ended with {self.process.returncode}")
        want(self.ask("GET", "/health").status == 200, f"{what} the server is not healthy")

    def want_intact(self):
        """The file is as SQLite and its foreign keys want it."""
        connection = sqlite3.connect(self.data / "backend.sqlite")
        try:
            (said,) = connection.execute("pragma integrity_check").fetchone()
            want(said == "ok", f"the database: {said}")
            broken = connection.execute("pragma foreign_key_check").fetchall()
            want(not broken, f"rows that refer to nothing: {broken[:3]}")
        finally:
            connection.close()


class Person:
    """Somebody with an account."""

    def __init__(self, server, name="someone"):
        self.server = server
        self.email, self.password = f"{name}.{uuid.uuid4().hex[:8]}@example.org", "correct horse 9"
        answer = server.ask("POST", "/auth/v1/signup", {"email": self.email, "password": self.password})
        want(answer.status == 200, f"signing up: {answer.status} {answer.text[:200]}")
        self.id, self.token = answer.json["user"]["id"], answer.json["access_token"]
        self.refresh = answer.json["refresh_token"]

    def ask(self, method, path, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.server.ask(method, path, body, {"Authorization": f"Bearer {self.token}"} | headers)

    def insert(self, table, row):
        answer = self.ask("POST", f"/rest/v1/{table}", row, Prefer="return=representation")
        want(answer.status == 201, f"inserting into {table}: {answer.status} {answer.text[:300]}")
        return answer.json[0]

    def share(self, **fields):
        facts = {"duration": 5, "confidence": 0.5, "quality": 0.5, "detection_count": 1}
        row = self.insert("highlights", {"author_id": self.id, "mux_playback_id": uuid.uuid4().hex,
                                         "rally_metadata": facts} | fields)
        # As if the server had seen its video: others see the row then.
        answer = self.server.ask("PATCH", f"/rest/v1/highlights?id=eq.{row['id']}", {"is_ready": True},
                                 {"apikey": self.server.keys["secret_key"]})
        want(answer.status == 204, f"showing a highlight: {answer.status} {answer.text[:200]}")
        return row

    def open(self, key=None, **fields):
        """An upload's ticket."""
        body = {"highlight_id": str(uuid.uuid4()), "tags": [], "privacy_level": "public", "hide_likes": False,
                "duration": 3.0} | fields
        answer = self.ask("POST", "/functions/v1/uploads", body, Idempotency_Key=key or str(uuid.uuid4()))
        want(answer.status == 201, f"an upload was asked for: {answer.status} {answer.text[:200]}")
        return answer.json | {"path": answer.json["url"][answer.json["url"].index("/upload/"):],
                              "highlight": body["highlight_id"]}


class Place(Ground):
    uploads = 500
    numbers = itertools.count(1)

    @property
    def server(self):
        return self.keep("server", lambda: self.fresh())

    @property
    def person(self):
        return self.keep("person", lambda: Person(self.server))

    def fresh(self, *flags):
        return Target(self, f"target-{next(self.numbers)}", *flags)

    @property
    def clip(self):
        """Three small seconds that are a video."""
        return self.keep("clip", self._make_clip)

    def _make_clip(self):
        path = self.folder / "clip.mp4"
        done = subprocess.run(
            [program("ffmpeg", "ffmpeg"), "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=192x108:r=15:d=3",
             "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", path], capture_output=True, text=True)
        want(done.returncode == 0, f"ffmpeg makes no clip: {done.stderr}")
        return path.read_bytes()

    def own_clip(self, number):
        """The clip with bytes at its end that every reader skips, and nobody else's has."""
        mark = f"{number}:{uuid.uuid4()}".encode().ljust(120, b".")
        return self.clip + (len(mark) + 8).to_bytes(4, "big") + b"free" + mark


def received(connection, seconds, enough=None):
    """Everything that comes within so many seconds of silence, and whether the other side closed."""
    connection.settimeout(seconds)
    parts = []
    while enough is None or len([code for code in statuses(b"".join(parts)) if code != 100]) < enough:
        try:
            part = connection.recv(65536)
        except TimeoutError:
            return b"".join(parts), False
        except OSError:
            return b"".join(parts), True
        if not part:
            return b"".join(parts), True
        parts.append(part)
    return b"".join(parts), False


def statuses(data):
    """The status of every answer in what was received."""
    return [int(code) for code in re.findall(rb"(?:^|\r?\n|[\]}>])HTTP/1\.[01] (\d{3})", data)]


def request(method, path, *lines, body=b"", host="127.0.0.1"):
    """A request's bytes; `lines` are its headers as they go out."""
    head = [f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, "", ""]
    return b"\r\n".join(line if isinstance(line, bytes) else line.encode("latin-1") for line in head) + body
