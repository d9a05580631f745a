"""Requests whose end is ambiguous. The server must reject them, or close the connection."""

from backend import want

from .wire import MIB, exchange, request, statuses, usage, want_alive, want_memory

SECOND = b"GET /the-second-request HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HEAD = b"POST /rest/v1/rpc/share_allowance HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
# Headers before a body of `{}`.
LENGTHS = [
    b"Content-Length: 2\r\nContent-Length: 60", b"Content-Length: 2, 60", b"Content-Length: +2", b"Content-Length: -2",
    b"Content-Length: 0x2", b"Content-Length: 2 0", b"Content-Length: ", b"Content-Length: 18446744073709551618",
    b"Content-Length: two", b"Content-Length : 2", b"Transfer-Encoding: xchunked\r\nContent-Length: 2",
    b"X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 2",
    b"X-A: b\rTransfer-Encoding: chunked\r\nContent-Length: 2", b"X-A: b\0c\r\nContent-Length: 2",
    b"X\0A: b\r\nContent-Length: 2", b"X A: b\r\nContent-Length: 2", b"X-A\r\nContent-Length: 2",
    b": b\r\nContent-Length: 2", b"Transfer-Encoding:\x0bchunked\r\nContent-Length: 2",
]
# Headers before a chunked body that ends at once.
CODINGS = [
    b"Content-Length: 5\r\nTransfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\nContent-Length: 200",
    b"Transfer-Encoding : chunked", b"Transfer-Encoding: chunked, chunked", b"Transfer-Encoding: chunked, identity",
    b"Transfer-Encoding:\r\n chunked",
]
# Sizes of a chunk with `{}`.
SIZES = [b"", b"zz", b"0x2", b"-2", b"10000000000000002", b"+2", b" 2", b"1", b"5"]
SHAPES = ([head + b"\r\n\r\n{}" for head in LENGTHS] + [head + b"\r\n\r\n0\r\n\r\n" for head in CODINGS]
          + [CHUNKED + b"\r\n" + size + b"\r\n{}\r\n0\r\n\r\n" for size in SIZES]
          + [CHUNKED + b"\r\n2\r\n{}0\r\n\r\n"])
# Only large.
LARGE = [
    CHUNKED + b"\r\n2;" + b"a" * MIB + b"\r\n{}\r\n0\r\n\r\n",
    CHUNKED + b"\r\n2\r\n{}\r\n0\r\nX: " + b"a" * MIB + b"\r\n\r\n",
    CHUNKED + b"\r\n2\r\n{}\r\n0\r\n" + b"X: a\r\n" * 100_000 + b"\r\n",
    CHUNKED + b"\r\n1\r\n{\r\n" + b"1\r\n \r\n" * 100_000 + b"1\r\n}\r\n0\r\n\r\n",
]
VERSIONS = [b"HTTP/2.0", b"HTTP/9.9", b"HTTP/1.1.1", b"HTTP/1", b"http/1.1", b"HTTP/01.1", b"HTTX/1.1", b"",
            b"HTTP/1.1 x"]


def check_shapes(place):
    server, rejected = place.server, 0
    for shape in SHAPES:
        got, is_closed = exchange(server, HEAD + shape + SECOND)
        codes = statuses(got)
        want(len(codes) <= 1 and is_closed, f"{shape}: {codes}, closed: {is_closed}")
        want(not any(code >= 500 and code != 501 for code in codes), f"{shape}: {codes}")
        rejected += bool(codes) and codes[0] >= 400
        want_alive(server, f"{shape}")
    before = usage(server).memory_info().rss
    for shape in LARGE:
        got, is_closed = exchange(server, HEAD + shape, enough=1)
        want(is_closed or statuses(got), f"{shape[:60]} hangs")
        want(not any(code >= 500 and code != 501 for code in statuses(got)), f"{shape[:60]}: {statuses(got)}")
    return f"{len(SHAPES)} shapes, {rejected} rejected, the others closed; {want_memory(server, before, 32)}"


def check_versions(place):
    server = place.server
    for version in VERSIONS:
        got, is_closed = exchange(server, b"GET /health " + version + b"\r\nHost: 127.0.0.1\r\n\r\n" + SECOND, enough=2)
        codes = statuses(got)
        want(is_closed and not (codes and codes[0] < 400), f"{version}: {codes}")
    for noise in (b"GET /health HTTP/1.1\nHost: 127.0.0.1\n\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
                  b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\0" * 4096, b"\r\n" * 5000, b"SSH-2.0-x\r\n",
                  bytes(range(256)) * 64):
        want(len(statuses(exchange(server, noise, seconds=1)[0])) <= 1, f"{noise[:24]}")
        want_alive(server, f"{noise[:12]}")
    return f"{len(VERSIONS)} versions, TLS, HTTP/2 and noise"


def check_pipelines(place):
    """Pipelined requests are answered in order, each with its own response."""
    server = place.server
    paths = ["/health", "/rest/v1/nothing", "/style.css", "/h/none", "/health"] * 20
    got, _ = exchange(server, b"".join(request("GET", path) for path in paths), enough=len(paths))
    alone = [server.ask("GET", path).status_code for path in paths[:5]] * 20
    want(statuses(got) == alone, f"{statuses(got)[:6]}, alone {alone[:6]}")
    return f"{len(paths)} requests at once, in order"
