"""kill -9 amid every kind of request: what was confirmed before is there afterwards, whole, and nothing is broken."""

import random
import subprocess
import threading
import time
import uuid

from oracles.ground import wait_for, want

from .killing import amid, present, want_status
from .target import Person

UNIT = 256 << 10


def check_rows(place):
    """Inserts, likes, comments, changes, deletions; and the counters are exact."""
    def steps(person):
        base = person.share()["id"]

        def insert(number):
            return "row", person.share(caption=f"{number}")["id"]

        def comment(number):
            row = {"highlight_id": base, "author_id": person.id, "text": "x"}
            return "comment", person.insert("comments", row)["id"]

        def like(number):
            row = person.share()["id"]
            return "like", person.insert("likes", {"highlight_id": row, "user_id": person.id})["id"]

        def change(number):
            want_status(person.ask("PATCH", f"/rest/v1/highlights?id=eq.{base}", {"caption": f"{number}"}), 200, 204)
            return "caption", base, number

        def delete(number):
            row = person.share()["id"]
            want_status(person.ask("DELETE", f"/rest/v1/highlights?id=eq.{row}"), 200, 204)
            return "gone", row

        return insert, comment, like, change, delete

    def check(person, confirmed):
        for kind, table in ("row", "highlights"), ("comment", "comments"), ("like", "likes"):
            ids = [found[1] for found in confirmed if found[0] == kind]
            lost = set(ids) - present(person, table, ids)
            want(not lost, f"{len(lost)} of {len(ids)} confirmed in {table} are lost")
        gone = [found[1] for found in confirmed if found[0] == "gone"]
        want(not present(person, "highlights", gone), "a deleted highlight is back")
        last = [found for found in confirmed if found[0] == "caption"][-1:]
        for _, row, number in last:
            caption = person.ask("GET", f"/rest/v1/highlights?id=eq.{row}").json[0]["caption"]
            want(int(caption) >= number, f"the caption was confirmed as {number} and is {caption}")
        # Counters and rows were written together, or not at all.
        columns = "id,likes_count,comments_count"
        rows = person.ask("GET", f"/rest/v1/highlights?select={columns}&author_id=eq.{person.id}").json
        profile = person.ask("GET", f"/rest/v1/profiles?id=eq.{person.id}").json[0]
        want(profile["highlights_count"] == len(rows), f"{len(rows)} highlights, counted {profile['highlights_count']}")
        for table, column in ("likes", "likes_count"), ("comments", "comments_count"):
            found = person.ask("GET", f"/rest/v1/{table}?select=highlight_id").json
            for row in rows:
                number = sum(line["highlight_id"] == row["id"] for line in found)
                want(number == row[column], f"{number} {table}, counted {row[column]}")

    return amid(place, steps, check)


def check_accounts(place):
    """Sign-ups and refreshes: who was told of a session has it."""
    def steps(person):
        owner = Person(person.server)

        def sign_up(number):
            return "account", Person(person.server)

        def refresh(number):
            answer = want_status(person.server.ask(
                "POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": owner.refresh}), 200)
            owner.refresh, owner.token = answer.json["refresh_token"], answer.json["access_token"]
            return "refreshed", owner

        return sign_up, refresh

    def check(person, confirmed):
        accounts = [found[1] for found in confirmed]
        for one in {id(one): one for one in accounts}.values():
            body = {"email": one.email, "password": one.password}
            want_status(person.server.ask("POST", "/auth/v1/token?grant_type=password", body), 200)
            # The last token that was told, or its child if the answer was lost.
            answer = want_status(person.server.ask(
                "POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": one.refresh}), 200)
            want(answer.json["user"]["id"] == one.id, "a session is another's")
            found = one.ask("GET", f"/rest/v1/profiles?id=eq.{one.id}").json
            want(len(found) == 1, "an account has no profile")

    # A password costs time on purpose, and more of it in a build that is not optimised.
    return amid(place, steps, check, rounds=4, seconds=2.5)


