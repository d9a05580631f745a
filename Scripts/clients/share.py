"""supabase's function client: an upload from `uploads` to the highlight's row."""

import hashlib
import time
import uuid

import httpx
from supabase_functions.errors import FunctionsHttpError

from .backend import PATIENCE, Failure, draft, invoke, put, wait_for, wait_ready, want


# How an upload that has ended says so, as Google's sessions do.
ENDED = 404, 409, 410, 499


def refused(action, status, *words):
    try:
        answer = action()
    except FunctionsHttpError as error:
        want(error.status == status, f"{error.status} ({error.message}) instead of {status}")
        for word in words:
            want(word in str(error.message), f"{status} does not name {word!r}: {error.message}")
        return
    raise Failure(f"{status} was expected, it answered {answer}")


def opening(person, body, key=None, path="uploads"):
    return invoke(person, path, body=body, headers={"Idempotency-Key": key or str(uuid.uuid4())})


def check_highlight(place):
    ann, ben = place.people("ann", "ben")
    body = draft()
    ticket = opening(ann, body)
    want(ticket["url"].startswith(f"{place.backend.base}/upload/{ticket['id']}?token="), f"the URL is {ticket['url']}")
    want(3500 < ticket["expires_at"] - time.time() <= 3601, f"it expires at {ticket['expires_at']}")
    want(invoke(ann, f"uploads/{ticket['id']}", "GET")["status"] == "waiting", "it does not wait for bytes")
    pending = ann.rpc("share_allowance", {}).execute().data
    want((pending["pending"], pending["remaining"]) == (1, 19), f"the allowance is {pending}")
    put(ticket["url"], place.clip)
    row = wait_ready(ann, ticket["id"], body["highlight_id"])
    same = "caption", "tags", "privacy_level", "hide_likes", "local_video_id", "local_rally_index", "duration", \
        "confidence", "quality", "detection_count"
    for name in same:
        want(row[name] == body[name], f"{name} was {body[name]!r} and became {row[name]!r}")
    want(row["author_id"] == ann.id and row["mux_asset_id"] and row["mux_playback_id"], f"the row is {row}")
    want(row["rally_metadata"] == {name: body[name] for name in ("duration", "confidence", "quality",
                                                                 "detection_count")}, f"{row['rally_metadata']}")
    state = invoke(ann, f"uploads/{ticket['id']}", "GET")
    want(state["status"] == "ready" and state["highlight_id"] == body["highlight_id"], f"the state is {state}")
    stored = ann.table("uploads").select("*").eq("id", ticket["id"]).single().execute().data
    want(stored["status"] == "ready" and stored["mux_asset_id"] == row["mux_asset_id"] and "url" not in stored
         and "token" not in stored, f"the upload's row is {stored}")
    want(ben.table("uploads").select("id").execute().data == [], "another sees the upload")
    refused(lambda: invoke(ben, f"uploads/{ticket['id']}", "GET"), 404, "not_found")
    refused(lambda: opening(ann, body), 409, "already_registered")
    refused(lambda: opening(ben, draft(highlight_id=body["highlight_id"])), 409, "highlight_taken")
    clip = place.backend.raw("GET", f"/stream/{row['mux_playback_id']}.mp4").content
    want(hashlib.sha256(clip).digest() == hashlib.sha256(place.clip).digest(), "what is played is not what was sent")
    # Deleting the row deletes the media.
    ann.table("highlights").delete().eq("id", row["id"]).execute()
    wait_for(lambda: place.backend.raw("GET", f"/stream/{row['mux_playback_id']}.mp4").status_code == 404,
             "the clip of a deleted highlight is still played")
    return "the draft becomes the row, for its author alone; deleted, it is gone"


def check_inserted(place):
    """A row as the app inserts it: its author's alone until the server has seen the video."""
    ann, ben = place.people("ann", "ben")
    shared = place.shared(ann)
    zeros = {"duration": 0, "confidence": 0, "quality": 0, "detection_count": 0}
    row = {"author_id": ann.id, "caption": "no metadata", "tags": [], "hide_likes": False, "rally_metadata": zeros}
    known = ann.table("highlights").insert(row | {"mux_playback_id": shared["mux_playback_id"]}).execute().data[0]
    want(known["is_ready"] and known["duration"] is None and known["rally_metadata"] == zeros, f"the row is {known}")
    unknown = ann.table("highlights").insert(row | {"mux_playback_id": "https://a.example/v.mp4"}).execute().data[0]
    want(not unknown["is_ready"], f"a video that nobody knows: {unknown}")
    mine, his = ann.ids(author_id=ann.id), ben.ids(author_id=ann.id)
    want(mine == {shared["id"], known["id"], unknown["id"]} and his == mine - {unknown["id"]}, f"{mine}, {his}")
    body = draft()
    ticket = opening(ann, body)
    early = row | {"id": body["highlight_id"], "mux_playback_id": "file"}
    want(not ann.table("highlights").insert(early).execute().data[0]["is_ready"], "it is ready before its upload")
    put(ticket["url"], place.clip)
    done = wait_ready(ann, ticket["id"], body["highlight_id"])
    want(done["is_ready"] and done["caption"] == "no metadata" and done["mux_asset_id"], f"after its upload: {done}")
    want(done["id"] in ben.ids(author_id=ann.id), "ready, it is not seen")
    return "hidden until its own asset is ready; zeros are no metadata"


