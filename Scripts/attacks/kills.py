"""kill -9 during every kind of request. Confirmed data must be complete afterward."""

import itertools
import random
import threading
import time

import requests
from backend import PATIENCE, Account, put, want

from .wire import clip, want_intact

UNIT = 256 << 10


def during(place, make_steps, check, rounds=5, seconds=0.2):
    """Kills and restarts the server while threads repeat the steps; then checks everything that was confirmed."""
    server = place.fresh()
    person, chance, total = Account(server), random.Random(8), 0
    for _ in range(rounds):
        confirmed, failures, stop = [], [], threading.Event()

        def work(step):
            for number in itertools.count():
                try:
                    found = step(number)
                except requests.RequestException:
                    # Without a response, the request is done or not.
                    return
                except Exception as error:
                    failures.append(error)
                    return
                confirmed.append(found)
                if stop.is_set():
                    return

        threads = [threading.Thread(target=work, args=(step,)) for step in make_steps(person)]
        for thread in threads:
            thread.start()
        time.sleep(seconds + chance.random() * max(1, seconds))
        server.kill()
        stop.set()
        for thread in threads:
            thread.join(PATIENCE)
        want(not failures, f"before the kill: {failures[:1]}")
        server.start()
        want_intact(server)
        check(person, confirmed)
        total += len(confirmed)
    want(total > rounds, f"only {total} requests were confirmed in {rounds} rounds")
    server.kill()
    return f"{rounds} kills, {total} confirmed requests, all kept"


def want_status(answer, *codes):
    want(answer.status_code in codes, f"{answer.status_code} {answer.text[:200]}")
    return answer


def present(person, table, ids):
    """Which of the ids exist."""
    found, ids = set(), list(ids)
    for start in range(0, len(ids), 100):
        path = f"/rest/v1/{table}?select=id&id=in.({','.join(ids[start:start + 100])})"
        found |= {row["id"] for row in want_status(person.ask("GET", path), 200).json()}
    return found


def check_rows(place):
    """Inserts, likes, comments and deletions; the counters stay exact."""
    comments = itertools.count()

    def steps(person):
        base = person.share()["id"]

        def insert(number):
            return "highlights", person.share(caption=f"{number}")["id"]

        def comment(number):
            # The account may write 30 comments in ten minutes.
            if next(comments) >= 30:
                raise requests.RequestException("no further comments")
            return "comments", person.insert("comments",
                                             {"highlight_id": base, "author_id": person.id, "text": "x"})["id"]

        def like(number):
            return "likes", person.insert("likes", {"highlight_id": person.share()["id"], "user_id": person.id})["id"]

        def delete(number):
            row = person.share()["id"]
            want_status(person.ask("DELETE", f"/rest/v1/highlights?id=eq.{row}"), 200, 204)
            return "deleted", row

        return insert, comment, like, delete

    def check(person, confirmed):
        for table in "highlights", "comments", "likes":
            ids = {found[1] for found in confirmed if found[0] == table}
            lost = ids - present(person, table, ids)
            want(not lost, f"{len(lost)} of {len(ids)} confirmed {table} are lost")
        want(not present(person, "highlights", [found[1] for found in confirmed if found[0] == "deleted"]),
             "a deleted highlight is back")
        rows = person.ask("GET",
                          f"/rest/v1/highlights?select=id,likes_count,comments_count&author_id=eq.{person.id}").json()
        profile = person.ask("GET", f"/rest/v1/profiles?id=eq.{person.id}").json()[0]
        want(profile["highlights_count"] == len(rows), f"{len(rows)} highlights, counted {profile['highlights_count']}")
        for table in "likes", "comments":
            found = [line["highlight_id"] for line in person.ask("GET", f"/rest/v1/{table}?select=highlight_id").json()]
            for row in rows:
                want(found.count(row["id"]) == row[f"{table}_count"], f"{table} of {row} are {found.count(row['id'])}")

    return during(place, steps, check)


def check_chunks(place):
    """A confirmed offset of an upload never decreases."""
    sent = []

    def steps(person):
        sent.clear()
        large = clip(place) + bytes(8) * UNIT

        def sender():
            state = {"kept": len(large)}

            def chunk(number):
                nonlocal state
                if state["kept"] == len(large):
                    state = {"url": person.open()["url"], "kept": 0}
                    sent.append(state)
                start, end = state["kept"], min(state["kept"] + UNIT, len(large))
                answer = put(person.server, state["url"], large[start:end], (200, 201, 308),
                             Content_Range=f"bytes {start}-{end - 1}/{len(large)}")
                state["kept"] = end if answer.status_code < 300 else int(answer.headers["Range"].split("-")[1]) + 1
            return chunk

        steps.large = large
        return [sender() for _ in range(4)]

    def check(person, confirmed):
        size = len(steps.large)
        for state in sent:
            answer = put(person.server, state["url"], b"", (200, 201, 308), Content_Range="bytes */*")
            if answer.status_code != 308:
                continue
            kept = int(answer.headers.get("Range", "bytes=0--1").split("=0-")[1]) + 1
            want(kept >= state["kept"], f"{state['kept']} bytes were confirmed, {kept} are kept")
            put(person.server, state["url"], steps.large[kept:],
                Content_Range=f"bytes {kept}-{size - 1}/{size}" if kept < size else f"bytes */{size}")

    return during(place, steps, check, rounds=4)
