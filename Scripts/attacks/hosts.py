"""`--host`: other machines may ask only with the token."""

import http.client
import os
import subprocess

from oracles.ground import PATIENCE, free_port, own_address, want

from .target import Target

TOKEN = "a-token-of-the-check-0123456789abcdef"
ROUTES = [
    ("GET", "/"), ("GET", "/health"), ("GET", "/rest/v1/highlights?select=*"), ("POST", "/rest/v1/highlights"),
    ("POST", "/auth/v1/signup"), ("POST", "/auth/v1/token?grant_type=password"), ("GET", "/auth/v1/settings"),
    ("PUT", "/auth/v1/user"), ("POST", "/auth/v1/recover"), ("POST", "/auth/v1/verify"), ("GET", "/auth/v1/reauthenticate"),
    ("POST", "/functions/v1/delete-account"),
    ("POST", "/uploads"), ("POST", "/functions/v1/uploads"), ("GET", "/video/v1/assets"), ("PUT", "/upload/x?token=y"),
    ("GET", "/stream/x.mp4"), ("GET", "/image/x/thumbnail.jpg"), ("GET", "/style.css"),
    ("OPTIONS", "/functions/v1/uploads"), ("GET", "/nothing"), ("HEAD", "/"),
]


def refused(place, *flags, code=64, **variables):
    done = subprocess.run(
        [place.bsc, "serve", "--json", "--port", str(free_port()), *flags], env=place.client | variables,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    want(done.returncode == code, f"serve {' '.join(map(str, flags))} ends with {done.returncode}: {done.stderr[:300]}")
    is_told = "BSC_SERVE_TOKEN" in done.stdout + done.stderr
    want(is_told or "--token" in flags or code != 64, f"how a token is given is not said: {done.stderr}")
    for value in variables.values():
        want(not value.strip() or value not in done.stdout + done.stderr, "the token is told")


def check_refusals(place):
    empty = place.folder / "empty-token"
    empty.touch(mode=0o600)
    empty.write_text("\n")
    for host in "0.0.0.0", "::", own_address():
        refused(place, "--host", host)
        refused(place, "--host", host, BSC_SERVE_TOKEN="")
        refused(place, "--host", host, BSC_SERVE_TOKEN=" ")
    refused(place, "--host", "0.0.0.0", "--token-file", empty)
    refused(place, "--host", "0.0.0.0", "--token-file", place.folder / "no-such-file", code=66)
    # Never as a flag's value: others see it in `ps`.
    refused(place, "--host", "0.0.0.0", "--token", TOKEN)
    return "no other address without a token"


class Open(Target):
    """Listens on all addresses."""

    def __init__(self, place, *flags, **variables):
        self.variables = variables
        super().__init__(place, f"open-{next(place.numbers)}", "--host", "0.0.0.0", *flags)

    @property
    def base(self):
        return Anywhere(self.port)

    def start(self):
        self.home = {**self.home, **self.variables}
        super().start()


class Anywhere(str):
    """The base URL may name any address of the machine, with the right port."""

    def __new__(cls, port):
        self = super().__new__(cls, f"http://127.0.0.1:{port}")
        self.port = port
        return self

    def __eq__(self, other):
        return isinstance(other, str) and other.startswith("http://") and other.endswith(f":{self.port}")

    __hash__ = str.__hash__


def want_guarded(server, place):
    for method, path in ROUTES:
        for value in (None, "Bearer wrong", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", "Basic d3Jvbmc=", "Digest x",
                      "Basic", "Bearer", f"Bearer {TOKEN.upper()}"):
            headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
            if value:
                headers["Authorization"] = value
            answer = server.ask(method, path, "{}" if method in ("POST", "PUT") else None, headers)
            # An upload's own URL has a secret of its own, which this one has not.
            codes = (401, 403, 404) if path.startswith("/upload/") else (401,)
            want(answer.status in codes, f"{method} {path} with {value!r} is {answer.status}")
            want(TOKEN not in answer.text, "the token is told")
    answer = server.ask("GET", "/health", headers={"Authorization": f"Bearer {TOKEN}"})
    want(answer.status == 200, f"with the token /health is {answer.status}")
    page = server.ask("GET", "/", headers={"Authorization": f"Bearer {TOKEN}"})
    want(page.status == 200, f"with the token the page is {page.status}")
    # From another address of this machine as from any other machine.
    for headers, expected in ({}, 401), ({"Authorization": f"Bearer {TOKEN}"}, 200):
        connection = http.client.HTTPConnection(own_address(), server.port, timeout=PATIENCE)
        connection.request("GET", "/health", headers=headers)
        status = connection.getresponse().status
        connection.close()
        want(status == expected, f"by the machine's own address, {len(headers)} tokens: {status}")
    log = (place.folder / f"{server.name}.log").read_text()
    want(TOKEN not in log, "the token is in what the server prints")
    want(TOKEN not in " ".join(open(f"/proc/{server.process.pid}/cmdline").read().split("\0")), "the token is in ps")


def check_environment(place):
    server = Open(place, BSC_SERVE_TOKEN=TOKEN)
    want_guarded(server, place)
    server.kill()
    return f"{len(ROUTES)} routes ask for it"


def check_file(place):
    path = place.folder / "serve-token"
    path.touch(mode=0o600)
    path.write_text(TOKEN + "\n")
    server = Open(place, "--token-file", str(path))
    want_guarded(server, place)
    server.kill()
    os.chmod(path, 0o644)
    done = subprocess.run(
        [place.bsc, "serve", "--json", "--host", "0.0.0.0", "--port", str(free_port()), "--token-file", path],
        env=place.client, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    want(done.returncode != 0, "a token that all can read was taken")
    return "from a file that nobody else can read"


CHECKS = {"hosts refusals": check_refusals, "hosts environment": check_environment, "hosts file": check_file}
