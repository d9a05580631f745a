"""bsc upload to gcp-storage-emulator, which differs from Google's protocol in four ways:

  - A session without bytes answers `Range: bytes=0-0`, which means one byte; Google sends no Range. So bsc sends from
    byte 1, gets a 400 and gives up. check_deviations expects that; the other checks correct the answer.
  - Bytes that it has are rejected with 400 instead of ignored. bsc asks after a dropped connection and repeats none.
  - A finished session answers 404 instead of 200. Repeated, bsc reports that the URL has expired.
  - A chunk of a dropped connection is kept to the last byte, not in units of 256 KiB. bsc resumes there.
"""

import contextlib
import time
import urllib.parse
from unittest import mock

from gcp_storage_emulator.handlers import objects
from gcp_storage_emulator.server import RequestHandler, create_server

from .harness import BUCKET, HTTP, MIB, PATIENCE, SIZES, UNIT, open_session, want, want_object, wait_for


class Emulator:
    """In memory, on its own thread. `ranges` are those of all PUTs."""

    def __init__(self):
        self.ranges, self.is_corrected = [], True
        put, incomplete = RequestHandler.do_PUT, objects._resumable_incomplete

        def recording_put(handler):
            self.ranges.append(handler.headers["Content-Range"])
            with contextlib.suppress(ConnectionError):  # of a killed client
                put(handler)

        def corrected_incomplete(response, storage, upload_id, **options):
            incomplete(response, storage, upload_id, **options)
            if self.is_corrected and storage.get_resumable_byte_count(upload_id) == 0:
                del response._headers["Range"]

        mock.patch.object(RequestHandler, "do_PUT", recording_put).start()
        mock.patch.object(objects, "_resumable_incomplete", corrected_incomplete).start()
        self.server = create_server("127.0.0.1", 0, in_memory=True, default_bucket=BUCKET)
        self.server.start()
        self.close = self.server.stop
        self.base = f"http://127.0.0.1:{self.server._api._httpd.server_address[1]}"

    def session(self, name):
        self.ranges.clear()
        return open_session(self.base, name)


def emulator(tools):
    return tools.keep("emulator", Emulator)


def check_sizes(tools):
    """Every size with every chunk size."""
    server, count = emulator(tools), 0
    for size in SIZES:
        for length in (UNIT, MIB, None):
            name, path, data = tools.file(size)
            flags = ["--chunk-size", f"{length >> 10}KiB"] if length else []
            result = tools.upload(path, server.session(name), *flags)
            result.want_sent(data)
            want_object(server.base, name, data)
            query, *chunks = server.ranges
            want(query == "bytes */*", f"it sends {query} before it asks for the offset")
            want(result.document["requestCount"] == len(chunks), f"{len(chunks)} chunks arrive: {result.output}")
            want(not length or len(chunks) == -(-size // length), f"{size} bytes arrive in {len(chunks)} chunks")
            count += len(chunks)
    return f"{len(SIZES)} sizes in chunks of 256 KiB, 1 MiB and by default: the same bytes in {count} requests"


def check_killed(tools):
    """SIGKILL in the middle of a chunk, then the same command again."""
    server = emulator(tools)
    name, path, data = tools.file(14 * MIB + 7)
    url = server.session(name)
    # The chunks are longer than what libcurl sends at once in spite of a limit.
    first = tools.start_upload(path, url, "--chunk-size", "4MiB", "--limit-rate", "8MB")
    wait_for(lambda: len(server.ranges) >= 3, "the second chunk")
    time.sleep(0.2)
    first.kill()
    first.communicate()
    server.ranges.clear()
    result = tools.upload(path, url, "--chunk-size", "4MiB")
    query, chunk = server.ranges[:2]
    want(query == "bytes */*", f"it sends {query} before it asks for the offset")
    offset = int(chunk.split()[1].split("-")[0])
    want(4 * MIB < offset < 8 * MIB, f"it resumes at {offset}, which is not in the second chunk")
    result.want_sent(data, sent=len(data) - offset)
    want_object(server.base, name, data)
    return f"killed in a chunk, resumed at byte {offset} of {len(data)}: the same bytes"


def check_deviations(tools):
    """The emulator as it is published."""
    server = emulator(tools)
    server.is_corrected = False
    try:
        name, path, data = tools.file(UNIT + 1)
        url = server.session(name)
        tools.upload(path, url).want_failed("400", "expected 0, got 1")
        [upload_id] = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["upload_id"]
        want(server.server._storage.get_resumable_byte_count(upload_id) == 0, "bytes are stored at a wrong offset")
        # Where it has bytes its answer is right.
        name, path, data = tools.file(3 * UNIT + 1)
        url = server.session(name)
        headers = {"Content-Range": f"bytes 0-{UNIT - 1}/{len(data)}"}
        answer = HTTP.put(url, data[:UNIT], headers=headers, timeout=PATIENCE)
        want(answer.status_code == 308, f"a chunk is answered with {answer.status_code}")
        tools.upload(path, url).want_sent(data, sent=len(data) - UNIT)
        want_object(server.base, name, data)
        tools.upload(path, url).want_failed("404", "expired")
    finally:
        server.is_corrected = True
    return "a wrong offset and a forgotten session end with exit code 6; a correct offset is used"


CHECKS = {"emulator sizes": check_sizes, "emulator killed": check_killed, "emulator deviations": check_deviations}
