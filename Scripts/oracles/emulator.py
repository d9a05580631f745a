"""bsc upload against gcp-storage-emulator, which speaks the sessions of Google Cloud Storage.

Where it deviates from the protocol as Google's own clients expect it:

  - Of a session that holds nothing it says `Range: bytes=0-0`, that is, one byte. Google sends no Range then. bsc does
    not cope, for it cannot know better: it sends from byte 1, is refused with 400, and gives up. check_deviations holds
    that this is no success; the other checks mend the answer.
  - Bytes that it holds already are refused with 400 instead of being ignored. bsc asks after a break and repeats none.
  - A finished session is forgotten: 404 instead of 200. Run again, bsc says that the URL has expired.
  - A chunk of a broken connection is kept to the last byte that came, not in steps of 256 KiB. bsc goes on there.
"""

import contextlib
import time
import urllib.error
import urllib.parse
import urllib.request
from unittest import mock

from gcp_storage_emulator.handlers import objects
from gcp_storage_emulator.server import RequestHandler, create_server

from .ground import BUCKET, PATIENCE, PLAIN, SIZES, UNIT, open_session, want, want_object, wait_for


class Emulator:
    """In memory, on a thread of its own. It notes the ranges of all PUTs."""

    def __init__(self):
        self.requests = []
        self.mends = True
        put, incomplete = RequestHandler.do_PUT, objects._resumable_incomplete

        def noting_put(handler):
            self.requests.append(handler.headers["Content-Range"])
            # Of a killed client.
            with contextlib.suppress(ConnectionError):
                put(handler)

        def mended_incomplete(response, storage, upload_id, **options):
            incomplete(response, storage, upload_id, **options)
            if self.mends and storage.get_resumable_byte_count(upload_id) == 0:
                del response._headers["Range"]

        self.changes = [mock.patch.object(RequestHandler, "do_PUT", noting_put),
                        mock.patch.object(objects, "_resumable_incomplete", mended_incomplete)]
        for change in self.changes:
            change.start()
        self.server = create_server("127.0.0.1", 0, in_memory=True, default_bucket=BUCKET)
        self.server.start()
        self.base = f"http://127.0.0.1:{self.server._api._httpd.server_address[1]}"

    def session(self, name):
        self.requests.clear()
        return open_session(self.base, name)

    def held(self, url):
        [upload_id] = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["upload_id"]
        return self.server._storage.get_resumable_byte_count(upload_id)

    def close(self):
        self.server.stop()
        for change in self.changes:
            change.stop()


def emulator(ground):
    return ground.keep("emulator", Emulator)


def put(url, content_range, body=b""):
    request = urllib.request.Request(url, data=body, headers={"Content-Range": content_range}, method="PUT")
    return PLAIN.open(request, timeout=PATIENCE)


def check_sizes(ground):
    """Every size with every length of chunks."""
    place, requests = emulator(ground), 0
    for size in SIZES:
        for length in (UNIT, 1 << 20, None):
            name, path, data = ground.file(size)
            url = place.session(name)
            said = ground.upload(path, url, *(("--chunk-size", f"{length >> 10}KiB") if length else ()))
            said.want_sent(data)
            want_object(place.base, name, data)
            [question, *chunks] = place.requests
            want(question == "bytes */*", f"it did not ask first, but sent {question}")
            want(said.document["requestCount"] == len(chunks), f"it tells {said.document}, {len(chunks)} chunks came")
            if length:
                want(len(chunks) == -(-size // length), f"{size} bytes came in {len(chunks)} chunks of {length}")
            requests += len(chunks)
            path.unlink()
    return f"{len(SIZES)} sizes in chunks of 256 KiB, 1 MiB and by the link: the same bytes in {requests} requests"


def check_killed(ground):
    """SIGKILL in the middle of a chunk, then the same command again."""
    place = emulator(ground)
    name, path, data = ground.file((14 << 20) + 7)
    url = place.session(name)
    # Chunks longer than what libcurl hands on at once, which no limit holds back.
    first = ground.start_upload(path, url, "--chunk-size", "4MiB", "--limit-rate", "8MB")
    wait_for(lambda: len(place.requests) >= 3, "the second chunk")
    time.sleep(0.2)
    first.kill()
    first.communicate()
    place.requests.clear()
    said = ground.upload(path, url, "--chunk-size", "4MiB")
    question, chunk = place.requests[:2]
    want(question == "bytes */*", f"it did not ask, but sent {question}")
    held = int(chunk.split()[1].split("-")[0])
    want(4 << 20 < held < 8 << 20, f"it went on at {held}, which is not in the second chunk")
    said.want_sent(data, sent=len(data) - held)
    want_object(place.base, name, data)
    return f"killed in a chunk, it asked, went on at byte {held} of {len(data)}, and sent the rest only: the same bytes"


def check_deviations(ground):
    """The emulator as it is published."""
    place = emulator(ground)
    place.mends = False
    try:
        # A session that holds nothing is said to hold a byte: what comes of it is no success, and no object.
        name, path, data = ground.file(UNIT + 1)
        url = place.session(name)
        ground.upload(path, url).want_refused("400", "expected 0, got 1")
        want(place.held(url) == 0, "bytes were stored at the wrong place")
        # Where it does hold bytes its answer is right, and bsc goes on.
        name, path, data = ground.file(3 * UNIT + 1)
        url = place.session(name)
        try:
            put(url, f"bytes 0-{UNIT - 1}/{len(data)}", data[:UNIT]).close()
        except urllib.error.HTTPError as error:
            want(error.code == 308, f"a chunk was answered with {error.code}")
        ground.upload(path, url).want_sent(data, sent=len(data) - UNIT)
        want_object(place.base, name, data)
        # A finished session is forgotten.
        ground.upload(path, url).want_refused("404", "expired")
    finally:
        place.mends = True
    return "a byte too many in its first answer, and a forgotten session: refused with 6; a true offset: gone on from"


CHECKS = {"emulator sizes": check_sizes, "emulator killed": check_killed, "emulator deviations": check_deviations}
