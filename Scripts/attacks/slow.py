"""Clients that keep connections open. Other clients must not wait for them."""

import contextlib
import resource
import socket
import statistics
import time

from backend import Account, wait_for, want

from .wire import account, request, usage, want_alive, want_memory

MANY = 200


def connect(server, start):
    connection = socket.socket()
    # Set before connecting: how much the server can send without a reader.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(10)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(start)
    return connection


@contextlib.contextmanager
def held(server, count, start):
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(connect(server, start)) for _ in range(count)]


def want_quick(server, connections, drip, what, rounds=30):
    """Other clients get responses quickly while each held connection sends a byte now and then."""
    times = []
    for number in range(rounds):
        for connection in connections[number::rounds]:
            with contextlib.suppress(OSError):
                connection.send(drip)
        start = time.perf_counter()
        # A new connection, as another client makes it.
        status = server.ask("GET", "/health", headers={"Connection": "close"}).status_code
        times.append(time.perf_counter() - start)
        want(status == 200, f"{what}: not healthy")
    worst, median = max(times), statistics.median(times)
    want(median < 0.1 and worst < 2, f"{what}: others waited {median * 1e3:.0f} ms, at most {worst * 1e3:.0f} ms")
    return f"{median * 1e3:.1f} ms"


def check_heads(place):
    server, waits = place.server, []
    for start, drip in (b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ", b"a"), (b"", b""):
        with held(server, MANY, start) as connections:
            waits.append(want_quick(server, connections, drip, f"{len(start)} bytes of a head"))
    want_alive(server)
    return f"{MANY} endless heads, {MANY} silent connections; others wait {' and '.join(waits)}"


def check_bodies(place):
    server, person = place.server, account(place)
    bearer, kind = f"Authorization: Bearer {person.token}", "Content-Type: application/json"
    upload = person.open()["url"].removeprefix(server.base)
    starts = [
        request("POST", "/auth/v1/signup", kind, "Content-Length: 1000", body=b'{"email'),
        request("POST", "/functions/v1/uploads", bearer, "Idempotency-Key: slow", kind, "Content-Length: 1000",
                body=b"{"),
        request("PUT", upload, "Content-Length: 1000000", body=b"0" * 100),
        request("POST", "/rest/v1/rpc/share_allowance", bearer, "Transfer-Encoding: chunked", body=b"1\r\n{\r\n"),
    ]
    for start in starts:
        with held(server, MANY // 4, start) as connections:
            what = start.split(b" HTTP")[0].decode().split("?")[0]
            want_quick(server, connections, b" ", what)
            begun = time.perf_counter()
            person.share()
            want(time.perf_counter() - begun < 5, f"{what}: writing took {time.perf_counter() - begun:.1f} s")
    want_alive(server)
    return f"{len(starts)} routes, {MANY // 4} endless bodies each; others read and write"


def check_readers(place):
    """Clients that request large responses and never read."""
    server = place.server
    author = Account(server, "author")
    for number in range(40):
        author.share(caption="x" * 2000, tags=[f"tag{number}" + "y" * 1000])
    before = usage(server).memory_info().rss
    with held(server, MANY // 2, request("GET", "/rest/v1/highlights?select=*,author:profiles(*)") * 3) as connections:
        waited = want_quick(server, connections, b"", "clients that do not read")
        grown = want_memory(server, before, 256)
    want_alive(server)
    return f"{MANY // 2} clients that do not read; others wait {waited}; {grown}"


def check_resets(place):
    """Clients that disconnect in the middle of a request leave nothing open."""
    server, person = place.server, account(place)
    upload = person.open()["url"].removeprefix(server.base)
    starts = [request("GET", "/rest/v1/highlights?select=*"), request("GET", "/"),
              request("PUT", upload, "Content-Length: 100000", body=b"0" * 50000),
              request("POST", "/auth/v1/signup", "Content-Length: 100", body=b"{")]
    before = usage(server).num_fds()
    for number in range(400):
        connection = connect(server, starts[number % len(starts)])
        # Reset, not closed.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()
    want_alive(server)
    wait_for(lambda: usage(server).num_fds() <= before + 20, f"the connections end: {before} files were open")
    return f"400 resets, {usage(server).num_fds() - before} more open files"


def check_descriptors(place):
    """With more connections than descriptors, the server waits for a free one without using the processor."""
    server = place.fresh(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (160, 160)))
    with held(server, MANY, b"") as connections:
        time.sleep(1)
        files = usage(server).num_fds()
        want(files >= 150, f"only {files} descriptors are in use")
        share = usage(server).cpu_percent(3)
        want(share < 5, f"with all descriptors in use it takes {share} % of a core")
        for connection in connections[:MANY // 2]:
            connection.close()
        want(server.ask("GET", "/health", timeout=10).status_code == 200, "connections are not accepted any more")
    want_alive(server)
    server.kill()
    return f"{MANY} connections with {files} descriptors take {share} % of a core"
