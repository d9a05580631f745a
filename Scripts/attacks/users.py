"""Other accounts of the same machine can connect to the port, but they are not the owner."""

import contextlib
import json
import os
import pwd
import re
import resource
import shutil
import socket
import time
import urllib.parse

from backend import FACTS, LOCAL_USER, PATIENCE, Skipped, wait_for, want

from .wire import PROFILE, received, request, statuses, usage

# How a stranger connects: IPv4, IPv4 mapped into IPv6, closing its side early, or leaving at once.
WAYS = "plain", "mapped", "half", "leaves"


@contextlib.contextmanager
def acting_as(user):
    """Sockets belong to the account that creates them."""
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)


def accounts(place):
    """The ids of an owner and a stranger."""
    if os.geteuid() != 0:
        raise Skipped("needs root, to act as several accounts")
    place.folder.chmod(0o711)
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    return [number for number in range(42_000, 43_000) if number not in taken][:2]


def owned(place, user, *flags, files=None, **environment):
    """A server that runs under another account."""
    program = place.folder / "bsc-for-all"
    if not program.exists():
        shutil.copy(place.bsc, program)
        program.chmod(0o755)
    options = {"user": user, "group": user, "extra_groups": []}
    if files is not None:
        options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    return place.fresh(*flags, program=program, environment=environment, **options)


def exchange(server, user, method, path, body=None, way="plain", *lines):
    """The status and the response that an account gets."""
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
            # The kernel's table then assigns the connection to root.
            connection.close()
            time.sleep(0.3)
            return None, ""
        if way == "half":
            connection.shutdown(socket.SHUT_WR)
        got, _ = received(connection)
    codes = statuses(got)
    return (codes[-1] if codes else None), got.decode(errors="replace")


def enter(server, user, key):
    """Opens the owner's address as a browser does."""
    status, page = exchange(server, user, "GET", f"/enter?key={key}&next=/uploads")
    cookie = re.search(r"(?im)^set-cookie: ([^;\r]+)", page)
    token = re.search(r'name="token" value="([^"]+)"', page)
    want(status == 200 and cookie and token, f"the page at the entrance is {status} {page[:300]}")
    form = urllib.parse.urlencode({"key": key, "next": "/uploads", "token": token[1]})
    return exchange(server, user, "POST", "/enter", form, "plain", f"Cookie: {cookie[1]}")[0]


def want_only_owner_enters(server, owner, stranger):
    """The command line of the browser shows the owner's address to every account."""
    key = urllib.parse.parse_qs(urllib.parse.urlsplit(server.entrance()).query)["key"][0]
    for user, expected in (stranger, 403), (owner, 303):
        status = enter(server, user, key)
        want(status == expected, f"account {user} with the owner's address is {status}, not {expected}")


def check_strangers(place):
    owner, stranger = accounts(place)
    row = {"author_id": LOCAL_USER, "mux_playback_id": "secret", "rally_metadata": FACTS, "privacy_level": "private"}
    tried = 0
    for own in owner, 0:
        server = owned(place, own)
        for trusted in {own, 0}:
            for way in "mapped", "half":
                status, _ = exchange(server, trusted, "PATCH", PROFILE, {"bio": f"by {trusted}"}, way)
                want(status == 204, f"{trusted} at the server of {own}, {way}, is {status}")
        status, text = exchange(server, own, "POST", "/rest/v1/highlights", row)
        want(status == 201, f"a private highlight is {status} {text[-200:]}")
        before = exchange(server, own, "GET", PROFILE + "&select=bio")[1].partition("\r\n\r\n")[2]
        for way in WAYS:
            for method, path, body in (
                    ("PATCH", PROFILE, {"bio": "taken"}),
                    ("DELETE", "/rest/v1/highlights?mux_playback_id=eq.secret", None),
                    ("POST", "/rest/v1/highlights", row), ("POST", "/functions/v1/uploads", {}),
                    ("POST", "/uploads", {})):
                status, text = exchange(server, stranger, method, path, body, way)
                tried += 1
                want(way == "leaves" or status in (400, 401, 403, 204, 200), f"{way} {method} {path} is {status}")
            _, text = exchange(server, stranger, "GET", "/rest/v1/highlights?select=*", None, way)
            want("secret" not in text, f"{way}: a private highlight is shown: {text[-200:]}")
        after = exchange(server, own, "GET", PROFILE + "&select=bio")[1].partition("\r\n\r\n")[2]
        want(after == before, f"a stranger changed the profile: {after}")
        _, text = exchange(server, own, "GET", "/rest/v1/highlights?select=mux_playback_id")
        want(text.count("secret") == 1, f"a stranger changed the highlights: {text[-300:]}")
        want_only_owner_enters(server, own, stranger)
        server.kill()
    return f"{tried} requests in {len(WAYS)} ways change nothing; the owner and root have access"


def check_exhausted(place):
    """A server without free descriptors cannot determine whose connection it is, and rejects it."""
    owner, stranger = accounts(place)
    server = owned(place, owner, files=200)

    def connect():
        with acting_as(stranger):
            return socket.create_connection(("127.0.0.1", server.port), PATIENCE)

    def ask(connection, method, path, body=b""):
        connection.sendall(request(method, path, f"Content-Length: {len(body)}", "Content-Type: application/json",
                                   body=body, host=f"127.0.0.1:{server.port}"))
        return statuses(received(connection, enough=1)[0])

    with contextlib.ExitStack() as idle:
        first = idle.enter_context(connect())
        want(ask(first, "GET", "/health") == [200], "the server does not respond to a stranger")
        for _ in range(300):
            idle.enter_context(connect())
        wait_for(lambda: usage(server).num_fds() >= 190, "190 descriptors are used")
        codes = ask(first, "PATCH", PROFILE, b'{"bio":"taken"}')
        want(codes and codes[-1] >= 400, f"a stranger at an exhausted server is {codes}")
    wait_for(lambda: usage(server).num_fds() <= 150, "the connections end")
    want("taken" not in exchange(server, owner, "GET", PROFILE)[1], "a stranger changed the profile")
    server.kill()
    return f"without free descriptors a stranger is {codes[-1]}"


def check_open(place):
    """A token gives access to other machines; the owner's address works only for the owner."""
    owner, stranger = accounts(place)
    for host in "0.0.0.0", "::":
        server = owned(place, owner, "--host", host, BSC_SERVE_TOKEN="0123456789abcdef0123")
        want_only_owner_enters(server, owner, stranger)
        server.kill()
    return "with --host, the owner's address works only for the owner"
