"""Raw connections for requests that HTTP libraries cannot send, and the server's health."""

import base64
import re
import socket
import sqlite3
import uuid
from contextlib import closing

import psutil
from backend import LOCAL_USER, PATIENCE, Account, ffmpeg, want

MIB = 1 << 20
PROFILE = f"/rest/v1/profiles?id=eq.{LOCAL_USER}"
# Routes that accept a body.
WRITES = [
    ("POST", "/uploads"), ("POST", "/functions/v1/uploads"), ("POST", "/rest/v1/highlights"), ("PATCH", PROFILE),
    ("DELETE", f"/rest/v1/highlights?id=eq.{LOCAL_USER}"), ("POST", "/rest/v1/rpc/share_allowance"),
    ("POST", "/auth/v1/signup"), ("POST", "/auth/v1/token?grant_type=password"), ("PUT", "/auth/v1/user"),
    ("POST", "/auth/v1/recover"), ("POST", "/auth/v1/verify"), ("POST", "/video/v1/uploads"),
]


def account(place):
    return place.keep("account", lambda: Account(place.server))


def clip(place, number=0):
    """Three small seconds of video; with a number, followed by a unique box that every reader skips."""
    path = place.keep("clip",
                      lambda: ffmpeg(place.folder / "clip.mp4", "-f", "lavfi", "-i", "testsrc2=s=192x108:r=15:d=3"))
    mark = f"{number}:{uuid.uuid4()}".encode().ljust(120, b".")
    return path.read_bytes() + (len(mark) + 8).to_bytes(4, "big") + b"free" + mark


def request(method, path, *lines, body=b"", host="127.0.0.1"):
    """A request's bytes; `lines` are its headers as they are."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, "", ""]).encode("latin-1") + body


def statuses(data):
    """The status of every final response in the data."""
    codes = [int(code) for code in re.findall(rb"(?:^|\r?\n|[\]}>])HTTP/1\.[01] (\d{3})", data)]
    return [code for code in codes if code != 100]


def received(connection, seconds=PATIENCE, enough=None):
    """All data until the server closes, `seconds` of silence, or `enough` responses; and whether the server closed."""
    connection.settimeout(seconds)
    data = b""
    while enough is None or len(statuses(data)) < enough:
        try:
            part = connection.recv(65536)
        except TimeoutError:
            return data, False
        except OSError:
            return data, True
        if not part:
            return data, True
        data += part
    return data, False


def exchange(server, data, seconds=PATIENCE, enough=None):
    with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
        try:
            connection.sendall(data)
        except OSError:
            pass
        return received(connection, seconds, enough)


def mux_login(server):
    keys = server.keys
    return "Basic " + base64.b64encode(f"{keys['mux_token_id']}:{keys['mux_token_secret']}".encode()).decode()


def secrets(server):
    """Values that no response may contain."""
    public = "publishable_key", "anon_key", "mux_token_id"
    return [value.encode() for name, value in server.keys.items() if name not in public]


def usage(server):
    return psutil.Process(server.process.pid)


def want_alive(server, what="after that"):
    want(server.process.poll() is None, f"{what} the server has ended with {server.process.returncode}")
    want(server.ask("GET", "/health").status_code == 200, f"{what} the server is not healthy")


def want_memory(server, before, limit):
    grown = (usage(server).memory_info().rss - before) >> 20
    want(grown < limit, f"the server grew by {grown} MiB")
    return f"the server grew by {max(grown, 0)} MiB"


def want_intact(server):
    """SQLite finds the file and its foreign keys valid."""
    with closing(sqlite3.connect(server.data / "backend.sqlite")) as database:
        want(database.execute("pragma integrity_check").fetchone() == ("ok",), "the database is damaged")
        want(not database.execute("pragma foreign_key_check").fetchall(), "rows refer to missing rows")
