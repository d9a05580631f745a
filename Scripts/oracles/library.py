"""google-resumable-media, Google's own client, against `bsc serve --upload-sessions`."""

import base64
import hashlib
import io
import socket
import urllib.parse

import google_crc32c
import requests
from google.resumable_media import DataCorruption, InvalidResponse
from google.resumable_media.common import RetryStrategy
from google.resumable_media.requests import ResumableUpload

from .ground import BUCKET, SIZES, UNIT, Failure, Server, download, open_session, want, want_object

MIB = 1 << 20


class Wire(requests.Session):
    """The transport. Each PUT with a body takes the next fault: a function that sends it in its own way, or None."""

    def __init__(self, *faults):
        super().__init__()
        # The proxies of this environment are none of ours.
        self.trust_env = False
        self.faults = list(faults)
        self.ranges = []
        self.last = None

    def request(self, method, url, data=None, headers=None, **options):
        if method == "PUT":
            self.ranges.append(headers["content-range"])
        fault = self.faults.pop(0) if data and method == "PUT" and self.faults else None
        if fault:
            data = fault(self, url, data, headers)
        self.last = super().request(method, url, data=data, headers=headers, allow_redirects=False, **options)
        return self.last


def broken(count, on_the_way=lambda: None):
    """Sends so many bytes of the body and closes the connection; before that something may happen."""
    def fault(wire, url, data, headers):
        parts = urllib.parse.urlsplit(url)
        lines = [f"PUT {parts.path}?{parts.query} HTTP/1.1", f"Host: {parts.netloc}", f"Content-Length: {len(data)}"]
        for name, value in headers.items():
            lines.append(f"{name}: {value.decode() if isinstance(value, bytes) else value}")
        with socket.create_connection((parts.hostname, parts.port)) as connection:
            connection.sendall("\r\n".join([*lines, "", ""]).encode() + data[:count])
            on_the_way()
        raise requests.ConnectionError("broken on purpose")
    return fault


def unanswered(wire, url, data, headers):
    """All of it arrives, the answer is lost."""
    requests.Session.request(wire, "PUT", url, data=data, headers=headers, allow_redirects=False)
    raise requests.ConnectionError("lost on purpose")


def flipped(wire, url, data, headers):
    """One bit is another one on the wire."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:]


class Sending:
    """One upload by the library, of random bytes."""

    def __init__(self, ground, size, length, *faults, checksum="crc32c", is_known=True, retries=0, server=None):
        self.server = server or ground.sessions
        self.name, path, self.data = ground.file(size)
        path.unlink()
        self.wire = Wire(*faults)
        url = f"{self.server.base}/upload/storage/v1/b/{BUCKET}/o?uploadType=resumable&name={self.name}"
        self.upload = ResumableUpload(url, length, checksum=checksum)
        # By default it tries for ten minutes and hides what went wrong.
        self.upload._retry_strategy = RetryStrategy(max_retries=retries, initial_delay=0.2)
        self.upload.initiate(self.wire, io.BytesIO(self.data), {"name": self.name}, "application/octet-stream",
                             stream_final=is_known)

    def send(self):
        while not self.upload.finished:
            self.upload.transmit_next_chunk(self.wire)

    def send_until_broken(self):
        try:
            self.send()
        except requests.ConnectionError:
            return
        raise Failure("no connection broke")

    def recover(self):
        # The server may still be busy with what broke, and says 503.
        self.upload._retry_strategy = RetryStrategy(max_retries=5, initial_delay=0.2)
        before = self.upload.bytes_uploaded
        self.upload.recover(self.wire)
        want(self.wire.ranges[-1] == "bytes */*", f"the library asked with {self.wire.ranges[-1]}")
        want(before <= self.upload.bytes_uploaded < len(self.data),
             f"the server holds {self.upload.bytes_uploaded} bytes, {before} of {len(self.data)} were confirmed")
        return self.upload.bytes_uploaded

    def want_whole(self):
        """The server tells the object as it is, and gives its bytes."""
        want_told(self.wire.last, self.name, self.data)
        want_object(self.server.base, self.name, self.data)


def want_told(answer, name, data):
    want(answer.status_code == 200, f"the answer is {answer.status_code}")
    told = {key: answer.json().get(key) for key in ("kind", "bucket", "name", "size", "crc32c", "md5Hash")}
    expected = {"kind": "storage#object", "bucket": BUCKET, "name": name, "size": str(len(data)),
                "crc32c": base64.b64encode(google_crc32c.Checksum(data).digest()).decode(),
                "md5Hash": base64.b64encode(hashlib.md5(data).digest()).decode()}
    want(told == expected, f"the server tells {told}, it is {expected}")


def refusal(action):
    """The status with which the server refuses what the library does."""
    try:
        action()
    except InvalidResponse as error:
        return error.response.status_code
    raise Failure("the server took it")


def check_sizes(ground):
    count = 0
    for size in SIZES:
        for length in (UNIT, MIB, -(-size // UNIT) * UNIT):
            # Both checksums, and every size with both.
            checksum = "md5" if length == MIB else "crc32c"
            sending = Sending(ground, size, length, checksum=checksum)
            sending.send()
            sending.want_whole()
            puts = len(sending.wire.ranges)
            want(puts == -(-size // length), f"{size} bytes went in {puts} PUTs")
            count += puts
    empty = refusal(lambda: Sending(ground, 0, UNIT).send())
    want(empty == 400, f"no bytes at all are answered with {empty}")
    return (f"{len(SIZES)} sizes in chunks of 256 KiB, 1 MiB and all at once, crc32c and md5 agree: the same bytes in "
            f"{count} PUTs; no bytes are refused with 400")


def check_unknown(ground):
    """`bytes a-b/*`; a file of whole chunks ends with an empty `bytes */total`."""
    whole = 4 * UNIT
    for size, last in ((whole + 7, f"bytes {whole}-{whole + 6}/{whole + 7}"), (whole, f"bytes */{whole}")):
        sending = Sending(ground, size, UNIT, is_known=False)
        sending.send()
        want(sending.wire.ranges[0] == f"bytes 0-{UNIT - 1}/*", f"it sent {sending.wire.ranges}")
        want(sending.wire.ranges[-1] == last, f"it ended with {sending.wire.ranges[-1]}")
        sending.want_whole()
    return "4 chunks and a rest, and 4 chunks alone, of a stream whose end is not known: the same bytes"


def check_broken(ground):
    """A connection that breaks in the middle of the second chunk, and of the only one."""
    held = []
    for length, faults in ((MIB, [None, broken(700_001)]), (4 * MIB, [broken(3_000_001)]), (MIB, [broken(0)])):
        sending = Sending(ground, 3 * MIB + 7, length, *faults)
        sending.send_until_broken()
        held.append(sending.recover())
        sending.send()
        sending.want_whole()
    return f"recovered at bytes {', '.join(map(str, held))}: the same bytes, and the library's crc32c agrees"


def check_repeated(ground):
    """The library's own retry sends the whole chunk again: bytes that the server holds have to be ignored."""
    sending = Sending(ground, 3 * MIB + 7, MIB, None, broken(700_001), unanswered, retries=5)
    sending.send()
    sending.want_whole()
    again = f"bytes {MIB}-{2 * MIB - 1}/{len(sending.data)}"
    want(sending.wire.ranges.count(again) >= 3, f"it sent {sending.wire.ranges}")
    return "a chunk three times, broken off, without an answer, and whole: the same bytes"


