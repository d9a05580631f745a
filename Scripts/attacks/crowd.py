"""Hundreds of uploads at once, each with its own session and clip."""

import collections
import concurrent.futures
import io
import threading
import time

from backend import Account, wait_for, want

from .wire import clip, usage, want_alive, want_intact, want_memory


def check_uploads(place):
    server, count = place.fresh(), place.options.uploads
    people = [Account(server, f"person{number}") for number in range(5)]
    uploads = []
    for number in range(count):
        person = people[number % len(people)]
        uploads.append((person, person.open(caption=f"clip {number}", key=f"crowd-{number}"), clip(place, number)))
    before, barrier, begun = usage(server).memory_info().rss, threading.Barrier(count), time.monotonic()

    class Halves(io.BytesIO):
        """Sends a half, waits for the other uploads, and sends the rest: all are open at the same time."""

        half_sent = False

        def read(self, size=-1):
            if self.half_sent:
                barrier.wait(600)
                return super().read()
            self.half_sent = True
            return super().read(len(self.getbuffer()) // 2)

    def send(upload):
        return server.ask("PUT", upload[1]["url"], Halves(upload[2]), timeout=600).status_code

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        codes = collections.Counter(pool.map(send, uploads))
    sent = time.monotonic() - begun
    want(set(codes) <= {200, 201}, f"{count} uploads at once: {dict(codes)}")
    want_alive(server)
    rows = {}

    def are_ready():
        for person in people:
            answer = person.ask("GET", f"/rest/v1/highlights?author_id=eq.{person.id}&is_ready=is.true").json()
            rows.update({row["id"]: row for row in answer})
        return len(rows) == count
    wait_for(are_ready, "all uploads are ready", 3 * count + 180)
    ready = time.monotonic() - begun
    for number, (person, ticket, data) in enumerate(uploads):
        row = rows[ticket["highlight"]]
        want((row["caption"], row["author_id"]) == (f"clip {number}", person.id), f"upload {number} became {row}")
        want(person.ask("GET", f"/stream/{row['mux_playback_id']}.mp4").content == data, f"clip {number} differs")
    grown = want_memory(server, before, 512)
    want_intact(server)
    server.kill()
    return f"{count} open at the same time, sent in {sent:.1f} s, ready in {ready:.1f} s; {grown}"
