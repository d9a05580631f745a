"""Clients that hold on to connections: others must not wait for them."""

import contextlib
import os
import resource
import socket
import statistics
import time
from pathlib import Path

from oracles.ground import wait_for, want

from .target import Person, Target, request

MANY = 200


@contextlib.contextmanager
def held(server, count, begin):
    """So many connections; each begins as told and is kept open."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(begun(server, begin)) for _ in range(count)]


def begun(server, begin):
    connection = socket.socket()
    # Before it connects: what the other side may send without being read.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(10)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(begin)
    return connection


def want_quick(server, connections, drip, what, rounds=30):
    """Answers to others stay quick while each held connection sends a byte now and then."""
    times = []
    for number in range(rounds):
        for connection in connections[number::rounds]:
            with contextlib.suppress(OSError):
                connection.send(drip)
        start = time.perf_counter()
        want(server.ask("GET", "/health").status == 200, f"{what}: not healthy")
        times.append(time.perf_counter() - start)
    worst, median = max(times), statistics.median(times)
    want(median < 0.1 and worst < 2, f"{what}: others waited {median * 1e3:.0f} ms, at worst {worst * 1e3:.0f} ms")
    return f"{median * 1e3:.1f} ms"


def check_heads(place):
    server = place.server
    with held(server, MANY, b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ") as connections:
        told = want_quick(server, connections, b"a", "slow heads")
    server.want_alive()
    return f"{MANY} heads that never end; others wait {told}"


def check_silent(place):
    server = place.server
    with held(server, MANY, b"") as connections:
        told = want_quick(server, connections, b"", "silent connections")
    return f"{MANY} connections without a word; others wait {told}"


def check_bodies(place):
    server, person = place.server, place.person
    bearer = f"Authorization: Bearer {person.token}"
    starts = [
        request("POST", "/auth/v1/signup", "Content-Type: application/json", "Content-Length: 1000", body=b'{"email'),
        request("POST", "/rest/v1/likes", bearer, "Content-Type: application/json", "Content-Length: 1000", body=b"["),
        request("POST", "/functions/v1/uploads", bearer, "Idempotency-Key: slow", "Content-Type: application/json",
                "Content-Length: 1000", body=b"{"),
        request("PUT", person.open()["path"], "Content-Length: 1000000", body=b"0" * 100),
        request("POST", "/rest/v1/rpc/share_allowance", bearer, "Transfer-Encoding: chunked", body=b"1\r\n{\r\n"),
    ]
    for start in starts:
        with held(server, MANY // 4, start) as connections:
            what = start.split(b" HTTP")[0].decode().split("?")[0]
            want_quick(server, connections, b" ", what)
            # Writers do not wait either: nobody holds the database while a body comes.
            begin = time.perf_counter()
            person.share(caption="meanwhile")
            want(time.perf_counter() - begin < 5, f"{what}: writing took {time.perf_counter() - begin:.1f} s")
    server.want_alive()
    return f"{len(starts)} routes, {MANY // 4} bodies each that never end; others read and write"


def check_readers(place):
    """They ask for much and read nothing."""
    server = place.server
    author = Person(server, "author")
    for number in range(40):
        author.share(caption="x" * 2000, tags=[f"tag{number}" + "y" * 1000])
    whole = request("GET", "/rest/v1/highlights?select=*,author:profiles(*)")
    before = server.status("VmRSS")
    with held(server, MANY // 2, whole * 3) as connections:
        told = want_quick(server, connections, b"", "readers that do not read")
        grown = (server.status("VmRSS") - before) >> 20
    want(grown < 256, f"the server grew by {grown} MiB")
    server.want_alive()
    return f"{MANY // 2} that read nothing; others wait {told}; the server grew by {max(grown, 0)} MiB"


def check_gone(place):
    """Clients that go away amid everything leave nothing behind."""
    server, person = place.server, place.person
    asks = [request("GET", "/rest/v1/highlights?select=*"), request("GET", "/"),
            request("PUT", person.open()["path"], "Content-Length: 100000", body=b"0" * 50000),
            request("POST", "/auth/v1/signup", "Content-Length: 100", body=b"{")]
    files = Path(f"/proc/{server.process.pid}/fd")
    before = len(list(files.iterdir()))
    for number in range(400):
        connection = begun(server, asks[number % len(asks)])
        # Reset, not closed.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()
    server.want_alive()
    wait_for(lambda: len(list(files.iterdir())) <= before + 20, f"the connections end: {before} files were open")
    now = len(list(files.iterdir()))
    return f"400 resets, {now - before} more open files"


class Narrow(Target):
    """A server that may open few files."""

    options = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (160, 160))}


def check_descriptors(place):
    """More connections than the server has descriptors: it waits for a free one, and does not spin."""
    server = Narrow(place, "slow-descriptors")
    ticks = os.sysconf("SC_CLK_TCK")

    def used():
        fields = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / ticks

    with held(server, MANY, b"") as connections:
        time.sleep(1)
        files = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        want(files >= 150, f"only {files} descriptors are in use")
        before, begun = used(), time.monotonic()
        time.sleep(3)
        share = (used() - before) / (time.monotonic() - begun)
        want(share < 0.05, f"with all descriptors in use it takes {share:.0%} of a core")
        # Whoever waits is served as soon as others go.
        for connection in connections[:MANY // 2]:
            connection.close()
        want(server.ask("GET", "/health", timeout=10).status == 200, "no connection is accepted any more")
    server.want_alive()
    server.kill()
    return f"{MANY} connections with {files} descriptors take {share:.1%} of a core, and are served when others go"


CHECKS = {
    "slow descriptors": check_descriptors, "slow heads": check_heads, "slow silent": check_silent, "slow bodies": check_bodies, "slow readers": check_readers,
    "slow gone": check_gone,
}
