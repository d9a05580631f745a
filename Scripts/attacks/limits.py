"""Heads and bodies beyond all bounds."""

import base64
import contextlib
import gzip
import json

from oracles.ground import PATIENCE, want

from .target import request, received, statuses

MIB = 1 << 20
# Routes that take a body, all for JSON.
BODIES = [
    ("POST", "/uploads"), ("POST", "/functions/v1/uploads"), ("POST", "/rest/v1/highlights"),
    ("POST", "/rest/v1/likes"),
    ("PATCH", "/rest/v1/profiles?id=eq.10ca1000-0000-4000-8000-000000000001"), ("POST", "/rest/v1/rpc/share_allowance"),
    ("POST", "/auth/v1/signup"), ("POST", "/auth/v1/token?grant_type=password"), ("PUT", "/auth/v1/user"),
    ("POST", "/auth/v1/recover"), ("POST", "/auth/v1/verify"), ("POST", "/video/v1/uploads"),
    ("DELETE", "/rest/v1/highlights?id=eq.10ca1000-0000-4000-8000-000000000001"),
]
REFUSED = range(400, 500)


def heads(server):
    """What each route wants beside the body, so that the body is looked at."""
    lines = ["Content-Type: application/json", "Idempotency-Key: k"]
    with contextlib.suppress(OSError):
        keys = server.keys
        basic = base64.b64encode(f"{keys['mux_token_id']}:{keys['mux_token_secret']}".encode()).decode()
        return lambda path: [*lines, f"Authorization: Basic {basic}"] if path.startswith("/video/") else lines
    return lambda path: lines


def check_heads(place):
    server = place.server
    shapes = {
        "one header of 1 MiB": request("GET", "/health", "X-Large: " + "a" * MIB),
        "a header's name of 1 MiB": request("GET", "/health", "X" * MIB + ": a"),
        "5,000 headers": request("GET", "/health", *[f"X-{number}: a" for number in range(5000)]),
        "500 times the same": request("GET", "/health", *["Cookie: a=b"] * 500),
        "a path of 1 MiB": request("GET", "/" + "a" * MIB),
        "a query of 1 MiB": request("GET", "/rest/v1/highlights?id=eq." + "a" * MIB),
        "a method of 1 MiB": request("A" * MIB, "/health"),
        "no end of the head": b"GET /health HTTP/1.1\r\n" + b"X-A: b\r\n" * 200_000,
        "no end of the line": b"GET /" + b"a" * 4 * MIB,
        "a token of 60 KiB": request("GET", "/rest/v1/highlights", "Authorization: Bearer " + "a" * 60_000),
    }
    before = server.status("VmRSS")
    for name, data in shapes.items():
        got, is_closed = server.raw(data, enough=1)
        codes = statuses(got)
        want(all(code in REFUSED for code in codes) and len(codes) <= 1, f"{name} was answered with {codes}")
        want(codes or is_closed, f"{name}: neither refused nor closed")
        server.want_alive(name)
    grown = (server.status("VmRSS") - before) / MIB
    want(grown < 64, f"the server grew by {grown:.0f} MiB")
    # What a browser may send is taken.
    want(server.ask("GET", "/health", headers={"Cookie": "a" * 8000}).status == 200, "a header of 8 KB is refused")
    return f"{len(shapes)} shapes refused; the server grew by {max(grown, 0):.0f} MiB"


def check_announced(place):
    """A length that nobody can want: refused before the body comes."""
    server = place.server
    lines = heads(server)
    for method, path in BODIES:
        for length in 10 << 30, 2 ** 63 - 1, 2 ** 64, 10 ** 40:
            for more in [], ["Expect: 100-continue"]:
                got, is_closed = server.raw(
                    request(method, path, *lines(path), f"Content-Length: {length}", *more), enough=1)
                codes = statuses(got)
                want(100 not in codes, f"{method} {path} with {length} bytes: go on, it says")
                want(codes and all(code in REFUSED for code in codes) or is_closed and not codes,
                     f"{method} {path} with {length} bytes announced: {codes or 'it waits for them'}")
    server.want_alive()
    return f"{len(BODIES)} routes refuse before they read"