def check_unanswered(ground):
    """The last answer is lost: asked again, or sent again, the server tells of the whole object."""
    sending = Sending(ground, MIB + 7, MIB, None, unanswered)
    sending.send_until_broken()
    # The library knows no other answer than 308 there; its users look at the response.
    status = refusal(sending.recover)
    want(status == 200, f"asked for a finished upload, the server answered {status}")
    want_told(sending.wire.last, sending.name, sending.data)
    sending = Sending(ground, MIB + 7, MIB, None, unanswered, retries=1)
    sending.send()
    sending.want_whole()
    return "asked again it is 200 with the object, sent again the library's crc32c agrees"


def check_killed(ground):
    """SIGKILL between two chunks and in a chunk, then the same port and folder."""
    server, held = Server(ground, "killed", "--upload-sessions"), []
    for faults in ([], [broken(700_001, server.kill)]):
        sending = Sending(ground, 5 * MIB + 7, MIB, None, None, *faults, server=server, checksum="md5")
        sending.upload.transmit_next_chunk(sending.wire)
        sending.upload.transmit_next_chunk(sending.wire)
        if faults:
            sending.send_until_broken()
        else:
            server.kill()
        server.start()
        held.append(sending.recover())
        sending.send()
        sending.want_whole()
    server.kill()
    return f"killed between chunks and in one, it held {held[0]} and {held[1]} bytes: the same bytes, and md5 agrees"


def check_corruption(ground):
    """The library's verification is a real one, and the server's sums are of what it stored."""
    for checksum in ("crc32c", "md5"):
        sending = Sending(ground, MIB + 7, MIB, flipped, checksum=checksum)
        try:
            sending.send()
        except DataCorruption:
            stored = download(sending.server.base, sending.name)
            want(stored is not None and len(stored) == len(sending.data) and stored != sending.data,
                 "the flipped bit is not what was stored")
            want_told(sending.wire.last, sending.name, stored)
        else:
            raise Failure(f"a flipped bit went unnoticed by {checksum}")
    return "a bit that flips on the wire is DataCorruption by crc32c and by md5"


def check_cancelled(ground):
    sending = Sending(ground, 2 * MIB, MIB)
    sending.upload.transmit_next_chunk(sending.wire)
    # As any client may, which has no token.
    url = sending.upload.resumable_url
    stranger = sending.wire.delete(url.replace("token=", "token=0"), headers={"Content-Length": "0"})
    want(stranger.status_code == 403, f"a DELETE with a wrong token is answered with {stranger.status_code}")
    answer = sending.wire.delete(url, headers={"Content-Length": "0"})
    want(answer.status_code == 499 and not answer.content, f"DELETE is answered with {answer.status_code}")
    later = refusal(sending.send), refusal(sending.recover)
    want(set(later) <= {404, 410, 499}, f"a cancelled session answers {later}")
    want(download(sending.server.base, sending.name) is None, "a cancelled upload is an object")
    return f"DELETE is 499; a chunk then is {later[0]}, a question {later[1]}, and there is no object"


def check_hidden(ground):
    """Nobody gets a session from a server that was not asked to give some."""
    server = Server(ground, "ordinary")
    try:
        open_session(server.base, "clip.bin")
    except Failure as failure:
        want("404" in str(failure), str(failure))
    else:
        raise Failure("bsc serve without --upload-sessions opened one")
    finally:
        server.kill()
    return "without --upload-sessions the POST is 404"


CHECKS = {
    "library sizes": check_sizes, "library unknown total": check_unknown, "library broken": check_broken,
    "library repeated": check_repeated, "library unanswered": check_unanswered, "library killed server": check_killed,
    "library corruption": check_corruption, "library cancelled": check_cancelled, "library hidden": check_hidden,
}
