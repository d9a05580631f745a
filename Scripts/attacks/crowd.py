"""Hundreds of uploads at once, each with a session and a clip of its own."""

import collections
import concurrent.futures
import http.client
import socket
import threading
import time

from oracles.ground import want

from .target import Person

MIB = 1 << 20


class Upload:
    def __init__(self, place, person, number):
        self.person, self.number = person, number
        self.clip = place.own_clip(number)
        self.ticket = person.open(caption=f"clip {number}", key=f"crowd-{number}")

    def send(self, server, barrier):
        """The first half; all wait for all; then the rest. So all are open at one time."""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
        # Many connect at once: the queue of the socket may be shorter.
        for attempt in range(50):
            try:
                connection.connect()
                break
            except (ConnectionError, socket.timeout):
                time.sleep(0.1)
        half = len(self.clip) // 2
        connection.putrequest("PUT", self.ticket["path"])
        connection.putheader("Content-Length", str(len(self.clip)))
        connection.endheaders(self.clip[:half])
        barrier.wait(600)
        connection.send(self.clip[half:])
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status


def check_uploads(place):
    server, count = place.fresh(), place.uploads
    people = [Person(server, f"person{number}") for number in range(5)]
    uploads = [Upload(place, people[number % len(people)], number) for number in range(count)]
    before, barrier, begun = server.status("VmRSS"), threading.Barrier(count), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        codes = collections.Counter(pool.map(lambda upload: upload.send(server, barrier), uploads))
    sent = time.monotonic() - begun
    want(set(codes) <= {200, 201}, f"{count} uploads at once were answered with {dict(codes)}")
    server.want_alive("with all sent")
    waiting, end = list(uploads), time.monotonic() + 3 * count + 180
    while waiting:
        want(time.monotonic() < end, f"{len(waiting)} of {count} never become ready")
        still = []
        for upload in waiting:
            state = upload.person.ask("GET", f"/functions/v1/uploads/{upload.ticket['id']}").json
            want(state["status"] in ("waiting", "asset_created", "ready"), f"upload {upload.number}: {state}")
            if state["status"] != "ready":
                still.append(upload)
        waiting = still
        time.sleep(0.3 if waiting else 0)
    ready = time.monotonic() - begun
    for upload in uploads:
        (row,) = upload.person.ask("GET", f"/rest/v1/highlights?id=eq.{upload.ticket['highlight']}").json
        is_own = row["caption"] == f"clip {upload.number}" and row["author_id"] == upload.person.id
        want(is_own, f"upload {upload.number} became the draft of another: {row}")
        played = server.ask("GET", f"/stream/{row['mux_playback_id']}.mp4").body
        want(played == upload.clip, f"the clip of upload {upload.number} is another one's or is broken")
    grown = (server.status("VmHWM") - before) / MIB
    want(grown < 512, f"the server grew by {grown:.0f} MiB")
    server.want_intact()
    server.kill()
    return (f"{count} open at one time, sent in {sent:.1f} s, ready in {ready:.1f} s, none mixed up; the server had "
            f"{before / MIB:.0f} MiB before and {grown:.0f} MiB more at most")


CHECKS = {"crowd uploads": check_uploads}
