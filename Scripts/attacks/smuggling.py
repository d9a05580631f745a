"""Requests whose end two readers would see in two places: refused, or at least the connection ends with them."""

from oracles.ground import want

from .target import request, statuses

SECOND = b"GET /the-second-request HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HEAD = b"POST /rest/v1/rpc/share_allowance HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
# Each has a request hidden in what one reader takes for the body, or cannot be read at all.
SHAPES = {
    "length and chunks": b"Content-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n",
    "chunks and length": CHUNKED + b"Content-Length: 200\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}",
    "two lengths in one": b"Content-Length: 2, 60\r\n\r\n{}", "a length with plus": b"Content-Length: +2\r\n\r\n{}",
    "a negative length": b"Content-Length: -2\r\n\r\n{}", "a length in hex": b"Content-Length: 0x2\r\n\r\n{}",
    "a length with a blank": b"Content-Length: 2 0\r\n\r\n{}", "an empty length": b"Content-Length: \r\n\r\n{}",
    "a length beyond": b"Content-Length: 18446744073709551618\r\n\r\n{}",
    "a length of words": b"Content-Length: two\r\n\r\n{}",
    "a blank before the colon": b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a blank before the length's": b"Content-Length : 2\r\n\r\n{}",
    "chunked twice": b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "chunked, then identity": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "an unknown coding": b"Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n\r\n{}",
    "a folded header": b"X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
    "a folded coding": b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "a bare return": b"X-A: b\rTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
    "a zero": b"X-A: b\0c\r\nContent-Length: 2\r\n\r\n{}",
    "a zero in the name": b"X\0A: b\r\nContent-Length: 2\r\n\r\n{}",
    "a blank in the name": b"X A: b\r\nContent-Length: 2\r\n\r\n{}",
    "no colon": b"X-A\r\nContent-Length: 2\r\n\r\n{}",
    "no name": b": b\r\nContent-Length: 2\r\n\r\n{}",
    "a vertical tab": b"Transfer-Encoding:\x0bchunked\r\nContent-Length: 2\r\n\r\n{}",
    "no chunk size": CHUNKED + b"\r\n\r\n{}\r\n0\r\n\r\n",
    "a chunk size of words": CHUNKED + b"\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a chunk size with 0x": CHUNKED + b"\r\n0x2\r\n{}\r\n0\r\n\r\n",
    "a negative chunk": CHUNKED + b"\r\n-2\r\n{}\r\n0\r\n\r\n",
    "a chunk beyond 64 bits": CHUNKED + b"\r\n10000000000000002\r\n{}\r\n0\r\n\r\n",
    "a chunk size with plus": CHUNKED + b"\r\n+2\r\n{}\r\n0\r\n\r\n",
    "a blank before the size": CHUNKED + b"\r\n 2\r\n{}\r\n0\r\n\r\n",
    "a chunk longer than it says": CHUNKED + b"\r\n1\r\n{}\r\n0\r\n\r\n",
    "a chunk shorter than it says": CHUNKED + b"\r\n5\r\n{}\r\n0\r\n\r\n",
    "a chunk without its end": CHUNKED + b"\r\n2\r\n{}0\r\n\r\n",
}
# Nothing is hidden in these; they are only large.
LARGE = {
    "an extension of a megabyte": CHUNKED + b"\r\n2;" + b"a" * (1 << 20) + b"\r\n{}\r\n0\r\n\r\n",
    "a trailer of a megabyte": CHUNKED + b"\r\n2\r\n{}\r\n0\r\nX: " + b"a" * (1 << 20) + b"\r\n\r\n",
    "100,000 trailers": CHUNKED + b"\r\n2\r\n{}\r\n0\r\n" + b"X: a\r\n" * 100_000 + b"\r\n",
    "100,000 chunks": CHUNKED + b"\r\n1\r\n{\r\n" + b"1\r\n \r\n" * 100_000 + b"1\r\n}\r\n0\r\n\r\n",
}
VERSIONS = [b"HTTP/1.2", b"HTTP/2.0", b"HTTP/9.9", b"HTTP/1.1.1", b"HTTP/1", b"http/1.1", b"HTTP/01.1", b"HTTX/1.1",
            b"", b"HTTP/1.1 x"]


