"""google-resumable-media, Google's client, against `bsc serve --upload-sessions`."""

import base64
import hashlib
import io

import google_crc32c
import requests
from google.resumable_media import DataCorruption, InvalidResponse
from google.resumable_media.common import RetryStrategy
from google.resumable_media.requests import ResumableUpload

from .harness import BUCKET, MIB, SIZES, UNIT, Failure, Server, download, session_url, want, want_object


class Transport(requests.Session):
    """Each PUT with a body goes through the next fault, a function, or None."""

    def __init__(self, *faults):
        super().__init__()
        self.trust_env, self.faults, self.ranges = False, list(faults), []

    def request(self, method, url, data=None, **options):
        def send(body):
            self.last = requests.Session.request(self, method, url, data=body, allow_redirects=False, **options)
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


def flipped(send, data):
    """A bit changes on the way."""
    middle = len(data) // 2
    return send(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:])


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
        want_described(self.transport.last, self.name, self.data)
        want_object(self.server.base, self.name, self.data)


def want_described(answer, name, data):
    found = {key: answer.json().get(key) for key in ("kind", "bucket", "name", "size", "crc32c", "md5Hash")}
    expected = {"kind": "storage#object", "bucket": BUCKET, "name": name, "size": str(len(data)),
                "crc32c": base64.b64encode(google_crc32c.Checksum(data).digest()).decode(),
                "md5Hash": base64.b64encode(hashlib.md5(data).digest()).decode()}
    want(found == expected, f"the server describes {found} instead of {expected}")


def refusal(action):
    """The status with which the server rejects what the library does."""
    try:
        action()
    except InvalidResponse as error:
        return error.response.status_code
    raise Failure("the server accepts it")


def check_sizes(tools):
    count = 0
    for size in SIZES:
        for length in (UNIT, MIB, -(-size // UNIT) * UNIT):
            upload = Upload(tools, size, length, checksum="md5" if length == MIB else "crc32c")
            upload.finish()
            want(len(upload.transport.ranges) == -(-size // length), f"{size} bytes: {upload.transport.ranges}")
            count += len(upload.transport.ranges)
    want((status := refusal(lambda: Upload(tools, 0, UNIT).send())) == 400, f"an empty file is answered with {status}")
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


def check_unanswered(tools):
    """The last response is lost. Asked or sent again, the server describes the whole object."""
    upload = Upload(tools, MIB + 7, MIB, None, unanswered)
    upload.send_until_broken()
    # The library expects 308 here.
    want((status := refusal(upload.recover)) == 200, f"a finished upload is answered with {status}")
    want_described(upload.transport.last, upload.name, upload.data)
    Upload(tools, MIB + 7, MIB, None, unanswered, retries=1).finish()
    return "asked again it is 200 with the object; sent again the checksum is right"


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


def check_corruption(tools):
    """The library's verification works, and the server's checksums are those of the stored bytes."""
    for checksum in ("crc32c", "md5"):
        upload = Upload(tools, MIB + 7, MIB, flipped, checksum=checksum)
        try:
            upload.send()
        except DataCorruption:
            stored = download(upload.server.base, upload.name)
            want(stored and len(stored) == len(upload.data) and stored != upload.data, "the changed bit is not stored")
            want_described(upload.transport.last, upload.name, stored)
        else:
            raise Failure(f"{checksum} does not detect a changed bit")
    return "a changed bit is DataCorruption with crc32c and with md5"


def check_cancelled(tools):
    upload = Upload(tools, 2 * MIB, MIB)
    upload.send(chunks=1)
    url = upload.upload.resumable_url
    codes = [upload.transport.delete(each, headers={"Content-Length": "0"}).status_code
             for each in (url.replace("token=", "token=0"), url)]
    want(codes == [403, 499], f"DELETE with a wrong and the right token is answered with {codes}")
    later = {refusal(upload.send), refusal(upload.recover)}
    want(later <= {404, 410, 499}, f"a cancelled session answers {later}")
    want(download(upload.server.base, upload.name) is None, "a cancelled upload is an object")
    return "DELETE is 499, chunks and queries are rejected after it, and there is no object"


CHECKS = {
    "library sizes": check_sizes, "library unknown length": check_unknown, "library broken": check_broken,
    "library unanswered": check_unanswered, "library killed server": check_killed,
    "library corruption": check_corruption, "library cancelled": check_cancelled,
}
