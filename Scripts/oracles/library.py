"""google-resumable-media, Google's client, against `bsc serve --upload-sessions`."""

import base64
import hashlib
import io

import google_crc32c
import requests
from google.resumable_media.common import RetryStrategy
from google.resumable_media.requests import ResumableUpload

from .harness import BUCKET, MIB, SIZES, UNIT, Failure, Server, session_url, want, want_object


class Transport(requests.Session):
    """Each PUT with a body goes through the next fault, a function, or None."""

    def __init__(self, *faults):
        super().__init__()
        self.trust_env, self.faults, self.ranges = False, list(faults), []

    def request(self, method, url, data=None, **options):
        def send(body):
            self.last = requests.Session.request(self, method, url, data=body, **options)
            return self.last

        if method == "PUT":
            self.ranges.append(options["headers"]["content-range"])
            if data and self.faults and (fault := self.faults.pop(0)):
                return fault(send, data)
        return send(data)


class Broken(io.BytesIO):
    """A body whose connection breaks after some bytes; then something may happen."""

    def __init__(self, data, count, then):
        super().__init__(data[:count])
        self.length, self.then = len(data), then

    def __len__(self):
        return self.length

    def read(self, size=-1):
        if data := super().read(size):
            return data
        self.then()
        raise requests.ConnectionError("broken on purpose")


def broken(count, then=lambda: None):
    return lambda send, data: send(Broken(data, count, then))


def unanswered(send, data):
    """Everything arrives, but the response is lost."""
    send(data)
    raise requests.ConnectionError("lost on purpose")


class Upload:
    """An upload of random bytes by the library."""

    def __init__(self, tools, size, length, *faults, checksum="crc32c", is_known=True, retries=0, server=None):
        self.server, self.transport = server or tools.sessions, Transport(*faults)
        self.name, _, self.data = tools.file(size)
        self.upload = ResumableUpload(session_url(self.server.base, self.name), length, checksum=checksum)
        # By default it retries for ten minutes.
        self.upload._retry_strategy = RetryStrategy(max_retries=retries, initial_delay=0.2)
        self.upload.initiate(self.transport, io.BytesIO(self.data), {"name": self.name}, "application/octet-stream",
                             stream_final=is_known)

    def send(self, chunks=1000):
        while not self.upload.finished and chunks:
            self.upload.transmit_next_chunk(self.transport)
            chunks -= 1

    def send_until_broken(self):
        try:
            self.send()
        except requests.ConnectionError:
            return
        raise Failure("no connection broke")

    def recover(self):
        """Returns the offset at which it resumes. The server can still be busy with the broken request: 503."""
        self.upload._retry_strategy = RetryStrategy(max_retries=5, initial_delay=0.2)
        before = self.upload.bytes_uploaded
        self.upload.recover(self.transport)
        want(before <= self.upload.bytes_uploaded < len(self.data), f"it resumes at {self.upload.bytes_uploaded}")
        return self.upload.bytes_uploaded

    def finish(self):
        self.send()
        expected = {"kind": "storage#object", "bucket": BUCKET, "name": self.name, "size": str(len(self.data)),
                    "crc32c": base64.b64encode(google_crc32c.Checksum(self.data).digest()).decode(),
                    "md5Hash": base64.b64encode(hashlib.md5(self.data).digest()).decode()}
        found = {key: self.transport.last.json().get(key) for key in expected}
        want(found == expected, f"the server describes {found} instead of {expected}")
        want_object(self.server.base, self.name, self.data)


def check_sizes(tools):
    count = 0
    for size in SIZES:
        for length in (UNIT, MIB, -(-size // UNIT) * UNIT):
            upload = Upload(tools, size, length, checksum="md5" if length == MIB else "crc32c")
            upload.finish()
            want(len(upload.transport.ranges) == -(-size // length), f"{size} bytes: {upload.transport.ranges}")
            count += len(upload.transport.ranges)
    return f"{len(SIZES)} sizes in chunks of 256 KiB, 1 MiB and all at once: same bytes and checksums, {count} PUTs"


def check_unknown(tools):
    """A stream of unknown length; with whole chunks it ends with an empty request."""
    whole = 4 * UNIT
    for size, last in ((whole + 7, f"bytes {whole}-{whole + 6}/{whole + 7}"), (whole, f"bytes */{whole}")):
        upload = Upload(tools, size, UNIT, is_known=False)
        upload.finish()
        ranges = upload.transport.ranges
        want((ranges[0], ranges[-1]) == (f"bytes 0-{UNIT - 1}/*", last), f"the requests are {ranges}")
    return "4 chunks with and without a rest: the same bytes"


def check_broken(tools):
    """A connection that breaks in the second chunk, and in the only one; and the library's own retry of a chunk."""
    offsets = []
    for length, faults in ((MIB, [None, broken(700_001)]), (4 * MIB, [broken(3_000_001)]), (MIB, [broken(0)])):
        upload = Upload(tools, 3 * MIB + 7, length, *faults)
        upload.send_until_broken()
        offsets.append(upload.recover())
        upload.finish()
    upload = Upload(tools, 3 * MIB + 7, MIB, None, broken(700_001), unanswered, retries=5)
    upload.finish()
    repeated = upload.transport.ranges.count(f"bytes {MIB}-{2 * MIB - 1}/{len(upload.data)}")
    want(repeated == 3, f"the requests are {upload.transport.ranges}")
    return f"resumed at bytes {', '.join(map(str, offsets))}, and a chunk sent three times: the same bytes"


def check_killed(tools):
    """SIGKILL of the server between two chunks and in a chunk, then it starts again."""
    server, offsets = Server(tools, "killed", "--upload-sessions"), []
    for faults in ([], [broken(700_001, server.kill)]):
        upload = Upload(tools, 5 * MIB + 7, MIB, None, None, *faults, server=server, checksum="md5")
        upload.send(chunks=2)
        upload.send_until_broken() if faults else server.kill()
        server.start()
        offsets.append(upload.recover())
        upload.finish()
    server.kill()
    return f"killed between chunks and in one, resumed at bytes {offsets[0]} and {offsets[1]}: the same bytes"


CHECKS = {"library sizes": check_sizes, "library unknown length": check_unknown, "library broken": check_broken,
          "library killed server": check_killed}
