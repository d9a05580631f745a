"""Attempts to leave the data folder, through every route with a parameter."""

import itertools

from backend import want

from .wire import exchange, mux_login, request, secrets, statuses, want_alive

# `{}` is the parameter.
ROUTES = [
    "/{}", "/h/{}", "/stream/{}.m3u8", "/stream/{}.mp4", "/stream/{}/highest.mp4", "/stream/ID/{}",
    "/image/{}/thumbnail.jpg", "/image/ID/{}.jpg", "/uploads/{}", "/functions/v1/{}", "/functions/v1/uploads/{}/cancel",
    "/upload/{}?token=x", "/upload/ID?token={}", "/video/v1/assets/{}", "/video/v1/assets/ID/playback-ids/{}",
    "/video/v1/uploads/{}", "/rest/v1/{}", "/rest/v1/rpc/{}", "/auth/v1/{}", "/download/storage/v1/b/clips/o/{}",
]
UPS = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "..%255c", "%252e%252e%252f", "..;/", "....//",
       "%c0%ae%c0%ae%c0%af", ".%00./", "..%00/"]
FILES = ["etc/passwd", "keys.json", "backend.sqlite", "etc%2fpasswd"]
ODD = ["%00", "x%00.mp4", "%", "%2", "%zz", "%ff%fe", "\xff", ".", "..", "%2e%2e", "//", "%2f", "A" * 9000,
       "%41" * 3000,
       "%2fetc%2fpasswd", "file:%2f%2f%2fetc%2fpasswd", "~root", "`id`", "%0d%0aX:%20y", "*"]
TARGETS = ["http://evil.example/etc/passwd", "http://127.0.0.1/../../etc/passwd", "file:///etc/passwd", "*", "",
           "evil.example:80", "//evil.example/x", "/?", "/#", "/%", "/\x01", "/\x7f", "/a b", "/ HTTP/1.1\r\nX: y"]


def want_kept(server, data, what):
    for secret in [b"root:x:0", b"SQLite format 3", b"ownerToken", b"jwt_secret", b"secret_key", *secrets(server)]:
        want(secret not in data, f"{what} contains {secret[:16]!r}")
    codes = statuses(data)
    want(len(codes) == 1 and (codes[0] < 500 or codes[0] in (501, 505)), f"{what} is {codes}")
    return codes[0]


def headers(server, route):
    if not route.startswith("/video"):
        return ["Connection: close"]
    return ["Connection: close", f"apikey: {server.keys['secret_key']}", f"Authorization: {mux_login(server)}"]


def check_out(place):
    server, count = place.server, 0
    for route in ROUTES:
        for up, file, depth in itertools.product(UPS, FILES, (1, 4, 9)):
            path = route.replace("{}", up * depth + file)
            got, _ = exchange(server, request("GET", path, *headers(server, route)))
            status = want_kept(server, got, f"GET {path[:120]}")
            # Some of these paths lead back to a page of the server.
            want(status != 200 or b"text/html" in got or b"local backend" in got or b"[]" in got[-4:],
                 f"GET {path[:120]} is 200: {got[-80:]}")
            count += 1
        want_alive(server, route)
    want(not any(secret in server.log.read_bytes() for secret in secrets(server)), "a secret is in the output")
    return f"{count} paths through {len(ROUTES)} routes, no file"


def check_odd(place):
    server, count = place.server, 0
    for route in ROUTES:
        for parameter, method in itertools.product(ODD, ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD")):
            path = route.replace("{}", parameter)
            got, _ = exchange(server, request(method, path, *headers(server, route), "Content-Length: 2",
                                              "Content-Type: application/json", body=b"{}"))
            want_kept(server, got, f"{method} {path[:100]!r}")
            want(b"\r\nX: y" not in got, f"{method} {path[:100]!r} adds a header to the response")
            count += 1
        want_alive(server, route)
    for target, method in itertools.product(TARGETS, ("GET", "OPTIONS", "CONNECT", "TRACE", "BREW", "get")):
        got, is_closed = exchange(server, request(method, target, "Connection: close"))
        want(is_closed or statuses(got), f"{method} {target!r} hangs")
        if statuses(got):
            want_kept(server, got, f"{method} {target!r}")
        want(method != "TRACE" or b"200" not in got[:15], "TRACE is supported")
    want_alive(server)
    return f"{count} requests and {len(TARGETS)} odd targets, each answered once, none with 5xx"
