"""Other accounts of the same machine: the port is open to them, and nothing else."""

import contextlib
import json
import os
import pwd
import re
import resource
import shutil
import socket
import subprocess
import time
import urllib.parse

from oracles.ground import PATIENCE, wait_for, want

from .hosts import Anywhere
from .target import Skipped, Target, received, request, statuses

OWN = "10ca1000-0000-4000-8000-000000000001"
PROFILE = f"/rest/v1/profiles?id=eq.{OWN}"
FACTS = {"duration": 5, "confidence": 0.5, "quality": 0.5, "detection_count": 1}

WAYS = "plain", "mapped", "half", "leaves"


@contextlib.contextmanager
def acting_as(user):
    """A socket is that of who made it."""
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)


def ids(count):
    """Accounts that nobody has."""
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    return [number for number in range(42_000, 43_000) if number not in taken][:count]


class OwnedTarget(Target):
    """A server of an account of its own."""

    def __init__(self, place, name, user, *flags, files=None, **variables):
        self.user, self.files, self.variables = user, files, variables
        # Where everybody may run it.
        self.program = place.folder / "bsc-of-all"
        if not self.program.exists():
            shutil.copy(place.bsc, self.program)
        self.program.chmod(0o755)
        super().__init__(place, name, *flags)

    @property
    def base(self):
        return Anywhere(self.port)

    def start(self):
        self.options = {"user": self.user, "group": self.user, "extra_groups": []}
        self.home = self.home | self.variables
        if self.files is not None:
            # As few descriptors as anybody may use up.
            self.options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (self.files, self.files))
        os.chown(self.ground.folder / self.name, self.user, self.user)
        bsc, self.ground.bsc = self.ground.bsc, self.program
        try:
            super().start()
        finally:
            self.ground.bsc = bsc


def exchange(server, user, method, path, body=None, way="plain", *lines):
    """What another account gets: the status, and all bytes."""
    data = json.dumps(body).encode() if isinstance(body, dict) else (body or "").encode()
    kind = "application/json" if isinstance(body, dict) else "application/x-www-form-urlencoded"
    sent = request(method, path, f"Content-Length: {len(data)}", f"Content-Type: {kind}", "Idempotency-Key: k",
                   "Connection: close", *lines, body=data, host=f"127.0.0.1:{server.port}")
    with acting_as(user):
        connection = socket.socket(socket.AF_INET6 if way == "mapped" else socket.AF_INET)
        connection.connect(("::ffff:127.0.0.1" if way == "mapped" else "127.0.0.1", server.port))
    with connection:
        connection.sendall(sent)
        if way == "leaves":
            # What is left behind says in the kernel's table that it is root's.
            connection.close()
            time.sleep(0.3)
            return None, ""
        if way == "half":
            connection.shutdown(socket.SHUT_WR)
        data, _ = received(connection, PATIENCE)
    codes = statuses(data)
    return (codes[-1] if codes else None), data.decode(errors="replace")


def speak(server, user, method, path, body=None, way="plain"):
    """The status, and the body."""
    status, text = exchange(server, user, method, path, body, way)
    return status, text.partition("\r\n\r\n")[2]


def enter(server, user, key):
    """The way of a browser that opens the owner's address."""
    status, page = exchange(server, user, "GET", f"/enter?key={key}&next=/uploads")
    cookie = re.search(r"(?im)^set-cookie: ([^;\r]+)", page)
    token = re.search(r'name="token" value="([^"]+)"', page)
    want(status == 200 and cookie and token, f"the page at the entrance is {status} {page[:300]}")
    form = urllib.parse.urlencode({"key": key, "next": "/uploads", "token": token[1]})
    return exchange(server, user, "POST", "/enter", form, "plain", f"Cookie: {cookie[1]}")[0]


def entrance_key(server):
    done = subprocess.run([server.program, "serve", "--open", "--json"], env=server.home | {"PATH": "/nowhere"},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, **server.options)
    want(done.returncode == 0, f"serve --open: {done.stderr}")
    return urllib.parse.parse_qs(urllib.parse.urlsplit(json.loads(done.stdout)["entranceURL"]).query)["key"][0]


def bio(server, user):
    status, text = speak(server, user, "GET", PROFILE + "&select=bio")
    want(status == 200, f"the own profile is {status} {text[:200]}")
    return text


def with_accounts(check):
    """A check by an owner and a stranger; it takes root to be both."""
    def run(place):
        if os.geteuid() != 0:
            return Skipped("it takes root to be several accounts")
        # Theirs is not the folder, but what is in it.
        os.chmod(place.folder, 0o711)
        return check(place, *ids(2))
    return run


