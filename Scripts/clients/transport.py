"""curl and raw sockets against upload URLs: answers before the body, and writers that fall silent."""

import json
import shutil
import socket
import subprocess
import time
import urllib.parse
import uuid

from .backend import Failure, draft, invoke, put, want

MIB = 1 << 20


def opened(place):
    """The URL of a new upload."""
    person = place.keep("uploader", lambda: place.people("una")[0])
    return invoke(person, "uploads", body=draft(), headers={"Idempotency-Key": str(uuid.uuid4())})["url"]


def early(place):
    """URLs that answer at once, by what they answer: curl's arguments and the status."""
    complete, cancelled, fresh = opened(place), opened(place), opened(place)
    put(complete, place.clip)
    put(cancelled, b"", status=(400,))
    want(place.backend.raw("DELETE", cancelled[len(place.backend.base):]).status_code == 499, "a DELETE cancels nothing")
    return {
        "complete": ([complete], 200), "malformed": (["-H", "Content-Range: bytes 0-0/1", fresh], 400),
        "wrong token": ([fresh + "0"], 403), "unknown": ([f"{place.backend.base}/upload/none?token=x"], 404),
        "gap": (["-H", f"Content-Range: bytes {MIB}-{47 * MIB - 1}/{47 * MIB}", fresh], 416),
        "wrong host": (["-H", "Host: evil.example", fresh], 421), "cancelled": ([cancelled], 499),
    }


def check_curl(place):
    if shutil.which("curl") is None:
        raise Failure("curl is not installed")
    large = place.folder / "large.bin"
    with large.open("wb") as file:
        file.truncate(46 * MIB)
    cases, worst = early(place), 0
    for name, (arguments, status) in cases.items():
        for headers in [], ["Connection: close"], ["Expect:"], ["Expect:", "Connection: close"], \
                ["Expect: 100-continue", "Connection: close"]:
            begun = time.monotonic()
            done = subprocess.run(
                ["curl", "-sS", "--noproxy", "*", "--max-time", "60", "-w", "%{http_code}", "-o", "/dev/null",
                 *[word for header in headers for word in ("-H", header)], "-T", large, *arguments],
                capture_output=True, text=True)
            what = f"{name} with {headers or 'no header'}"
            want(done.returncode == 0, f"{what}: curl ends with {done.returncode}: {done.stderr.strip()}")
            want(done.stdout == str(status), f"{what}: {done.stdout} instead of {status}")
            worst = max(worst, time.monotonic() - begun)
    return f"{len(cases) * 5} uploads of 46 MiB are answered, the slowest in {worst:.1f} s"


def talk(url, body, length, *lines):
    """A connection that has sent the head and the body of a `PUT`."""
    parts = urllib.parse.urlsplit(url)
    connection = socket.create_connection((parts.hostname, parts.port), 60)
    head = [f"PUT {parts.path}?{parts.query} HTTP/1.1", f"Host: {parts.netloc}", f"Content-Length: {length}", *lines, "", ""]
    connection.sendall("\r\n".join(head).encode() + body)
    return connection


def answer(connection):
    """Everything until the server closes."""
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def check_sockets(place):
    """A client that reads nothing until all is sent."""
    body = bytes(46 * MIB)
    for name, (arguments, status) in early(place).items():
        lines = [line for line in arguments[:-1] if line != "-H"]
        if any(line.startswith("Host:") for line in lines):
            continue
        for more in [], ["Connection: close"], ["Expect: 100-continue"]:
            with talk(arguments[-1], body, len(body), *lines, *more) as connection:
                got = answer(connection)
            want(got.startswith(f"HTTP/1.1 {status} ".encode()), f"{name} with {more}: {got[:60]}")
    return "a client that sends everything first reads the answer and the end"


def check_silent(place):
    """A writer falls silent without closing; its successor asks where it is, and continues there."""
    url, data = opened(place), place.clip
    half = len(data) // 2
    with talk(url, data[:half], len(data), f"Content-Range: bytes 0-{len(data) - 1}/{len(data)}") as silent:
        begun = time.monotonic()
        client = place.backend.raw
        path = url[len(place.backend.base):]
        while True:
            asked = client("PUT", path, headers={"Content-Range": "bytes */*"}, content=b"")
            # 503 is an answer to a query, too: the silent writer may have been heard of a moment ago.
            want(asked.status_code in (308, 503), f"a query is {asked.status_code} {asked.text[:200]}")
            if asked.headers.get("Range") == f"bytes=0-{half - 1}":
                break
            want(time.monotonic() - begun < 60, f"the offset stays {asked.headers.get('Range')}")
        gap = client("PUT", path, headers={"Content-Range": f"bytes {half + 1}-{len(data) - 1}/{len(data)}"},
                     content=data[half + 1:])
        want(gap.status_code == 503, f"a writer beyond the offset is {gap.status_code}")
        while True:
            rest = client("PUT", path, headers={"Content-Range": f"bytes {half}-{len(data) - 1}/{len(data)}"},
                          content=data[half:])
            if rest.status_code != 503 or time.monotonic() - begun > 60:
                break
        want(rest.status_code == 200, f"a newer writer is {rest.status_code} {rest.text[:200]}")
        took = time.monotonic() - begun
        want(answer(silent) == b"", "the older writer was answered")
    want(took < 60, f"it took {took:.0f} s")
    return f"the newer writer takes over after {took:.1f} s"


def check_origins(place):
    """What pages of other origins may do, without a browser."""
    keys = place.backend.keys
    answer = place.backend.raw(
        "POST", "/video/v1/uploads", auth=(keys["mux_token_id"], keys["mux_token_secret"]),
        json={"cors_origin": "https://app.example", "new_asset_settings": {"playback_policies": ["public"]}})
    path = json.loads(answer.content)["data"]["url"][len(place.backend.base):]
    for origin, status in ("https://app.example", 204), ("https://other.example", 403), ("null", 403):
        asked = place.backend.raw("OPTIONS", path, headers={
            "Origin": origin, "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "content-range"})
        want(asked.status_code == status, f"the preflight of {origin} is {asked.status_code}")
        allowed = asked.headers.get("Access-Control-Allow-Origin")
        want(allowed == (origin if status == 204 else None), f"{origin} is told {allowed}")
    for path in "/rest/v1/highlights", "/auth/v1/token", "/video/v1/uploads", "/functions/v1/uploads", "/uploads":
        asked = place.backend.raw("OPTIONS", path, headers={
            "Origin": "https://app.example", "Access-Control-Request-Method": "POST"})
        want(asked.status_code == 403 and "Access-Control-Allow-Origin" not in asked.headers, f"{path} is open")
    return "the upload's own origin, and nothing else"


CHECKS = {
    "transport curl": check_curl, "transport sockets": check_sockets, "transport silent": check_silent,
    "transport origins": check_origins,
}