def second(got):
    """Whether the hidden request was answered."""
    return len([code for code in statuses(got) if code != 100]) > 1


def check_shapes(place):
    server, refused, dropped = place.server, 0, 0
    for name, shape in SHAPES.items():
        got, is_closed = server.raw(HEAD + shape + SECOND)
        codes = [code for code in statuses(got) if code != 100]
        want(not any(code >= 500 and code != 501 for code in codes), f"{name}: {codes}")
        # Whoever takes the first must end the connection: what follows is of nobody.
        want(not second(got), f"{name}: both requests are answered, {codes}")
        want(codes or is_closed, f"{name}: neither refused nor closed")
        want(is_closed, f"{name}: {codes}, and the connection stays open")
        refused += bool(codes) and codes[0] >= 400
        dropped += not codes
        server.want_alive(name)
    before = server.status("VmRSS")
    for name, shape in LARGE.items():
        got, is_closed = server.raw(HEAD + shape, enough=1)
        want(is_closed or statuses(got), f"{name} hangs")
        want(not any(code >= 500 and code != 501 for code in statuses(got)), f"{name}: {statuses(got)}")
        server.want_alive(name)
    want(server.status("VmRSS") - before < 32 << 20, "large chunks stay in memory")
    return f"{len(SHAPES)} shapes: {refused} refused, {dropped} dropped, the rest taken and closed"


def check_versions(place):
    server = place.server
    for version in VERSIONS:
        got, is_closed = server.raw(b"GET /health " + version + b"\r\nHost: 127.0.0.1\r\n\r\n" + SECOND, enough=2)
        codes = statuses(got)
        want(is_closed and not (codes and codes[0] < 400) or version == b"HTTP/1.2" and codes, f"{version}: {codes}")
    for ending in b"GET /health HTTP/1.1\nHost: 127.0.0.1\n\n", b"GET /health HTTP/1.1\rHost: 127.0.0.1\r\r":
        got, _ = server.raw(ending, seconds=1)
        want(len(statuses(got)) <= 1, f"{ending[:24]}: {statuses(got)}")
    for noise in b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\0" * 4096, \
            b"\r\n" * 5000, b"SSH-2.0-x\r\n", bytes(range(256)) * 64:
        server.raw(noise, seconds=1)
        server.want_alive(f"{noise[:12]}")
    return f"{len(VERSIONS)} versions, TLS, HTTP/2 and noise"


def check_pipelines(place):
    """Requests behind each other are answered in order, each with its own."""
    server = place.server
    paths = ["/health", "/rest/v1/nothing", "/style.css", "/h/none", "/health"] * 20
    got, _ = server.raw(b"".join(request("GET", path) for path in paths), enough=len(paths))
    alone = [server.ask("GET", path).status for path in paths[:5]] * 20
    found = statuses(got)
    want(found == alone, f"{len(found)} answers to {len(paths)} requests in one go: {found[:6]}, alone {alone[:6]}")
    # A refused body is no request.
    body = request("GET", "/inside")
    for path in "/nothing", "/uploads":
        first = request("POST", path, f"Content-Length: {len(body)}", body=body)
        got, _ = server.raw(first + request("GET", "/health", "Connection: close"))
        codes = statuses(got)
        want(codes[:1] and 400 <= codes[0] < 500 and codes[1:] in ([200], []), f"a body that is a request: {codes}")
    return f"{len(paths)} in one go, in order; a body is no request"


CHECKS = {
    "smuggling shapes": check_shapes, "smuggling versions": check_versions, "smuggling pipelines": check_pipelines,
}
