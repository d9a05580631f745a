"""Oversized request heads and bodies."""

import contextlib
import gzip
import itertools
import json
import socket

from backend import want

from .wire import (MIB, WRITES, exchange, mux_login, received, request, statuses, usage, want_alive,
                   want_memory)

REFUSED = range(400, 500)


def lines(server, path):
    """The headers that each route requires before it reads the body."""
    login = [f"Authorization: {mux_login(server)}"] if path.startswith("/video/") else []
    return ["Content-Type: application/json", "Idempotency-Key: k", *login]


def check_heads(place):
    server = place.server
    shapes = {
        "one header of 1 MiB": request("GET", "/health", "X-Large: " + "a" * MIB),
        "a header name of 1 MiB": request("GET", "/health", "X" * MIB + ": a"),
        "5,000 headers": request("GET", "/health", *[f"X-{number}: a" for number in range(5000)]),
        "500 equal headers": request("GET", "/health", *["Cookie: a=b"] * 500),
        "a path of 1 MiB": request("GET", "/" + "a" * MIB),
        "a query of 1 MiB": request("GET", "/rest/v1/highlights?id=eq." + "a" * MIB),
        "a method of 1 MiB": request("A" * MIB, "/health"),
        "no end of the head": b"GET /health HTTP/1.1\r\n" + b"X-A: b\r\n" * 200_000,
        "no end of the line": b"GET /" + b"a" * 4 * MIB,
        "a token of 60 KiB": request("GET", "/rest/v1/highlights", "Authorization: Bearer " + "a" * 60_000),
    }
    before = usage(server).memory_info().rss
    for name, data in shapes.items():
        got, is_closed = exchange(server, data, enough=1)
        want(is_closed or statuses(got), f"{name}: neither rejected nor closed")
        want(all(code in REFUSED for code in statuses(got)), f"{name}: {statuses(got)}")
        want_alive(server, name)
    want(server.ask("GET", "/health", headers={"Cookie": "a" * 8000}).status_code == 200,
         "a header of 8 KB is rejected")
    return f"{len(shapes)} shapes rejected; {want_memory(server, before, 64)}"


def check_announced(place):
    """An absurd length is rejected before the body arrives."""
    server = place.server
    for (method, path), length in itertools.product(WRITES, (10 << 30, 2 ** 63 - 1, 2 ** 64, 10 ** 40)):
        for more in [], ["Expect: 100-continue"]:
            got, is_closed = exchange(
                server, request(method, path, *lines(server, path), f"Content-Length: {length}", *more), enough=1)
            want(b" 100 " not in got[:20] and all(code in REFUSED for code in statuses(got)) and (got or is_closed),
                 f"{method} {path} with {length} bytes: {got[:80] or 'waits for them'}")
    want_alive(server)
    return f"{len(WRITES)} routes reject before they read"


def check_bodies(place):
    server = place.server
    before = usage(server).memory_info().rss
    bodies = {
        "2 MiB of JSON": json.dumps({"caption": "a" * 2 * MIB}).encode(),
        "100,000 keys": json.dumps({f"key{number}": 1 for number in range(100_000)}).encode(),
        "100,000 rows": b"[" + b",".join([b"{}"] * 100_000) + b"]",
        "a gzip bomb": gzip.compress(b" " * 64 * MIB),
    }
    for method, path in WRITES:
        for name, body in bodies.items():
            extra = ["Content-Encoding: gzip"] if "gzip" in name else []
            got, is_closed = exchange(server, request(method, path, *lines(server, path), *extra,
                                                      f"Content-Length: {len(body)}", body=body), enough=1)
            codes = statuses(got)
            is_ignored = method == "DELETE" and codes in ([200], [204])
            want(is_ignored or codes and codes[0] in REFUSED or is_closed and not codes,
                 f"{method} {path} with {name}: {codes or 'no response'}")
        want_alive(server, f"{method} {path}")
    return f"{len(WRITES)} routes, {len(bodies)} bodies each; {want_memory(server, before, 128)}"


def check_endless(place):
    """A chunked body without an end, for as long as the server reads it."""
    server, most = place.server, 0
    before = usage(server).memory_info().rss
    for method, path in WRITES:
        sent = 0
        with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
            connection.sendall(request(method, path, *lines(server, path), "Transfer-Encoding: chunked"))
            with contextlib.suppress(OSError):
                while sent < 64 * MIB:
                    connection.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
                    sent += 0x10000
            got, is_closed = received(connection, enough=1)
        want(is_closed or statuses(got), f"{method} {path}: {sent >> 20} MiB were accepted without a response")
        want(all(code in REFUSED or method == "DELETE" and code < 300 for code in statuses(got)),
             f"{method} {path}: {statuses(got)}")
        most = max(most, sent)
        want_alive(server, f"{method} {path}")
    return f"at most {most >> 20} MiB were read; {want_memory(server, before, 256)}"