@with_accounts
def check_strangers(place, owner, stranger):
    tried = 0
    for own in owner, 0:
        server = OwnedTarget(place, f"users-{own}", own)
        # Who runs it, and root, need no name.
        for trusted in {own, 0}:
            status, _ = speak(server, trusted, "PATCH", PROFILE, {"bio": f"of {trusted}"}, way="mapped")
            want(status == 204, f"{trusted} at the server of {own} is {status}")
            status, _ = speak(server, trusted, "PATCH", PROFILE, {"bio": f"of {trusted}"}, way="half")
            want(status == 204, f"{trusted} at the server of {own}, half closed, is {status}")
            want(f"of {trusted}" in bio(server, trusted), "the own profile did not change")
        row = {"author_id": OWN, "mux_playback_id": "secret", "rally_metadata": FACTS, "privacy_level": "private"}
        status, text = speak(server, own, "POST", "/rest/v1/highlights", row)
        want(status == 201, f"an own highlight is {status} {text[:200]}")
        before = bio(server, own)
        for way in WAYS:
            for method, path, body in (
                    ("PATCH", PROFILE, {"bio": "taken"}), ("DELETE", "/rest/v1/highlights?mux_playback_id=eq.secret", None),
                    ("POST", "/rest/v1/highlights", row), ("POST", "/functions/v1/uploads", {}), ("POST", "/uploads", {})):
                status, text = speak(server, stranger, method, path, body, way)
                tried += 1
                want(way == "leaves" or status in (400, 401, 403, 204, 200), f"{way} {method} {path} is {status}")
                want(status != 201, f"{way} {method} {path} made something: {text[:200]}")
            status, text = speak(server, stranger, "GET", "/rest/v1/highlights?select=*", way=way)
            want("secret" not in text, f"{way}: a private highlight is told: {text[:200]}")
        want(bio(server, own) == before, "a stranger changed the profile")
        _, text = speak(server, own, "GET", "/rest/v1/highlights?select=mux_playback_id")
        want(text.count("secret") == 1, f"a stranger changed the highlights: {text[:300]}")
        # The owner's address is on the command line of a browser, where everybody reads it.
        key = entrance_key(server)
        status = enter(server, stranger, key)
        want(status == 403, f"a stranger with the owner's address is {status}")
        status = enter(server, own, key)
        want(status == 303, f"the owner, after that, is {status}")
        server.kill()
    return f"{tried} requests in {len(WAYS)} ways change nothing; who runs the server, and root, are heard"


@with_accounts
def check_exhausted(place, owner, stranger):
    """A server that can open no file any more does not see whose a connection is."""
    server = OwnedTarget(place, "users-exhausted", owner, files=200)

    def connect():
        with acting_as(stranger):
            connection = socket.socket()
            connection.connect(("127.0.0.1", server.port))
            return connection

    def ask(connection, method, path, body=b""):
        lines = (f"Content-Length: {len(body)}", "Content-Type: application/json")
        connection.sendall(request(method, path, *lines, body=body, host=f"127.0.0.1:{server.port}"))
        data, _ = received(connection, PATIENCE, 1)
        return statuses(data)

    with contextlib.ExitStack() as idle:
        first = idle.enter_context(connect())
        want(ask(first, "GET", "/health") == [200], "the server does not answer a stranger")
        for _ in range(300):
            idle.enter_context(connect())
        wait_for(lambda: len(os.listdir(f"/proc/{server.process.pid}/fd")) >= 190, "190 descriptors are used")
        held = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        told = ask(first, "PATCH", PROFILE, b'{"bio":"taken"}')
        want(told and told[-1] != 204 and told[-1] >= 400, f"a stranger at an exhausted server is {told}")
    wait_for(lambda: len(os.listdir(f"/proc/{server.process.pid}/fd")) <= 150, "the connections end")
    want("taken" not in bio(server, owner), "a stranger changed the profile")
    server.kill()
    return f"with all {held} descriptors in use a stranger is {told[-1]}"


@with_accounts
def check_open(place, owner, stranger):
    """A token lets other machines in; the owner's address lets the owner in, and no other account."""
    for host in "0.0.0.0", "::":
        server = OwnedTarget(place, f"users-open-{len(host)}", owner, "--host", host, BSC_SERVE_TOKEN="0123456789abcdef0123")
        key = entrance_key(server)
        status = enter(server, stranger, key)
        want(status == 403, f"--host {host}: a stranger with the owner's address is {status}")
        status = enter(server, owner, key)
        want(status == 303, f"--host {host}: the owner, after that, is {status}")
        server.kill()
    return "the owner's address is the owner's on --host, too"


CHECKS = {"users strangers": check_strangers, "users exhausted": check_exhausted, "users open": check_open}