def check_keys(place):
    ann, ben = place.people("ann", "ben")
    body, key = draft(), str(uuid.uuid4())
    first = opening(ann, body, key)
    want(opening(ann, body, key) == first, "the same key gave another upload")
    refused(lambda: opening(ann, body | {"caption": "else"}, key), 409, "idempotency_conflict")
    want(opening(ben, draft(), key)["id"] != first["id"], "keys of two people are one")
    newer = opening(ann, body)
    want(newer["id"] != first["id"], "another key gave the same upload")
    state = invoke(ann, f"uploads/{first['id']}", "GET")
    want(state["status"] == "cancelled", f"an attempt that was superseded is {state}")
    put(first["url"], place.clip, status=ENDED)
    want(invoke(ann, f"uploads/{newer['id']}/cancel")["status"] == "cancelled", "cancelled, it is not")
    refused(lambda: invoke(ann, f"uploads/{newer['id']}/cancel"), 409, "not_waiting")
    refused(lambda: invoke(ben, f"uploads/{newer['id']}/cancel"), 404)
    put(newer["url"], place.clip, status=ENDED)
    again = opening(ann, body, key)
    want(again["id"] not in (first["id"], newer["id"]), "an upload that ended was given again")
    put(again["url"], place.clip)
    wait_ready(ann, again["id"], body["highlight_id"])
    return "one key, one upload while it waits; superseded and cancelled ones take nothing"


def check_refusals(place):
    (ann,) = place.people("ann")
    nobody = place.backend.client()
    want_401 = {"headers": {"Idempotency-Key": "k"}, "body": draft(), "responseType": "json"}
    refused(lambda: nobody.functions.invoke("uploads", want_401), 401)
    refused(lambda: invoke(ann, "uploads", body=draft()), 400, "Idempotency-Key")
    for fields, status, word in (
            ({"duration": 61}, 422, "duration"), ({"duration": 2.9}, 422, "duration"),
            ({"caption": "a" * 2201}, 422, "caption"), ({"confidence": 1.5}, 422, "confidence"),
            ({"detection_count": -1}, 422, "detection_count"), ({"privacy_level": "all"}, 400, "privacy_level"),
            ({"highlight_id": "x"}, 400, "highlight_id"), ({"tags": "x"}, 400, "tags"),
            ({"tags": [""]}, 422, "tags"), ({"hide_likes": None}, 400, "hide_likes")):
        refused(lambda: opening(ann, draft(**fields)), status, word)
    refused(lambda: opening(ann, draft(), path="uploads?timeout=59"), 422, "timeout")
    refused(lambda: opening(ann, draft(), path="uploads?timeout=x"), 400, "timeout")
    refused(lambda: invoke(ann, f"uploads/{uuid.uuid4()}", "GET"), 404)
    refused(lambda: invoke(ann, "uploads/none", "GET"), 404)
    refused(lambda: invoke(ann, "uploads", "GET"), 405)
    refused(lambda: invoke(ann, "nothing", body={}), 404)
    large = {"caption": "a" * (300 << 10)}
    refused(lambda: opening(ann, draft(**large)), 413)
    preflight = place.backend.raw("OPTIONS", "/functions/v1/uploads", headers={"Host": place.backend.base[7:]})
    # The Edge Function lets pages of any origin ask; a server on the person's own machine does not.
    want("Access-Control-Allow-Origin" not in preflight.headers, "a preflight of another origin's page is allowed")
    return "who, what and which is wrong is said"


def check_broken_clip(place):
    (ann,) = place.people("ann")
    for name, data in ("noise", b"no video at all " * 4096), ("the second half", place.clip[len(place.clip) // 2:]):
        body = draft()
        ticket = opening(ann, body)
        put(ticket["url"], data)
        state = {}

        def is_over():
            state.update(invoke(ann, f"uploads/{ticket['id']}", "GET"))
            return state["status"] not in ("waiting", "asset_created")

        wait_for(is_over, f"{name} is never judged")
        want(state["status"] == "errored" and state.get("error"), f"{name} became {state}")
        want(body["highlight_id"] not in ann.ids(author_id=ann.id), f"{name} became a highlight")
    return "bytes that are no video end as an error and make no highlight"


def check_chunks(place):
    """As any client of the protocol sends: chunks, a question in between, the last one with the total."""
    (ann,) = place.people("ann")
    body = draft()
    ticket, unit = opening(ann, body), 256 << 10
    clip = place.clip if len(place.clip) > 2 * unit else place.clip + free_box(2 * unit)
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        first = client.put(ticket["url"], content=clip[:unit], headers={"Content-Range": f"bytes 0-{unit - 1}/*"})
        want(first.status_code == 308 and first.headers["Range"] == f"bytes=0-{unit - 1}", f"{first.status_code}")
        asked = client.put(ticket["url"], content=b"", headers={"Content-Range": "bytes */*"})
        want(asked.status_code == 308 and asked.headers["Range"] == f"bytes=0-{unit - 1}", f"{asked.status_code}")
        last = client.put(ticket["url"], content=clip[unit:],
                          headers={"Content-Range": f"bytes {unit}-{len(clip) - 1}/{len(clip)}"})
        want(last.status_code in (200, 201), f"the last chunk: {last.status_code} {last.text}")
    row = wait_ready(ann, ticket["id"], body["highlight_id"])
    played = place.backend.raw("GET", f"/stream/{row['mux_playback_id']}.mp4").content
    want(played == clip, f"{len(played)} bytes are played, {len(clip)} were sent")
    return "chunks, asked for in between, are put together"


def free_box(size):
    """Bytes that every reader of MP4 skips."""
    return size.to_bytes(4, "big") + b"free" + bytes(size - 8)


CHECKS = {
    "share highlight": check_highlight, "share inserted": check_inserted, "share keys": check_keys,
    "share refusals": check_refusals, "share broken clip": check_broken_clip, "share chunks": check_chunks,
}
