"""`bsc upload` sends to gcp-storage-emulator.

It differs from Google Cloud Storage: a session without bytes answers `Range: bytes=0-0`, which means one byte (corrected here),
bytes that it has are rejected with 400, and a chunk of a dropped connection is kept to the last byte.
"""

import contextlib
import functools
import time
from unittest import mock

from gcp_storage_emulator.handlers import objects
from gcp_storage_emulator.server import RequestHandler, create_server

from .harness import BUCKET, MIB, SIZES, UNIT, open_session, want, want_object, wait_for


class Emulator:
    """In memory, on its own thread. `ranges` are those of all PUTs."""

    def __init__(self):
        self.ranges = []
        put, incomplete = RequestHandler.do_PUT, objects._resumable_incomplete

        def recording_put(handler):
            self.ranges.append(handler.headers["Content-Range"])
            with contextlib.suppress(ConnectionError):  # of a killed client
                put(handler)

        def corrected_incomplete(response, storage, upload_id, **options):
            incomplete(response, storage, upload_id, **options)
            if storage.get_resumable_byte_count(upload_id) == 0:
                del response._headers["Range"]

        mock.patch.object(RequestHandler, "do_PUT", recording_put).start()
        mock.patch.object(objects, "_resumable_incomplete", corrected_incomplete).start()
        self.server = create_server("127.0.0.1", 0, in_memory=True, default_bucket=BUCKET)
        self.server._api.daemon = True
        self.server.start()
        self.base = f"http://127.0.0.1:{self.server._api._httpd.server_address[1]}"

    def session(self, name):
        self.ranges.clear()
        return open_session(self.base, name)


@functools.cache
def emulator():
    return Emulator()


def check_sizes(tools):
    """Every size with every chunk size."""
    server, count = emulator(), 0
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
    server = emulator()
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


CHECKS = {"emulator sizes": check_sizes, "emulator killed": check_killed}