def check_bodies(place):
    server = place.server
    lines, before = heads(server), server.status("VmRSS")
    texts = {
        "2 MiB of JSON": json.dumps({"caption": "a" * 2 * MIB}).encode(),
        "2 MiB of blanks": b"{" + b" " * 2 * MIB + b"}",
        "100,000 keys": json.dumps({f"key{number}": 1 for number in range(100_000)}).encode(),
        "100,000 rows": b"[" + b",".join([b"{}"] * 100_000) + b"]",
        "a bomb": gzip.compress(b" " * 64 * MIB),
    }
    for method, path in BODIES:
        for name, body in texts.items():
            extra = ["Content-Encoding: gzip"] if name == "a bomb" else []
            got, is_closed = server.raw(
                request(method, path, *lines(path), *extra, f"Content-Length: {len(body)}", body=body), enough=1)
            codes = [code for code in statuses(got) if code != 100]
            is_ignored = method == "DELETE" and codes in ([200], [204])
            want(is_ignored or codes and codes[0] in REFUSED or is_closed and not codes,
                 f"{method} {path} with {name}: {codes or 'no answer'}")
        server.want_alive(f"{method} {path}")
    grown = (server.status("VmRSS") - before) / MIB
    want(grown < 128, f"the server grew by {grown:.0f} MiB")
    return f"{len(BODIES)} routes, {len(texts)} bodies each; the server grew by {max(grown, 0):.0f} MiB"


def check_endless(place):
    """A body in chunks without an end, as long as the server reads it."""
    server = place.server
    lines, most = heads(server), 0
    for method, path in BODIES:
        sent = 0
        with server.connect() as connection:
            connection.sendall(request(method, path, *lines(path), "Transfer-Encoding: chunked"))
            chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
            # On a route that ignores bodies the bytes may flow, as on any; the connection ends some time.
            with contextlib.suppress(OSError):
                while sent < 64 * MIB:
                    connection.sendall(chunk)
                    sent += 0x10000
            got, is_closed = received(connection, PATIENCE, enough=1)
        codes = [code for code in statuses(got) if code != 100]
        want(is_closed or codes, f"{method} {path}: {sent >> 20} MiB went in, and nothing came back")
        want(all(code in REFUSED or method == "DELETE" and code < 300 for code in codes), f"{method} {path}: {codes}")
        most = max(most, sent)
        server.want_alive(f"{method} {path}")
    want(server.status("VmHWM") < 512 * MIB, f"the server once had {server.status('VmHWM') >> 20} MiB")
    return f"at most {most >> 20} MiB were let in; the server had {server.status('VmHWM') >> 20} MiB at most"


def check_chunks(place):
    """What the upload endpoint must not take."""
    server, person = place.server, place.person
    ticket = person.open()
    unit = 256 << 10
    for name, value, body in (
            ("a terabyte", f"bytes 0-{unit - 1}/{1 << 40}", bytes(unit)),
            ("more than it says", f"bytes 0-9/{unit}", bytes(unit)),
            ("less than it says", f"bytes 0-{unit - 1}/{unit}", bytes(10)),
            ("a hole", f"bytes {unit}-{2 * unit - 1}/*", bytes(unit)),
            ("backwards", "bytes 9-0/10", bytes(10)), ("minus", "bytes -5-4/10", bytes(10)),
            ("beyond 64 bits", f"bytes 0-9/{1 << 70}", bytes(10)), ("end beyond the total", "bytes 0-19/10", bytes(20)),
            ("no unit", "0-9/10", bytes(10)), ("nothing", "bytes", b""), ("words", "bytes a-b/c", bytes(3))):
        answer = server.ask("PUT", ticket["path"], body, {"Content-Range": value})
        want(answer.status in (*REFUSED, 308, 503), f"{name}: {answer.status} {answer.text[:100]}")
        asked = server.ask("PUT", ticket["path"], b"", {"Content-Range": "bytes */*"})
        want(asked.status == 308, f"after {name} the upload is {asked.status}")
    for wrong in "", "?token=", "?token=" + "0" * 64, "?token=%00", ticket["path"][ticket["path"].index("?"):] + "0":
        path = ticket["path"].split("?")[0] + wrong
        answer = server.ask("PUT", path, bytes(10), {"Content-Range": "bytes 0-9/10"})
        want(answer.status in (401, 403, 404), f"with the token {wrong[:12]!r} it is {answer.status}")
    server.want_alive()
    return "no hole, no other length, no other token"


CHECKS = {
    "limits heads": check_heads, "limits announced": check_announced, "limits bodies": check_bodies,
    "limits endless": check_endless, "limits chunks": check_chunks,
}
