"""Ways out of the data folder, and to files that are nobody's, through every route with a parameter."""

import base64
import contextlib
import itertools

from oracles.ground import want

from .target import request, statuses

# `{}` is where a parameter stands.
ROUTES = [
    "/{}", "/h/{}", "/stream/{}", "/stream/{}.m3u8", "/stream/{}.mp4", "/stream/{}/highest.mp4", "/stream/ID/{}",
    "/image/{}/thumbnail.jpg", "/image/ID/{}", "/image/ID/{}.jpg", "/uploads/{}", "/functions/v1/{}",
    "/functions/v1/uploads/{}", "/functions/v1/uploads/{}/cancel", "/upload/{}?token=x", "/upload/ID?token={}",
    "/video/v1/assets/{}", "/video/v1/assets/ID/playback-ids/{}", "/video/v1/uploads/{}", "/video/v1/playback-ids/{}",
    "/rest/v1/{}", "/rest/v1/rpc/{}", "/auth/v1/{}", "/download/storage/v1/b/clips/o/{}",
]
UPS = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "..%255c", "%252e%252e%252f", "..;/", "....//",
       "%c0%ae%c0%ae%c0%af", "%uff0e%uff0e/", ".%00./", "..%00/"]
FILES = ["etc/passwd", "keys.json", "server.json", "backend.sqlite", "etc%2fpasswd"]
ODD = ["%00", "x%00.mp4", "%", "%2", "%zz", "%ff%fe", "\xff", ".", "..", "%2e", "%2e%2e", "/", "//", "%2f", "A" * 9000,
       "%41" * 3000, "/etc/passwd", "%2fetc%2fpasswd", "file:%2f%2f%2fetc%2fpasswd", "~root", "$HOME", "`id`",
       "%0d%0aX:%20y", "con", "*", "..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd%00.jpg"]


def secrets(server):
    """What nobody may be told, as bytes."""
    found = [b"root:x:0", b"root:*:0", b"SQLite format 3", b"ownerToken", b"jwt_secret", b"secret_key"]
    with contextlib.suppress(OSError):
        keys = server.keys
        found += [keys[name].encode() for name in keys if name not in ("publishable_key", "anon_key", "mux_token_id")]
    return found


def want_kept(server, data, what):
    for secret in secrets(server):
        want(secret not in data, f"{what} tells {secret[:16]!r}")
    codes = statuses(data)
    want(codes, f"{what} is not answered")
    want(all(code < 500 or code in (501, 505) for code in codes), f"{what} is answered with {codes}")
    return codes


def headers(server, is_known):
    if not is_known:
        return ["Connection: close"]
    with contextlib.suppress(OSError):
        keys = server.keys
        basic = base64.b64encode(f"{keys['mux_token_id']}:{keys['mux_token_secret']}".encode()).decode()
        return ["Connection: close", f"apikey: {keys['secret_key']}", f"Authorization: Basic {basic}"]
    return ["Connection: close"]


def check_out(place):
    server, count = place.server, 0
    wanted = [up * depth + file for up, file in itertools.product(UPS, FILES) for depth in (1, 4, 9)]
    for route in ROUTES:
        lines = headers(server, route.startswith("/video"))
        for parameter in wanted:
            path = route.replace("{}", parameter)
            got, _ = server.raw(request("GET", path, *lines))
            codes = want_kept(server, got, f"GET {path[:120]}")
            # What does not exist is not there: the ways that lead back to a page of the server's own may be.
            want(codes[0] != 200 or b"text/html" in got or b"local backend" in got or b"text/css" in got
                 or b"[]" in got[-4:], f"GET {path[:120]} is 200: {got[-80:]}")
            count += 1
        server.want_alive(route)
    return f"{count} paths through {len(ROUTES)} routes, and no file"


def check_odd(place):
    server, count = place.server, 0
    for route in ROUTES:
        for parameter, method in itertools.product(ODD, ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD")):
            path = route.replace("{}", parameter)
            lines = [*headers(server, route.startswith("/video")), "Content-Length: 2",
                     "Content-Type: application/json", "Prefer: return=representation"]
            got, _ = server.raw(request(method, path, *lines, body=b"{}"))
            codes = want_kept(server, got, f"{method} {path[:100]!r}")
            want(b"\r\nX: y" not in got, f"{method} {path[:100]!r} puts a header into the answer")
            want(len([code for code in codes if code != 100]) == 1, f"{method} {path[:100]!r}: {codes}")
            count += 1
        server.want_alive(route)
    return f"{count} requests, each answered once, none with 5xx"


def check_targets(place):
    """Other forms of a request's target."""
    server = place.server
    for target in "http://evil.example/etc/passwd", "http://127.0.0.1/../../etc/passwd", "file:///etc/passwd", "*", \
            "", "evil.example:80", "//evil.example/x", "/?", "/#", "/%", "/\x01", "/\x7f", "/a b", "/ HTTP/1.1\r\nX: y":
        for method in "GET", "OPTIONS", "CONNECT", "TRACE", "BREW", "get":
            got, is_closed = server.raw(request(method, target, "Connection: close"))
            want(is_closed or statuses(got), f"{method} {target!r} hangs")
            if statuses(got):
                want_kept(server, got, f"{method} {target!r}")
            want(method != "TRACE" or b"200" not in got[:15], "TRACE is answered")
    server.want_alive()
    return "absolute, empty and broken targets"


def check_left(place):
    """Nothing that an attack named has been made."""
    server = place.server
    known = {"server.lock", "server.json", "keys.json", "backend.sqlite", "backend.sqlite-wal", "backend.sqlite-shm"}
    files = [path for path in server.data.rglob("*") if path.is_file() and path.name not in known]
    odd = [path for path in files if any(part.startswith(("..", "%")) or "passwd" in part or len(part) > 200
                                         for part in path.parts)]
    want(not odd, f"left behind: {odd[:3]}")
    for name in "keys.json", "server.json", "backend.sqlite":
        mode = (server.data / name).stat().st_mode & 0o777
        want(mode == 0o600, f"{name} has the mode {mode:o}")
    server.want_intact()
    return f"{len(files)} files besides the database, none from outside"


CHECKS = {"paths out": check_out, "paths odd": check_odd, "paths targets": check_targets, "paths left": check_left}