def check_chunks(place):
    """Chunks of uploads: an offset that was confirmed never goes back."""
    def steps(person):
        def sender():
            told = {"kept": 0, "clip": b""}

            def chunk(number):
                nonlocal told
                if told["kept"] == len(told["clip"]):
                    told = {"ticket": person.open(), "clip": place.own_clip(number) + bytes(8) * UNIT, "kept": 0}
                    with person.lock:
                        person.sent.append(told)
                clip, start = told["clip"], told["kept"]
                end = min(start + UNIT, len(clip))
                answer = want_status(person.server.ask("PUT", told["ticket"]["path"], clip[start:end], {
                    "Content-Range": f"bytes {start}-{end - 1}/{len(clip)}"}), 200, 201, 308)
                told["kept"] = end if answer.status < 300 else int(answer.headers["Range"].split("-")[1]) + 1
                return told["kept"]

            return chunk

        # Made by one thread, before the others want it.
        want(place.clip, "there is no clip")
        person.sent, person.lock = [], threading.Lock()
        return [sender() for _ in range(4)]

    def check(person, confirmed):
        for told in person.sent:
            answer = person.server.ask("PUT", told["ticket"]["path"], b"", {"Content-Range": "bytes */*"})
            want_status(answer, 200, 201, 308)
            kept = len(told["clip"]) if answer.status < 300 else \
                int(answer.headers.get("Range", "bytes=0--1").split("=0-")[1]) + 1
            want(kept >= told["kept"], f"{told['kept']} bytes were confirmed, {kept} are kept")
            if answer.status == 308:
                clip = told["clip"]
                answer = person.server.ask("PUT", told["ticket"]["path"], clip[kept:], {
                    # With every byte there, only the whole length is missing.
                    "Content-Range": f"bytes {kept}-{len(clip) - 1}/{len(clip)}" if kept < len(clip)
                    else f"bytes */{len(clip)}"})
                want_status(answer, 200, 201)

    return amid(place, steps, check, rounds=4)


def check_assets(place):
    """The media work: whatever was uploaded becomes a highlight once, and plays as it was sent."""
    server = place.fresh()
    person, chance, clips = Person(server), random.Random(9), {}
    for number in range(5):
        for _ in range(4):
            clip, ticket = place.own_clip(number), person.open()
            want_status(server.ask("PUT", ticket["path"], clip), 200, 201)
            clips[ticket["highlight"]] = clip
        time.sleep(chance.random() * 0.6)
        server.kill()
        server.start()
    wait_for(lambda: present(person, "highlights", clips) == set(clips), "all uploads became highlights")
    rows = person.ask("GET", f"/rest/v1/highlights?author_id=eq.{person.id}").json
    want(len(rows) == len(clips), f"{len(rows)} highlights of {len(clips)} uploads")
    for row in rows:
        want(server.ask("GET", f"/stream/{row['mux_playback_id']}.mp4").body == clips[row["id"]], "a clip is broken")
        picture = server.ask("GET", f"/image/{row['mux_playback_id']}/thumbnail.jpg")
        want(picture.status == 200 and picture.body[:2] == b"\xff\xd8", f"a picture is {picture.status}")
    # What was begun and not finished is not left lying about.
    known = {path for path in server.data.rglob("*.tmp*")}
    want(not known, f"left behind: {known}")
    server.want_intact()
    server.kill()
    return f"5 kills, {len(clips)} uploads, each once and whole"


def check_starts(place):
    """Killed while it starts, the first time too; and a folder that is held is not opened twice."""
    server = place.fresh()
    person = Person(server)
    row, keys = person.share()["id"], server.keys
    chance = random.Random(10)
    for _ in range(12):
        server.kill()
        command = [server.ground.bsc, "serve", "--json", "--port", str(server.port)]
        process = server.ground.start(command, env=server.home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.random() * 0.15)
        process.kill()
        process.wait()
        server.start()
        want(server.keys == keys, "the keys are others")
        want(present(person, "highlights", [row]) == {row}, "a row is lost")
    server.want_intact()
    key = str(uuid.uuid4())
    first = person.open(key=key)
    server.kill()
    server.start()
    answer = person.ask("PUT", first["path"], place.own_clip(1))
    want_status(answer, 200, 201)
    server.kill()
    return "12 starts cut short; keys, rows, upload URLs and tokens stay"


CHECKS = {
    "kills rows": check_rows, "kills accounts": check_accounts, "kills chunks": check_chunks,
    "kills assets": check_assets, "kills starts": check_starts,
}
